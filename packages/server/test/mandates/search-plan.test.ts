import { beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/identity/principal.js';
import type { MandateSearch } from '../../src/mandates/mandate-filters.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertFirm, insertUser } from '../support/rows.js';

/** A node of a query plan. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Scan Direction'?: string;
  readonly Plans?: readonly PlanNode[];
}

const knex = await knexForFile({ poolSize: 1 });
const mandates = createMandateStore(knex);
let principals: Readonly<Record<'administrator' | 'user' | 'assigned', Principal>>;

beforeAll(async () => {
  // Use an index wherever there is one: which plan is cheaper depends on the machine.
  await knex.raw('set enable_sort = off');
  for (let firm = 0; firm < 2; firm += 1) {
    const firmId = await insertFirm(knex);
    const userId = await insertUser(knex, firmId);
    await fill(firmId, userId, firm * 1000);
    const principal = { firmId, userId, seesCustomers: 'all' } as const;
    principals = {
      administrator: { ...principal, accessLevel: 'administrator' },
      user: { ...principal, accessLevel: 'user' },
      assigned: { ...principal, accessLevel: 'user', seesCustomers: 'assigned' },
    };
  }
  await knex.raw('analyze');
});

/** Inserts 1000 customers of a firm, each with an account, a provider and mandates. A tenth is assigned. */
async function fill(firmId: string, userId: string, before: number): Promise<void> {
  const numbers = { firmId, userId, first: before + 1, last: before + 1000 };
  const run = (sql: string) => knex.raw(sql, numbers);
  const from = 'from generate_series(:first::int, :last::int) n';
  const id = `lpad(to_hex(n), 24, '0')`;
  await run(
    `insert into customers (id, firm_id, enterprise_number, name, street, zip_code, municipality,
            country, contact_name, contact_function, contact_email, contact_language)
     select ${id}, :firmId, lpad(n::text, 10, '0'), 'Klant ' || n % 7, '-', '-', '-', '-', '-', '-', '-', 'nl'
       ${from}`,
  );
  await run(
    `insert into user_customers (user_id, firm_id, customer_id)
     select :userId, :firmId, ${id} ${from} where n % 10 = 0`,
  );
  await run(
    `insert into bank_accounts (id, customer_id, iban)
     select ${id}, ${id}, 'BE00096' || lpad(n::text, 9, '0') ${from}`,
  );
  await run(
    `insert into customer_payroll_providers (id, customer_id, code)
     select ${id}, ${id}, 'sdworx' ${from}`,
  );
  const common = `firm_id, customer_id, customer_name_sort, enterprise_number, created_on, updated_on`;
  const values = `c.firm_id, c.id, c.name_sort, c.enterprise_number, now() + random() * interval '1 day',
                  now() + random() * interval '1 day'`;
  await run(
    `insert into mandates (id, product, status, bank_account_id, iban, bank_code, ${common})
     select a.id, 'CODA', (array['created', 'finished'])[1 + length(c.name_sort || a.iban) % 2],
            a.id, a.iban, a.bank_code, ${values}
       from bank_accounts a join customers c on c.id = a.customer_id where c.firm_id = :firmId`,
  );
  await run(
    `insert into mandates (id, product, status, payroll_link_id, payroll_provider_code, ${common})
     select 'f' || substr(l.id, 2), 'CODB', 'finished', l.id, l.code, ${values}
       from customer_payroll_providers l join customers c on c.id = l.customer_id
      where c.firm_id = :firmId`,
  );
}

/** Returns the plan for the page of a search, without that for its totals. */
async function pagePlan(principal: Principal, request: MandateSearch): Promise<PlanNode> {
  const asked: { sql: string; bindings: unknown[] }[] = [];
  const listen = (query: { sql: string; bindings: unknown[] }) => asked.push(query);
  knex.on('query', listen);
  const page = { limit: 50, offset: 0 };
  await mandates.search(principal, { includeFinished: true, sort: 'createdOn', ...request }, page);
  knex.off('query', listen);
  expect(asked).toHaveLength(1);
  const connection = await knex.client.acquireConnection();
  const { rows } = await connection.query(
    `explain (format json) ${asked[0]?.sql}`,
    asked[0]?.bindings,
  );
  await knex.client.releaseConnection(connection);
  const limit = nodes(rows[0]['QUERY PLAN'][0].Plan).find((node) => node['Node Type'] === 'Limit');
  if (limit === undefined) throw new Error('The plan has no page');
  return limit;
}

function nodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodes)];
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
      const plan = nodes(await pagePlan(principals[who], { sort, sortDirection }));
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
  const plan = nodes(
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
