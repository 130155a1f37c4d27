import type { ListCodaFilesRequest, ListUploadsRequest } from '@adx/contract';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { codaFilters } from '../../src/files/file-filters.js';
import { codaFileList, readFilePages } from '../../src/files/file-pages.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { listUploads } from '../../src/uploads/listed-uploads.js';
import { createVisibleUploads } from '../../src/uploads/visible-uploads.js';
import { countArrivals } from '../support/files.js';
import { knexForFile } from '../support/knex-for-file.js';
import { completeRows, insertApiKey } from '../support/rows.js';
import { insertLargeFirm, type Principals } from './insert-large-firm.js';
import { nodesOf, type PlanNode, pageOf, planOf } from './query-plan.js';

const knex = await knexForFile({ poolSize: 1 });
const customers = createCustomerStore(knex, createCustomerMandates());
const mandates = createMandateStore(knex);
const page = { limit: 10, offset: 900 };

let principals: Principals;
beforeAll(async () => {
  // Use an index wherever there is one: which plan is cheaper depends on the machine.
  await knex.raw('set enable_sort = off; set enable_seqscan = off; set enable_bitmapscan = off');
  await insertLargeFirm(knex, 0);
  principals = await insertLargeFirm(knex, 1000);
  await insertUploads(principals.administrator);
  await insertFiles(principals.administrator);
  await markAsVisible();
});

/** Inserts 1000 uploads of a user, one in each minute before an instant. Ten are rejected. */
async function insertUploads({ firmId, userId }: Principals['user']): Promise<void> {
  const apiKeyId = await insertApiKey(knex);
  await knex.raw(
    `insert into upload_grants (id, firm_id, user_id, api_key_id, product, prefix, access_level,
            sees_customers, issued_on)
     select lpad(to_hex(n), 24, '0'), ?, ?, ?, 'CODA', 'uploads/' || n, 'user', 'all', now()
       from generate_series(1, 50) n`,
    [firmId, userId, apiKeyId],
  );
  await knex.raw(
    `insert into uploads (id, firm_id, source, grant_id, product, status, size, etag, bucket, object_key,
            received_on, settled_on)
     select lpad(to_hex(n), 24, '0'), ?, 'upload', lpad(to_hex(1 + n % 50), 24, '0'), 'CODA',
            case when n % 100 = 0 then 'rejected' else 'processed' end, 640, n, 'coda', 'uploads/' || 1 + n % 50 || '/' || n,
            timestamptz '2026-03-03T12:00Z' - n * interval '1 minute', now()
       from generate_series(1, 1000) n`,
    [firmId],
  );
  await completeRows(knex);
}

/** Inserts four statements of each customer. */
async function insertFiles({ firmId }: Principals['user']): Promise<void> {
  await knex.raw(
    `insert into files (id, firm_id, customer_id, product, iban, currency, extension, year,
            statement_number, statement_date, file_name, processed_on, content_hash, arrival,
            upload_id, is_delivered)
     select lpad(to_hex(n), 4, '0') || substr(c.id, 5), c.firm_id, c.id, 'CODA', 'BE71096123456769',
            'EUR', '', 2026, n, date '2026-03-02', c.id || n || '.cod', now(), sha256((c.id || n)::bytea), n,
            c.id, false
       from customers c, generate_series(1, 4) n where c.firm_id = ?`,
    [firmId],
  );
  await countArrivals(knex);
}

function pollOf(who: keyof Principals, filter: ListCodaFilesRequest = {}) {
  const caller = { principal: principals[who], apiKeyId: '0'.repeat(24) };
  return readFilePages((query) => query(knex), codaFileList, caller, codaFilters(filter));
}

/** Marks the pages of the tables as visible, without which no query reads only an index. */
async function markAsVisible(): Promise<void> {
  await knex.raw('vacuum analyze');
  const { rows } = await knex.raw(
    `select 1 from pg_class where oid = 'customers'::regclass and relallvisible < relpages`,
  );
  // The autovacuum of PostgreSQL may have kept a snapshot open meanwhile.
  if (rows.length > 0) await markAsVisible();
}

async function allowSort(): Promise<void> {
  await knex.raw('set enable_sort = on');
  onTestFinished(async () => void (await knex.raw('set enable_sort = off')));
}

/** Returns the number of rows that a query read of a table, in all loops. */
function rowsRead(plan: PlanNode, table: string): number {
  const scans = nodesOf(plan).filter((node) => node['Relation Name'] === table);
  expect(scans).not.toEqual([]);
  const rows = scans.map((node) => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0));
  return rows.reduce((sum, each) => sum + each, 0);
}

describe.each(['administrator', 'user'] as const)('D-39 the customer search of %s', (who) => {
  test('§4.4, D-39 a deep page reads the accounts and providers of its own customers only', async () => {
    const search = () => customers.search(principals[who], {}, page);
    const plan = await planOf(knex, search, { analyze: true });
    expect(rowsRead(plan, 'bank_accounts')).toBe(10);
    expect(rowsRead(plan, 'customer_payroll_providers')).toBe(10);
  });

  test('§4.4, D-39 the customers before a deep page, and the totals, are read in the index only', async () => {
    const plan = await planOf(knex, () => customers.search(principals[who], {}, page));
    const [walk, ...others] = nodesOf(pageOf(plan)).slice(1);
    expect(walk).toMatchObject({
      'Node Type': 'Index Only Scan',
      'Index Name': 'customers_by_name',
    });
    expect(others).toEqual([]);
    const indexOnly = nodesOf(plan).filter((node) => node['Node Type'] === 'Index Only Scan');
    expect(indexOnly.filter((node) => node['Relation Name'] === 'customers')).toHaveLength(2);
  });
});

test('§4.17, D-39, D-48 a list of files walks the customers of the firm in the order of an index', async () => {
  const walks = nodesOf(await planOf(knex, () => pollOf('user').next())).filter(
    (node) => node['Relation Name'] === 'customers',
  );
  expect(walks).toMatchObject([{ 'Index Name': 'customers_by_name' }]);
});

test('§4.17, D-39 a poll of a user reads what is new for the customers assigned to them only', async () => {
  await allowSort();
  const plan = await planOf(knex, () => pollOf('assigned').next(), { analyze: true });
  expect(rowsRead(plan, 'file_arrivals')).toBe(100);
  expect(rowsRead(plan, 'customers')).toBe(100);
});

test.each([
  { enterpriseNumber: '0000001010' },
  { enterpriseNumber: '0000001010', redownload: true },
])('§4.17, D-39 the list of files of a customer by %j reads this one only', async (filter) => {
  await allowSort();
  const plan = await planOf(knex, () => pollOf('user', filter).next(), { analyze: true });
  const found = nodesOf(plan).filter((node) => node['Relation Name'] === 'customers');
  expect(found).toMatchObject([{ 'Index Name': 'customers_by_enterprise_number' }]);
  expect(rowsRead(plan, 'files')).toBe(4);
  if (!('redownload' in filter)) expect(rowsRead(plan, 'file_arrivals')).toBe(1);
});

test.each([
  // The customer of the last file may have more; then come those after it, up to 1000 files.
  ['first', 1],
  ['last', 251],
] as const)(
  '§4.17, D-39 the %s query of the second page of a poll reads news of %i customers only',
  async (of, read) => {
    const pages = pollOf('user');
    expect((await pages.next()).value).toHaveLength(1000);
    const plan = await planOf(knex, () => pages.next(), { analyze: true, of });
    expect(rowsRead(plan, 'file_arrivals')).toBe(read);
    expect(rowsRead(plan, 'customers')).toBe(read);
  },
);

test('D-32, D-39 a poll for the outcome of uploads reads those since then only', async () => {
  const uploads = createVisibleUploads(knex);
  const status: ('processed' | 'rejected')[] = ['processed', 'rejected'];
  const request = { status, receivedSince: '2026-03-03T11:55:00Z', limit: 200, offset: 0 };
  const poll = () => uploads.list(principals.administrator, request);
  const { records, ...totals } = await poll();
  expect(records).toHaveLength(5);
  expect(totals).toEqual({ recordsTotal: 1000, recordsFiltered: 5 });
  const plan = await planOf(knex, poll, { analyze: true });
  // For the number of them, for their order, and for their fields.
  expect(rowsRead(plan, 'uploads')).toBe(3 * 5);
});

test('D-32 an operator who lists what was rejected reads that only', async () => {
  const list = () => listUploads(knex, operatorScope(), { status: 'rejected' });
  expect(await list()).toHaveLength(10);
  const plan = await planOf(knex, list, { analyze: true, of: 'first' });
  expect(rowsRead(plan, 'uploads')).toBe(10);
});

test.each<[ListUploadsRequest, number, number]>([
  // The uploads are read for their order and their fields; unprocessed ones have their own order.
  [{ product: 'CODA' }, 1000, 2 * 10],
  [{ status: 'rejected' }, 10, 10],
  [{ status: 'processed' }, 990, 2 * 10],
  [{ status: ['processed', 'rejected'] }, 1000, 2 * 10],
  [{ status: ['processed', 'failed'], product: 'CODA' }, 990, 2 * 10],
])(
  'D-32, D-39 a page of the uploads with %j counts %i, and reads %i',
  async (filter, count, read) => {
    const uploads = createVisibleUploads(knex);
    const request = { ...filter, limit: 10, offset: 0 };
    const list = () => uploads.list(principals.administrator, request);
    expect(await list()).toMatchObject({ recordsTotal: 1000, recordsFiltered: count });
    const plan = await planOf(knex, list, { analyze: true });
    expect(rowsRead(plan, 'uploads')).toBe(read);
  },
);

test('§4.15, D-39 only ids and sort values are kept of the mandates before a deep page', async () => {
  const search = { sort: 'createdOn', includeFinished: true } as const;
  const plan = await planOf(knex, () => mandates.search(principals.administrator, search, page));
  // An id of 24 characters and an instant, with their headers.
  expect(pageOf(plan)['Plan Width']).toBeLessThanOrEqual(40);
});

test('§4.4, §4.15, D-39 a deep page has the records that follow those of the page before', async () => {
  for (const principal of Object.values(principals)) {
    const all = await customers.search(principal, {}, { limit: 1000, offset: 0 });
    const deep = await customers.search(principal, {}, { limit: 10, offset: 95 });
    expect(deep).toEqual({ ...all, records: all.records.slice(95, 105) });
    const request = { sort: 'customerName', sortDirection: 'asc', includeFinished: true } as const;
    const every = await mandates.search(principal, request, { limit: 2000, offset: 0 });
    const some = await mandates.search(principal, request, { limit: 10, offset: 195 });
    expect(some).toEqual({ ...every, records: every.records.slice(195, 205) });
  }
});
