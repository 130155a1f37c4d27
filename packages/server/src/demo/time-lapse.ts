import type { Knex } from 'knex';
import { lockOpenMandates } from '../mandates/open-mandates.js';
import { lockSignatureRequest } from '../mandates/signature-requests.js';

/**
 * Makes everything that happened to some mandates so many days older, so that their periods end: a
 * demo has no months to wait. Only times are changed; what they bring is left to the service, and
 * the step that follows in the same transaction tells those who poll.
 */
export async function letTimePass(
  trx: Knex.Transaction,
  mandateIds: readonly string[],
  days: number,
): Promise<void> {
  const requestIds = await trx('mandates')
    .whereIn('id', mandateIds)
    .whereNotNull('signature_request_id')
    .distinct()
    .orderBy('signature_request_id')
    .pluck<string[]>('signature_request_id');
  for (const requestId of requestIds) await lockSignatureRequest(trx, requestId);
  await lockOpenMandates(trx, { id: mandateIds });
  const values = { ids: [...mandateIds], requestIds, days };
  for (const change of changes) await trx.raw(change, values);
}

const changes = [
  `update signature_requests
      set created_on = created_on - :days * interval '1 day',
          sent_on = sent_on - :days * interval '1 day',
          expires_on = expires_on - :days * interval '1 day',
          answered_on = answered_on - :days * interval '1 day'
    where id = any(:requestIds)`,
  `update mandates
      set created_on = created_on - :days * interval '1 day', valid_until = valid_until - :days::int
    where id = any(:ids)`,
  `update mandate_history set happened_on = happened_on - :days * interval '1 day'
    where mandate_id = any(:ids)`,
];
