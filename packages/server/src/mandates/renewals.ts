import type { Knex } from 'knex';
import { addDays, brusselsDay } from '../dates/brussels-day.js';
import { inTransaction } from '../db/transaction.js';
import { attemptEach } from '../jobs/repeating-tasks.js';
import { renewalDays } from './lifecycle.js';
import { applyStep } from './mandate-steps.js';
import { lockOpenMandates } from './open-mandates.js';
import { requestSignature } from './signing/signature-requests.js';

/** The consents of a customer that end on the same day, which one signature request renews. */
interface EndingConsents {
  readonly firmId: string;
  readonly customerId: string;
  /** `YYYY-MM-DD` */
  readonly validUntil: string;
  readonly mandateIds: readonly string[];
}

/**
 * Asks the contacts to renew the consents that end within 14 days (D-24), except those of disabled
 * firms (D-60). The consents stay `finished`.
 */
export async function offerRenewals(knex: Knex, now: () => Date): Promise<void> {
  await attemptEach(
    await endingConsents(knex, brusselsDay(now())),
    ({ customerId }) => `customer ${customerId}`,
    (consents) => inTransaction(knex, (trx) => offerRenewal(trx, consents, now())),
  );
}

async function endingConsents(knex: Knex, today: string): Promise<EndingConsents[]> {
  const { rows } = await knex.raw<{ rows: EndingConsents[] }>(
    `select firm_id as "firmId", customer_id as "customerId", valid_until as "validUntil",
            array_agg(m.id) as "mandateIds"
       from mandates m join firms f on f.id = m.firm_id
      where closed_on is null and status = 'finished' and renewal_status is null
        and valid_until between ? and ? and f.disabled_on is null
      group by firm_id, customer_id, valid_until
      order by valid_until, customer_id`,
    [today, addDays(today, renewalDays)],
  );
  return rows;
}

async function offerRenewal(
  trx: Knex.Transaction,
  { firmId, customerId, validUntil, mandateIds }: EndingConsents,
  now: Date,
): Promise<void> {
  // Before its mandates, as changes of its address do, so that they find the request (D-14).
  await trx.raw('select from customers where id = ? and firm_id = ? for no key update', [
    customerId,
    firmId,
  ]);
  const mandates = (await lockOpenMandates(trx, { id: mandateIds }, firmId)).filter(
    (mandate) => mandate.status === 'finished' && mandate.validUntil === validUntil,
  );
  if (mandates.length === 0) return;
  await applyStep(trx, mandates, {
    trigger: 'renewalOffered',
    actor: { kind: 'service' },
    now,
  });
  const ids = mandates.map(({ id }) => id);
  await requestSignature(trx, { firmId, customerId, renewsUntil: validUntil }, ids, now);
}
