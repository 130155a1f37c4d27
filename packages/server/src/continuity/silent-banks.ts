import { isBankingDay } from '@adx/statements';
import type { Knex } from 'knex';
import { addDays, brusselsDay, brusselsTime, DAY } from '../dates/brussels-day.js';
import { formatBic } from '../identifiers/bic.js';

/** A bank that did not deliver through its light connector when it usually does. */
interface SilentBank {
  readonly bic: string;
  readonly name: string;
  readonly connectorId: number;
  /** The number of signed consents that have not ended. */
  readonly consents: number;
  /** Null if it delivered nothing within the last 30 days. */
  readonly lastDelivery: Date | null;
  /**
   * The latest time in Belgium, `hh:mm:ss`, of the first delivery on the last ten banking days with
   * any.
   */
  readonly usualTime: string | null;
}

/** The number of days before now from which deliveries are read. */
const READ_DAYS = 30;

/** Lists the silent banks of all firms by name. */
export async function listSilentBanks(knex: Knex, now: Date): Promise<SilentBank[]> {
  const today = brusselsDay(now);
  const read = Array.from({ length: READ_DAYS + 1 }, (_, days) => addDays(today, -days));
  const { rows } = await knex.raw<{ rows: SilentBank[] }>(
    `with connected as (
       select b.bic, min(b.name) as name, m.connector_id, count(*)::int as consents
         from mandates m join banks_by_code b using (bank_code)
        where m.closed_on is null and m.connector_id is not null
          and m.status = 'finished' and m.valid_until >= :today
        group by b.bic, m.connector_id),
     arrivals as (
       select b.bic, m.connector_id, u.received_on, u.received_on at time zone 'Europe/Brussels' as local
         from uploads u
         join files f on f.upload_id = u.id
         join mandates m
           on m.customer_id = f.customer_id and m.firm_id = f.firm_id and m.iban = f.iban
         join banks_by_code b using (bank_code)
        where u.source = 'bank' and u.received_on > :since and u.received_on <= :now),
     days as (
       select bic, connector_id, max(received_on) as latest, to_char(min(local), 'HH24:MI:SS') as first_time,
              local::date = any(:bankingDays) as is_banking_day,
              row_number() over (partition by bic, connector_id, local::date = any(:bankingDays)
                                 order by local::date desc) as place
         from arrivals group by bic, connector_id, local::date)
     select c.bic, c.name, c.connector_id as "connectorId", c.consents,
            max(d.latest) as "lastDelivery",
            max(d.first_time) filter (where d.is_banking_day and d.place <= 10) as "usualTime"
       from connected c
       left join days d on d.bic = c.bic and d.connector_id = c.connector_id
      group by c.bic, c.name, c.connector_id, c.consents
      order by c.name, c.connector_id`,
    {
      today,
      bankingDays: read.filter(isBankingDay),
      since: new Date(now.getTime() - READ_DAYS * DAY),
      now,
    },
  );
  return rows
    .filter((bank) => isSilent(bank, now))
    .map((bank) => ({ ...bank, bic: formatBic(bank.bic) }));
}

/** Returns true if nothing was delivered since the last banking day whose usual time has passed. */
export function isSilent(
  { lastDelivery, usualTime }: Pick<SilentBank, 'lastDelivery' | 'usualTime'>,
  now: Date,
): boolean {
  if (lastDelivery === null) return true;
  const isPast = usualTime !== null && brusselsTime(now).slice(11, 19) > usualTime;
  let due = isPast ? brusselsDay(now) : addDays(brusselsDay(now), -1);
  while (!isBankingDay(due)) due = addDays(due, -1);
  return brusselsDay(lastDelivery) < due;
}
