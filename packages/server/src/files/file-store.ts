import type {
  AcknowledgedFiles,
  ListCodaFilesRequest,
  ListCodbFilesRequest,
  Product,
} from '@adx/contract';
import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { storedId } from '../identifiers/object-id.js';
import { customersWithVisibleFiles } from '../identity/principal.js';
import type { Author, Caller } from '../identity/request-context.js';
import { type ReadsOf, readsFrom } from '../replica/replica.js';
import type { Presign } from '../storage/presign.js';
import { codaFilters, codbFilters, type FileFilters } from './file-filters.js';
import { groupCodaFiles, groupCodbFiles } from './file-groups.js';
import { codaFileList, codbFileList, type FileList, readFilePages } from './file-pages.js';
import type { CodaRecord, CodbRecord } from './file-record.js';

export type FileStore = ReturnType<typeof createFileStore>;

interface FileDependencies {
  readonly knex: Knex;
  readonly readsOf?: ReadsOf;
  readonly presign: Presign;
  /** Prints files of a firm. Returns the ids of all that have a PDF then. */
  readonly printFiles: (firmId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly now: () => Date;
}

/**
 * Lists and acknowledges files of a caller's visible customers, and of those transferred to another
 * firm. Lists throw ApiError `validationFailed` if `from` of a range is after `to` (D-08).
 */
export function createFileStore({
  knex,
  presign,
  printFiles,
  now,
  readsOf = readsFrom(knex),
}: FileDependencies) {
  const url = (key: string, fileName: string) => presign({ key, fileName }, now());
  function pagesOf<Row extends CodaRecord | CodbRecord>(
    list: FileList<Row>,
    caller: Caller,
    filters: FileFilters,
  ) {
    const pages = readFilePages(readsOf(caller.principal.firmId), list, caller, filters);
    const print = (ids: readonly string[]) => printFiles(caller.principal.firmId, ids);
    return filters.includePdf ? withPdfs(pages, print) : pages;
  }
  return {
    /** Streams customers with their CODA files. Read each group to its end before the next. */
    listCoda(caller: Caller, request: ListCodaFilesRequest) {
      const filters = codaFilters(request);
      return groupCodaFiles(pagesOf(codaFileList, caller, filters), { ...filters, url });
    },

    /** Streams customers with their CODB files. Read each group to its end before the next. */
    listCodb(caller: Caller, request: ListCodbFilesRequest) {
      const filters = codbFilters(request);
      return groupCodbFiles(pagesOf(codbFileList, caller, filters), { ...filters, url });
    },

    /** Acknowledges files for an API key and a user (§4.19, D-49). It is idempotent (D-15). */
    async acknowledge(
      { principal, apiKeyId, record }: Caller & Author,
      product: Product,
      fileIds: readonly string[],
    ): Promise<AcknowledgedFiles> {
      const ids = [...new Set(fileIds.map(storedId))];
      const visible = customersWithVisibleFiles(principal);
      const { firmId, userId } = principal;
      // Customers in order, so that concurrent calls do not deadlock.
      const acknowledge = async (trx: Knex.Transaction) => {
        const { rows } = await trx.raw<{ rows: { customer_id: string; ids: string[] }[] }>(
          `select f.customer_id, array_agg(f.id) as ids, array_agg(f.arrival) as arrivals
             from files f join customers c on c.id = f.customer_id and c.firm_id = f.firm_id
            where f.id = any(?) and f.firm_id = ? and f.product = ? and ${visible.sql}
            group by f.customer_id order by f.customer_id`,
          [ids, firmId, product, ...visible.bindings],
        );
        const [seen, ...others] = rows;
        if (seen === undefined) return [];
        await trx.raw(
          `select acknowledge_arrivals(?, ?, ?, customer_id, ?, arrivals)
             from json_to_recordset(?::json) as seen (customer_id text, arrivals bigint[])`,
          [apiKeyId, userId, firmId, product, JSON.stringify(rows)],
        );
        await record(trx, { customerId: others.length === 0 ? seen.customer_id : undefined });
        return rows.flatMap((row) => row.ids);
      };
      const known = new Set(await inTransaction(knex, acknowledge));
      return {
        acknowledged: ids.filter((id) => known.has(id)),
        notFound: ids.filter((id) => !known.has(id)),
      };
    },
  };
}

const printedBeforeSent = 20;

/**
 * Prints what has not been printed, so that each download URL of a PDF works. Splits the pages, so
 * that the list starts soon, and few files are printed for a caller that has gone.
 */
async function* withPdfs<Row extends { readonly id: string; readonly has_pdf: boolean }>(
  pages: AsyncIterable<readonly Row[]>,
  printFiles: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const page of pages) {
    let rest = page;
    while (rest.length > 0) {
      const missing = rest.filter(({ has_pdf }) => !has_pdf).slice(0, printedBeforeSent);
      const printed =
        missing.length === 0 ? new Set() : await printFiles(missing.map(({ id }) => id));
      const last = missing.length < printedBeforeSent ? undefined : missing.at(-1);
      const rows = last === undefined ? rest : rest.slice(0, rest.indexOf(last) + 1);
      yield rows.map((row) => (printed.has(row.id) ? { ...row, has_pdf: true } : row));
      rest = rest.slice(rows.length);
    }
  }
}
