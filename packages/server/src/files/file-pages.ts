import type { Product } from '@adx/contract';
import { allOf, type SqlFragment } from '../api/sql-fragment.js';
import { runPrepared, runUnprepared } from '../db/prepared-statements.js';
import { customersWithVisibleFiles, isAssigned } from '../identity/principal.js';
import type { Caller } from '../identity/request-context.js';
import type { Read } from '../replica/replica.js';
import type { FileFilters } from './file-filters.js';
import type { CodaRecord, CodbRecord } from './file-record.js';
import { hasPdfIn } from './unprinted-files.js';

export interface FileList<Row> {
  readonly product: Product;
  /** The order within a customer (D-09): a correction comes after the statement it corrects. */
  readonly order: readonly (keyof Row & string)[];
  /** Further columns, which only this product has. */
  readonly columns: readonly (keyof Row & string)[];
}

export const codaFileList: FileList<CodaRecord> = {
  product: 'CODA',
  order: ['iban', 'currency', 'year', 'statement_number', 'arrival'],
  columns: ['is_delivered'],
};

export const codbFileList: FileList<CodbRecord> = {
  product: 'CODB',
  order: ['payroll_provider', 'year', 'statement_number', 'arrival'],
  columns: ['account_period'],
};

const pageLength = 1000;

/** The position after which a page starts: a file, or all files of a customer. */
interface Position<Row> {
  readonly after: 'file' | 'customer';
  readonly last: Row;
}

/**
 * Yields the files that match, in pages and in the order of the list. No connection waits for a
 * slow caller, and a customer may have any number of files. A customer that is renamed while a list
 * of several pages is read may appear twice or be missing.
 */
export async function* readFilePages<Row extends CodaRecord | CodbRecord>(
  read: Read,
  listing: FileList<Row>,
  caller: Caller,
  filters: FileFilters,
): AsyncGenerator<readonly Row[], void, undefined> {
  let position: Position<Row> | undefined;
  for (;;) {
    const isCommon = position === undefined && filters.ofFile.length === 0;
    const send = isCommon ? runPrepared<Row> : runUnprepared<Row>;
    const query = pageQuery(listing, caller, filters, position);
    const rows = await read((knex) => send(knex, query));
    if (rows.length > 0) yield rows;
    const last = rows.at(-1) ?? position?.last;
    if (last === undefined) return;
    if (rows.length === pageLength) position = { after: 'file', last };
    else if (position?.after === 'file') position = { after: 'customer', last };
    else return;
  }
}

/**
 * Returns customers by name, each with its first files that match. A poll first compares the number
 * of the latest file of each customer with the one up to which all are acknowledged: the rows of
 * both lie side by side. It reads only customers with news, and puts them in order before it reads
 * their files from there on, so that the page ends after its last file. A further page has most of
 * the news behind it, and a list of one customer needs only theirs: these find the customers first.
 */
function pageQuery<Row extends CodaRecord | CodbRecord>(
  { product, order, columns }: FileList<Row>,
  { principal, apiKeyId }: Caller,
  { redownload, ofCustomer, ofFile }: FileFilters,
  position: Position<Row> | undefined,
): SqlFragment {
  const caller = [apiKeyId, principal.userId];
  const orderBy = order.map((column) => `f.${column}`).join(', ');
  const ofMany = position === undefined && ofCustomer.length === 0;
  const arrived = allOf([
    {
      sql: `n.firm_id = ? and n.product = '${product}' and n.latest > coalesce(w.up_to, 0)`,
      bindings: [principal.firmId],
    },
    ...isAssigned(principal, 'n.customer_id'),
  ]);
  const news: SqlFragment = {
    sql: `
      with news as ${ofMany ? '' : 'not'} materialized (
        select n.customer_id, coalesce(w.up_to, 0) as up_to
          from file_arrivals n
          left join acknowledged_arrivals w on w.api_key_id = ? and w.user_id = ?
               and w.firm_id = n.firm_id and w.customer_id = n.customer_id and w.product = n.product
         where ${arrived.sql})`,
    bindings: [...caller, ...arrived.bindings],
  };
  const ofNews = {
    columns: ', n.up_to',
    join: 'join news n on n.customer_id = c.id',
    inOrder: ofMany ? 'order by c.name_sort, c.id offset 0' : '',
  };
  const ofAll = { columns: '', join: '', inOrder: '' };
  const listed = redownload ? ofAll : ofNews;
  const customers = allOf([
    customersWithVisibleFiles(principal),
    ...ofCustomer,
    ...(position === undefined ? [] : [isNext(position)]),
  ]);
  const files = allOf([
    {
      sql: `f.customer_id = c.customer_id and f.firm_id = ? and f.product = '${product}'`,
      bindings: [principal.firmId],
    },
    ...(redownload ? [] : [isUnacknowledged(caller)]),
    ...ofFile,
    ...(position?.after === 'file' ? [isAfter(order, position.last)] : []),
  ]);
  return {
    sql: `
      ${redownload ? '' : news.sql}
      select c.*, f.*
        from (select c.id as customer_id, c.name, c.name_sort, c.accounting_ref,
                     c.enterprise_number, c.is_confidential ${listed.columns}
                from customers c ${listed.join}
               where ${customers.sql} ${listed.inOrder}) c
       cross join lateral (
             select f.id, f.file_name, f.statement_date, f.processed_on,
                    ${hasPdfIn('?')} as has_pdf,
                    ${[...order, ...columns].map((column) => `f.${column}`).join(', ')}
               from files f where ${files.sql} order by ${orderBy} limit ${pageLength}) f
       order by c.name_sort, c.customer_id, ${orderBy} limit ${pageLength}`,
    bindings: [
      ...(redownload ? [] : news.bindings),
      ...[...customers.bindings, principal.firmId, ...files.bindings],
    ],
  };
}

function isUnacknowledged(caller: readonly string[]): SqlFragment {
  return {
    sql: `f.arrival > c.up_to
          and not exists (select from file_acknowledgements a
                           where a.api_key_id = ? and a.user_id = ? and a.firm_id = f.firm_id
                             and a.customer_id = f.customer_id and a.product = f.product
                             and a.arrival = f.arrival)`,
    bindings: caller,
  };
}

function isAfter<Row extends CodaRecord | CodbRecord>(
  order: readonly (keyof Row & string)[],
  last: Row,
): SqlFragment {
  return {
    sql: `(${order.map((column) => `f.${column}`).join(', ')}) > (${order.map(() => '?').join(', ')})`,
    bindings: order.map((column) => String(last[column])),
  };
}

function isNext({ after, last }: Position<CodaRecord | CodbRecord>): SqlFragment {
  return after === 'file'
    ? { sql: 'c.id = ?', bindings: [last.customer_id] }
    : { sql: '(c.name_sort, c.id) > (?, ?)', bindings: [last.name_sort, last.customer_id] };
}
