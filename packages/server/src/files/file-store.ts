import type {
  CodaCustomerGroup,
  CodbCustomerGroup,
  ListCodaFilesRequest,
  ListCodbFilesRequest,
} from '@adx/contract';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import type { Streamed } from '../generated/handlers.gen.js';
import { visibleCustomers } from '../identity/principal.js';
import type { Presign } from '../storage/presign.js';
import { codaFilters, codbFilters } from './file-filters.js';
import { groupCodaFiles, groupCodbFiles } from './file-groups.js';
import { type Caller, codaListing, codbListing, readFilePages } from './file-pages.js';
import type { DownloadUrl } from './file-record.js';

export type FileStore = ReturnType<typeof createFileStore>;

/** Files as users of the interface list and acknowledge them: each sees those of visible customers. */
export function createFileStore(knex: Knex, presign: Presign, now: () => Date = () => new Date()) {
  const url: DownloadUrl = (key, fileName) => presign({ key, fileName }, now());
  return {
    /**
     * Customers with their CODA files, streamed: each group is read to its end before the next.
     *
     * @throws ApiError `validationFailed` where a range ends before it begins
     */
    listCoda(
      caller: Caller,
      request: ListCodaFilesRequest,
    ): AsyncIterable<Streamed<CodaCustomerGroup>> {
      const filters = codaFilters(request);
      const pages = readFilePages(knex, codaListing, caller, filters);
      return groupCodaFiles(pages, { url, includePdf: filters.includePdf });
    },

    /**
     * Customers with their CODB files, streamed: each group is read to its end before the next.
     *
     * @throws ApiError `validationFailed` where a range ends before it begins
     */
    listCodb(
      caller: Caller,
      request: ListCodbFilesRequest,
    ): AsyncIterable<Streamed<CodbCustomerGroup>> {
      const filters = codbFilters(request);
      const pages = readFilePages(knex, codbListing, caller, filters);
      return groupCodbFiles(pages, { url, includePdf: filters.includePdf });
    },

    /** @throws ApiError `notFound` */
    acknowledge: (caller: Caller, product: 'CODA' | 'CODB', id: string): Promise<void> =>
      acknowledgeFile(knex, caller, product, id, now()),
  };
}

/**
 * Acknowledges a file for an API key and a user (§4.19); doing so twice is fine (D-15).
 *
 * @throws ApiError `notFound` when the file is not visible or of the other product
 */
async function acknowledgeFile(
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
