import type { Knex } from 'knex';
import { enqueue } from '../jobs/enqueue.js';
import { deliveryJob } from '../mandates/signature-requests.js';

/**
 * Lets the latest request to the contact of a customer be sent only then: messages go out so quickly
 * that nobody would see a mandate that is `created`.
 */
export async function postponeDelivery(
  trx: Knex.Transaction,
  customerId: string,
  until: Date,
): Promise<void> {
  const request = await trx('signature_requests')
    .where({ customer_id: customerId })
    .orderBy('id', 'desc')
    .first<{ id: string; delivery: number } | undefined>('id', 'delivery');
  if (request === undefined) return;
  await enqueue(trx, { ...deliveryJob(request.id, request.delivery), runAt: until });
}
