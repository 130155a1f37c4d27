import { beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/identity/principal.js';
import type { MandateSearch } from '../../src/mandates/mandate-store.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { insertLargeFirm, type Principals } from '../db/insert-large-firm.js';
import { nodesOf, type PlanNode, pageOf, planOf } from '../db/query-plan.js';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile({ poolSize: 1 });
const mandates = createMandateStore(knex);
let principals: Principals;

beforeAll(async () => {
  // Use an index wherever there is one: which plan is cheaper depends on the machine.
  await knex.raw('set enable_sort = off; set enable_incremental_sort = off');
  await insertLargeFirm(knex, 0);
  principals = await insertLargeFirm(knex, 1000);
  await knex.raw('analyze');
});

/** Returns the plan for the page of a search, without that for its totals. */
async function pagePlan(principal: Principal, request: MandateSearch): Promise<PlanNode> {
  const page = { limit: 50, offset: 0 };
  const search = { includeFinished: true, sort: 'createdOn', ...request } as const;
  return pageOf(await planOf(knex, () => mandates.search(principal, search, page)));
}

const walks = [
  ['createdOn', 'mandates_by_created_on'],
  ['updatedOn', 'mandates_by_updated_on'],
  ['customerName', 'mandates_by_customer_name'],
  ['customerEnterpriseNumber', 'mandates_by_enterprise_number'],
  ['ibanNumber', 'mandates_by_iban'],
  ['status', 'mandates_by_status'],
  ['bankName', 'mandates_by_bank_name'],
  ['payrollProviderCode', 'mandates_by_payroll_provider'],
] as const;

describe.each(['administrator', 'user', 'assigned'] as const)('§4.15 sorts for %s', (who) => {
  test.each(walks)('§4.15 sort by %s walks %s, both ways', async (sort, index) => {
    for (const sortDirection of ['asc', 'desc']) {
      const plan = nodesOf(await pagePlan(principals[who], { sort, sortDirection }));
      expect(plan.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
      expect(plan).toContainEqual(
        expect.objectContaining({
          'Index Name': index,
          'Scan Direction': sortDirection === 'asc' ? 'Forward' : 'Backward',
        }),
      );
    }
  });
});

test('§6 a poll for changes starts in the index at updatedSince', async () => {
  const plan = nodesOf(
    await pagePlan(principals.administrator, {
      updatedSince: new Date(Date.now() + 40_000_000),
      sort: 'updatedOn',
      sortDirection: 'asc',
    }),
  );
  const walk = plan.find((node) => node['Index Name'] === 'mandates_by_updated_on');
  expect(walk?.['Index Cond']).toContain('updated_on >=');
  expect(walk?.['Index Cond']).toContain('firm_id =');
});
