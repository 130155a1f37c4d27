import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import type { Principal } from '../identity/principal.js';
import { applyStep, IllegalStep } from './mandate-steps.js';
import { lockOpenMandates } from './open-mandates.js';
import { requestSignature } from './signature-requests.js';
import { visibleMandates } from './visible-mandates.js';

/**
 * Asks the contact once more to sign a mandate that would be a dead end otherwise. Of several
 * requests at the same time one is granted: the others wait for it and find the mandate `created`.
 *
 * @throws ApiError `notFound` when the principal sees no such mandate, `mandateNotRequestable`
 */
export async function requestAgain(
  trx: Knex.Transaction,
  principal: Principal,
  mandateId: string,
  now: Date,
): Promise<void> {
  await holdCustomer(trx, principal, mandateId);
  const [mandate] = await lockOpenMandates(trx, { id: mandateId });
  if (mandate === undefined) throw new ApiError('notFound');
  const { firmId, customerId } = mandate;
  try {
    const { userId } = principal;
    await applyStep(trx, [mandate], { trigger: 'requested', actor: { kind: 'user', userId }, now });
  } catch (error) {
    if (error instanceof IllegalStep) throw new ApiError('mandateNotRequestable');
    throw error;
  }
  await requestSignature(trx, { firmId, customerId, mandateIds: [mandateId], now });
}

/**
 * Holds the customer before its mandate, as changes of customers do: a new address that is being
 * recorded is either that of the new request, or the request is sent to it again (D-14).
 */
async function holdCustomer(
  trx: Knex.Transaction,
  principal: Principal,
  mandateId: string,
): Promise<void> {
  const visible = visibleMandates(principal);
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select m.id ${visible.sql} and m.id = ? for no key update of c`,
    [...visible.bindings, mandateId],
  );
  if (rows.length === 0) throw new ApiError('notFound');
}
