import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import type { AbandonedLink, WantedLinks } from '../customers/customer-listener.js';
import { DAY } from '../dates/brussels-day.js';
import { type EnterpriseNumber, formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import type { OperatorScope } from '../identity/principal.js';
import { refusedStatuses, unsignedStatuses } from './lifecycle.js';
import { lockOpenMandates } from './open-mandates.js';

/** The limits that keep firms from taking the links of others (D-66). */
export interface UnsignedLinkLimits {
  /** Links that a firm may add within `days`; as many customers may have no signed link. */
  readonly perFirm: number;
  /** Days after which an unsigned link gives way to another firm. */
  readonly days: number;
}

export const defaultUnsignedLinks: UnsignedLinkLimits = { perFirm: 2000, days: 90 };

/** Returns the start of the period in which unsigned links stand in the way of other firms. */
function startOfPeriod({ days }: UnsignedLinkLimits, now: Date): Date {
  return new Date(now.getTime() - days * DAY);
}

/**
 * Finds the links of other firms that wanted ones replace: they and their mandates are older than
 * the period, nobody ever signed for them or the bank or provider refused, and no statement was
 * ever listed for them, so they are not in use. Locks their customers and mandates, so that an
 * answer or a statement that is being recorded counts.
 */
export async function lockAbandoned(
  trx: Knex.Transaction,
  wanted: WantedLinks,
  limits: UnsignedLinkLimits,
  now: Date,
): Promise<AbandonedLink[]> {
  const start = startOfPeriod(limits, now);
  const found = await findAbandoned(trx, wanted, start);
  if (found.length === 0) return [];
  const ids = found.map(({ customerId }) => customerId);
  const firms = [...new Set(found.map(({ firmId }) => firmId))].sort();
  for (const firm of firms) {
    await trx.raw(
      'select from customers where firm_id = ? and id = any(?) order by id for no key update',
      [firm, ids],
    );
  }
  await lockOpenMandates(trx, { customer_id: ids }, firms);
  const abandoned = await findAbandoned(trx, wanted, start);
  return abandoned.filter(({ customerId }) => ids.includes(customerId));
}

/** Finds links that give way; an account of a customer that gives way itself is not separate. */
async function findAbandoned(
  trx: Knex.Transaction,
  { firmId, ibans, enterpriseNumber, holders }: WantedLinks,
  start: Date,
): Promise<AbandonedLink[]> {
  const isUnused = (link: 'a' | 'c') => {
    const ofAccount = link === 'a';
    return `
      c.archived_on is null and c.firm_id <> :firmId and ${link}.created_on < :start
        and not exists (select from mandates m
                         where m.customer_id = c.id and m.firm_id = c.firm_id
                           and m.closed_on is null
                           and (m.created_on >= :start
                                or m.status <> all(:refused)
                                   and exists (select from mandate_history h
                                                where h.mandate_id = m.id and h.firm_id = m.firm_id
                                                  and h.trigger = 'signed'))
                           ${ofAccount ? 'and m.bank_account_id = a.id' : ''})
        and not exists (select from files f
                         where f.customer_id = c.id and f.firm_id = c.firm_id
                           ${ofAccount ? 'and f.iban = a.iban' : ''})`;
  };
  const numbers = enterpriseNumber === undefined ? [] : [enterpriseNumber];
  const { rows } = await trx.raw<{ rows: AbandonedLink[] }>(
    `select c.firm_id as "firmId", c.id as "customerId", null as iban
       from customers c
      where c.firm_id = any(:firms) and c.id = any(:customers)
        and c.enterprise_number = any(:numbers) and ${isUnused('c')}
     union all
     select c.firm_id, c.id, a.iban
       from bank_accounts a
       join customers c on c.id = a.customer_id and c.firm_id = a.firm_id
      where a.firm_id = any(:firms) and a.customer_id = any(:customers) and a.iban = any(:ibans)
        and a.disabled_on is null and c.enterprise_number <> all(:numbers) and ${isUnused('a')}`,
    {
      firmId,
      start,
      numbers,
      firms: [...new Set(holders.map((holder) => holder.firmId))],
      customers: holders.map(({ customerId }) => customerId),
      ibans: [...ibans],
      refused: [...refusedStatuses],
    },
  );
  return rows;
}

/**
 * SQL that is true if a link, by its mandate `m`, counts among those that nobody signed for. Those
 * that were removed before the bank or provider confirmed or used them count too, because a link
 * makes that of the next firm contested, and those that it refused: the firm's own signature proves
 * nothing.
 */
const isUnsigned = (firmId: ':firmId' | 'm.firm_id') => `(
  m.status = any(:unsigned)
  or m.closed_on is not null
     and (m.status = any(:waiting)
          or m.connector_id is not null and not m.is_contested
             and not exists (select from files f
                              where f.product = 'CODA' and f.customer_id = m.customer_id
                                and f.firm_id = ${firmId} and f.iban = m.iban
                                and f.is_delivered)))`;

/** The SQL of the account or provider of a mandate `m`. One that is added again counts once. */
const subject = 'coalesce(m.iban, m.enterprise_number || m.payroll_provider_code)';

/** The `from` clause of the unsigned links of the period. */
const fromLinks = (firmId: ':firmId' | 'm.firm_id') =>
  `from mandates m where m.firm_id = ${firmId} and m.created_on >= :start and ${isUnsigned(firmId)}`;

/** The `from` clause of the customers of the period that have no signed link of it. */
const fromCustomers = (firmId: ':firmId' | 'c.firm_id') => `from customers c
  where c.firm_id = ${firmId} and c.created_on >= :start
    and not exists (select from mandates m
                     where m.firm_id = ${firmId} and m.created_on >= :start and m.customer_id = c.id
                       and not ${isUnsigned(firmId === 'c.firm_id' ? 'm.firm_id' : firmId)})`;

const unsignedBindings = (limits: UnsignedLinkLimits, now: Date) => ({
  start: startOfPeriod(limits, now),
  unsigned: [...unsignedStatuses, ...refusedStatuses],
  waiting: ['waitingForBank', 'waitingForPayrollProvider'],
});

/** @throws ApiError `tooManyUnsignedLinks`; then the transaction must be rolled back */
export async function requireRoom(
  trx: Knex.Transaction,
  firmId: string,
  limits: UnsignedLinkLimits,
  now: Date,
): Promise<void> {
  const { rows } = await trx.raw<{ rows: [{ count: number }] }>(
    `select greatest((select count(distinct ${subject}) ${fromLinks(':firmId')}),
                     (select count(*) ${fromCustomers(':firmId')}))::int as count`,
    { firmId, ...unsignedBindings(limits, now) },
  );
  if (rows[0].count > limits.perFirm) throw new ApiError('tooManyUnsignedLinks');
}

interface UnsignedCustomer {
  readonly id: string;
  readonly firmId: string;
  readonly enterpriseNumber: string;
  readonly name: string;
  readonly unsignedLinks: number;
  /** When the oldest of them was added; when the customer was created if it has no such link. */
  readonly unsignedSince: Date;
  readonly archivedOn: Date | null;
}

/** Returns the customers that `requireRoom` counts, and those of the links that it counts. */
export async function listUnsigned(
  knex: Knex,
  operator: OperatorScope,
  { enterpriseNumber }: { readonly enterpriseNumber: EnterpriseNumber | undefined },
  limits: UnsignedLinkLimits,
  now: Date,
): Promise<UnsignedCustomer[]> {
  type Row = UnsignedCustomer & { readonly enterpriseNumber: EnterpriseNumber };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select c.id, c.firm_id as "firmId", c.enterprise_number as "enterpriseNumber", c.name,
            links.unsigned as "unsignedLinks", coalesce(links.since, c.created_on) as "unsignedSince",
            c.archived_on as "archivedOn"
       from customers c,
            lateral (select count(distinct subject) filter (where is_unsigned)::int as unsigned,
                            min(created_on) filter (where is_unsigned) as since,
                            bool_or(not is_unsigned) as is_signed
                       from (select m.created_on, ${subject} as subject, ${isUnsigned('m.firm_id')} as is_unsigned
                               from mandates m
                              where m.customer_id = c.id and m.firm_id = c.firm_id
                                and m.created_on >= :start) link) links
      where (links.unsigned > 0 or c.created_on >= :start and links.is_signed is not true)
        and (:firmId::text is null or c.firm_id = :firmId)
        and (:enterpriseNumber::text is null or c.enterprise_number = :enterpriseNumber)
      order by c.firm_id, "unsignedSince", c.id`,
    {
      firmId: operator.firmId ?? null,
      enterpriseNumber: enterpriseNumber ?? null,
      ...unsignedBindings(limits, now),
    },
  );
  return rows.map((row) => ({
    ...row,
    enterpriseNumber: formatEnterpriseNumber(row.enterpriseNumber),
  }));
}

/** Counts what `requireRoom` counts, of all firms that are not disabled. */
export async function countUnsigned(
  knex: Knex,
  limits: UnsignedLinkLimits,
  now: Date,
): Promise<{ readonly all: number; readonly largestFirm: number }> {
  const { rows } = await knex.raw<{ rows: [{ all: number; largestFirm: number }] }>(
    `select coalesce(sum(n.count), 0)::int as all, coalesce(max(n.count), 0) as "largestFirm"
       from (select firm_id, greatest(sum(links), sum(customers))::int as count
               from (select m.firm_id, count(distinct ${subject}) as links, 0 as customers
                       ${fromLinks('m.firm_id')} group by m.firm_id
                     union all
                     select c.firm_id, 0, count(*) ${fromCustomers('c.firm_id')}
                      group by c.firm_id) each
              group by firm_id) n
       join firms f on f.id = n.firm_id
      where f.disabled_on is null`,
    unsignedBindings(limits, now),
  );
  return rows[0];
}
