import type {
  CodaCustomerGroup,
  CodbCustomerGroup,
  ListCodaFilesRequest,
  ListCodbFilesRequest,
} from '@adx/contract';
import type { Knex } from 'knex';
import type { Streamed } from '../generated/handlers.gen.js';
import type { Presign } from '../storage/presign.js';
import { acknowledgeFile } from './acknowledgements.js';
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
