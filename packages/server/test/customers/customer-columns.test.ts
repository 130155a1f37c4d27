import { expect, test } from 'vitest';
import { nameColumns, storedColumns } from '../../src/customers/customer-columns.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertCustomer } from '../support/rows.js';

const knex = await knexForFile();

test('customers: the table of columns has those of the database', async () => {
  const columns: string[] = await knex('information_schema.columns')
    .where({ table_schema: 'public', table_name: 'customers', is_generated: 'NEVER' })
    .pluck('column_name');
  expect(storedColumns.toSorted()).toEqual(columns.toSorted());
});

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
