import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { createApiKeyStore } from '../../src/identity/api-keys.js';
import { knexForFile } from '../support/knex-for-file.js';
import {
  insertBankAccount,
  insertCustomer,
  insertFirm,
  insertPayrollProvider,
  insertUser,
  refusal,
} from '../support/rows.js';

const knex = await knexForFile();
const firmId = await insertFirm(knex);
const otherFirmId = await insertFirm(knex);
const customerId = await insertCustomer(knex, firmId);
const userId = await insertUser(knex, firmId);

const insertNumber = (enterprise_number: string) =>
  insertCustomer(knex, firmId, { enterprise_number });

const twice = async (insertion: () => Promise<unknown>) => {
  await insertion();
  await insertion();
};

const assign = (row: { user_id: string; customer_id: string; firm_id: string }) =>
  knex('user_customers').insert(row);

test.each<[constraint: string, insertion: () => Promise<unknown>]>([
  ['firms_id_check', () => insertFirm(knex, { id: 'x' })],
  ['firms_tenant_check', () => insertFirm(knex, { tenant: 'a/b' })],
  ['users_access_level_check', () => insertUser(knex, firmId, { access_level: 'root' })],
  ['users_firm_id_fkey', () => insertUser(knex, '0'.repeat(24))],
  ['customers_enterprise_number_check', () => insertNumber('0403.019.261')],
  ['customers_enterprise_number_check', () => insertNumber('2403019261')],
  [
    'customers_contact_language_check',
    () => insertCustomer(knex, firmId, { contact_language: 'es' }),
  ],
  ['customers_name_check', () => insertCustomer(knex, firmId, { name: '' })],
  [
    'bank_accounts_iban_check',
    () => insertBankAccount(knex, customerId, { iban: 'BE71 0961 2345 6769' }),
  ],
  [
    'customer_payroll_providers_code_fkey',
    () => insertPayrollProvider(knex, customerId, { code: 'no' }),
  ],
  [
    'customer_payroll_providers_active',
    () => twice(() => insertPayrollProvider(knex, customerId, { code: 'ucm' })),
  ],
  ['claimed_enterprise_numbers_pkey', () => twice(() => insertNumber('0403019261'))],
  [
    'claimed_ibans_pkey',
    () => twice(() => insertBankAccount(knex, customerId, { iban: 'BE71096123456769' })),
  ],
])('db: a row that violates %s is refused: %s', async (constraint, insertion) => {
  expect(await refusal(insertion())).toBe(constraint);
});

test.each([
  [/^\w+\.product$/, 'Product'],
  [/^customers\.contact_language$/, 'Language'],
  [/^mandates\.status$/, 'MandateStatus'],
  [/^uploads\.status$/, 'UploadStatus'],
  [/^missing_statements\.kind$/, 'MissingStatementsKind'],
])('db: columns %s take the values of %s in the spec', async (columns, schema) => {
  const { rows } = await knex.raw<{ rows: { column: string; definition: string }[] }>(
    `select r.relname || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c join pg_class r on r.oid = c.conrelid
       join pg_attribute a on a.attrelid = r.oid and array[a.attnum] = c.conkey
      where c.contype = 'c' and pg_get_constraintdef(c.oid) like '%ANY (%'`,
  );
  const constrained = rows.filter(({ column }) => columns.test(column));
  expect(constrained).not.toEqual([]);
  const values = spec.components.schemas[schema]?.enum?.toSorted();
  for (const { column, definition } of constrained) {
    const taken = [...definition.matchAll(/'(\w+)'/g)].map(([, value]) => value).sort();
    expect([column, taken]).toEqual([column, values]);
  }
});

test('D-18 a user is assigned customers of their own firm only', async () => {
  const foreign = await insertCustomer(knex, otherFirmId);
  const user = { user_id: userId };
  expect(await refusal(assign({ ...user, customer_id: foreign, firm_id: firmId }))).toBe(
    'user_customers_customer_id_firm_id_fkey',
  );
  expect(await refusal(assign({ ...user, customer_id: foreign, firm_id: otherFirmId }))).toBe(
    'user_customers_user_id_firm_id_fkey',
  );
  expect(await refusal(assign({ ...user, customer_id: customerId, firm_id: firmId }))).toBe('none');
});

test('D-41 a count names an API key and an operation, a value its field, and counts something', async () => {
  const { id } = await createApiKeyStore(knex).issue({ partner: 'Tests', scopes: [] });
  const refusalOf = (row: object) => {
    const call = { day: '2026-03-02', api_key_id: id, operation: 'listBanks' };
    return refusal(knex('api_usage').insert({ ...call, field: '', value: '', calls: 1, ...row }));
  };
  expect(await refusalOf({ api_key_id: '0'.repeat(24) })).toBe('api_usage_api_key_id_fkey');
  expect(await refusalOf({ operation: '' })).toBe('api_usage_operation_check');
  expect(await refusalOf({ value: '"nl"' })).toBe('api_usage_check');
  expect(await refusalOf({ calls: 0 })).toBe('api_usage_calls_check');
  expect(await refusalOf({})).toBe('none');
  expect(await refusalOf({ calls: 2 })).toBe('api_usage_pkey');
});

test('§4.4 customers sort by name regardless of case, with accented letters after plain ones', async () => {
  const firm = await insertFirm(knex);
  const names = ['zebra', 'Émile', 'emil', 'Emile', 'ESPACE', 'Œuvre', 'Ångström', '1-2-3', 'alfa'];
  for (const name of names) await insertCustomer(knex, firm, { name });
  const sorted = await knex('customers')
    .where({ firm_id: firm })
    .orderBy('name_sort')
    .pluck('name');
  expect(sorted.join(' ')).toBe('1-2-3 alfa Ångström emil Emile Émile ESPACE Œuvre zebra');
});

test('db: no index has a column of an upload that its outcome changes, so its row is updated in place', async () => {
  const { rows } = await knex.raw(
    `select indexdef from pg_indexes
      where tablename = 'uploads' and indexdef ~ 'status|settled_on|findings|checkpoint|has_copy'`,
  );
  expect(rows).toEqual([]);
});
