import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import { visibleCustomers } from '../identity/principal.js';
import type { Caller } from './file-pages.js';

/**
 * Acknowledges a file for an API key and a user (§4.19); doing so twice is fine (D-15).
 *
 * @throws ApiError `notFound` when the file is not visible or of the other product
 */
export async function acknowledgeFile(
  knex: Knex,
  { principal, apiKeyId }: Caller,
  product: 'CODA' | 'CODB',
  id: string,
  now: Date,
): Promise<void> {
  const visible = visibleCustomers(principal);
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `with file as (
       select f.id from files f join customers c on c.id = f.customer_id
        where f.id = ? and f.product = ? and ${visible.sql}),
     acknowledged as (
       insert into file_acknowledgements (api_key_id, user_id, file_id, acknowledged_on)
       select ?, ?, id, ?::timestamptz from file on conflict do nothing)
     select id from file`,
    [id, product, ...visible.bindings, apiKeyId, principal.userId, now.toISOString()],
  );
  if (rows.length === 0) throw new ApiError('notFound');
}
