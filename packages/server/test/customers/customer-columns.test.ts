import { expect, test } from 'vitest';
import { nameColumns, storedColumns } from '../../src/customers/customer-columns.js';
import { bankAccounts, providers } from '../../src/customers/link-rows.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertCustomer } from '../support/rows.js';

const knex = await knexForFile();

const columnsOf = (table_name: string): Promise<string[]> =>
  knex('information_schema.columns')
    .where({ table_schema: 'public', table_name, is_generated: 'NEVER' })
    .orderBy('column_name')
    .pluck('column_name');

test('customers: the table of columns has those of the database', async () => {
  expect(storedColumns.toSorted()).toEqual(await columnsOf('customers'));
});

test.each([bankAccounts, providers])(
  'D-48 a transfer takes all columns of $table along, except those of the link itself',
  async ({ table, copied, endedOn }) => {
    const ofLink = ['id', 'firm_id', 'customer_id', 'created_on', endedOn];
    expect([...copied, ...ofLink].sort()).toEqual(await columnsOf(table));
  },
);

test('customers: D-63 the database keeps the former values of all names that partners write', async () => {
  const { firmId } = await newPrincipal(knex);
  const id = await insertCustomer(knex, firmId);
  const written = nameColumns.filter((column) => column !== 'transfer_agreed_by');
  for (const time of ['former', 'new']) {
    const values = written.map((column) => [column, `${time}-${column}@example.be`]);
    await knex('customers').where({ id }).update(Object.fromEntries(values));
  }
  const kept = await knex('former_names').where({ customer_id: id }).pluck('name');
  expect(kept).toEqual(
    expect.arrayContaining(written.map((column) => `former-${column}@example.be`)),
  );
});
