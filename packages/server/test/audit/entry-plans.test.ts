import { beforeAll, expect, test } from 'vitest';
import { readUnsealed } from '../../src/audit/audit-store.js';
import { sealEntries } from '../../src/audit/seal-entries.js';
import { listEntries, listVisibleEntries } from '../../src/audit/visible-entries.js';
import { recordsOf } from '../../src/firm-export/exported-records.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import type { Principal } from '../../src/identity/principal.js';
import { isUpToDateFor } from '../../src/replica/marks.js';
import { nodesOf, planOf } from '../db/query-plan.js';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile({ poolSize: 1 });
const id = (text: string) => text.padEnd(24, '0');
/** One of 160 firms, with one of its 5 users and one of its 25 customers. */
const [firmId, userId, customerId] = [id('f43'), id('a43'), id('c43')];

const mark = '7f9c24e8-3b13-4c8e-9d1e-0a6b2f6d7c11';

beforeAll(async () => {
  // A partition may be so small that reading all of it is cheaper.
  await knex.raw('set enable_seqscan = off');
  await knex.raw(
    `insert into audit_entries (occurred_on, firm_id, user_id, api_key_id, customer_id, actor, action, outcome, change)
     select now(), rpad('f' || n % 160, 24, '0'), rpad('a' || n % 800, 24, '0'), 'k',
            case when n % 3 = 0 then rpad('c' || n % 4000, 24, '0') end, 'user', 'getCustomer', 'done',
            case when n % 3 = 0 then pg_current_xact_id() end
       from generate_series(1, 20000) n`,
  );
  await knex.raw('insert into replica_marks (id) values (?)', [mark]);
  while ((await sealEntries(knex, new Date())) !== undefined);
  await knex.raw('vacuum analyze');
});

/** Returns the indexes of the entries that a query reads, and `all` if it reads the table. */
async function readsOf(work: () => Promise<unknown>): Promise<string[]> {
  const plan = await planOf(knex, work, { of: 'last' });
  const reads = nodesOf(plan).filter(
    (node) =>
      node['Relation Name']?.startsWith('audit_entries') ||
      node['Index Name']?.startsWith('audit_entries'),
  );
  return reads.flatMap((node) =>
    node['Node Type'] === 'Bitmap Heap Scan' ? [] : (node['Index Name'] ?? 'all'),
  );
}

const user: Principal = { userId, firmId, accessLevel: 'user', seesCustomers: 'assigned' };
const administrator: Principal = { ...user, accessLevel: 'administrator', seesCustomers: 'all' };
const page = { limit: 100, offset: 0 };

test.each<[string, () => Promise<unknown>, string]>([
  ['an administrator lists entries', () => listVisibleEntries(knex, administrator, page), 'pkey'],
  ['a user lists entries', () => listVisibleEntries(knex, user, page), 'of_user'],
  [
    'an administrator lists entries of a customer',
    () => listVisibleEntries(knex, administrator, { ...page, customerId }),
    'of_customer',
  ],
  [
    'the operator lists entries of a firm',
    () => listEntries(knex, operatorScope(firmId), {}, 1_000),
    'pkey',
  ],
  [
    'the operator lists entries of a user',
    () => listEntries(knex, operatorScope(), { userId }, 1_000),
    'of_user',
  ],
  [
    'the operator lists entries of a customer',
    () => listEntries(knex, operatorScope(), { customerId }, 1_000),
    'of_customer',
  ],
  ['the operator lists entries', () => listEntries(knex, operatorScope(), {}, 100), 'by_id'],
  [
    'the export of a firm reads its entries',
    async () => recordsOf(knex, firmId)['audit-entries.jsonl']?.next(),
    'pkey',
  ],
  [
    'a list asks whether a replica has the changes of a firm',
    () => isUpToDateFor(knex, firmId, mark),
    'of_changes',
  ],
  ['a worker seals entries', () => readUnsealed(knex, 1_000), 'by_id'],
])('D-58 %s by their index', async (_, work, index) => {
  // The total is counted, and intersected, by the index of the firm; the entries of a page are read
  // by their ids.
  const reads = await readsOf(work);
  expect(reads).toContain(`audit_entries_${index}`);
  const others = ['audit_entries_by_id', 'audit_entries_pkey'];
  expect([`audit_entries_${index}`, ...others]).toEqual(expect.arrayContaining(reads));
});
