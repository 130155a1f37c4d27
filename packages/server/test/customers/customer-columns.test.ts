import { expect, test } from 'vitest';
import { nameColumns, storedColumns } from '../../src/customers/customer-columns.js';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile();

test('customers: the table of columns has those of the database', async () => {
  const columns: string[] = await knex('information_schema.columns')
    .where({ table_schema: 'public', table_name: 'customers', is_generated: 'NEVER' })
    .pluck('column_name');
  expect(storedColumns.toSorted()).toEqual(columns.toSorted());
});

test('customers: D-63 the database keeps the former values of all names that partners write', async () => {
  const kept: string[] = await knex('information_schema.triggered_update_columns')
    .where({ trigger_schema: 'public', trigger_name: 'keep_former_names' })
    .pluck('event_object_column');
  const written = nameColumns.filter((column) => column !== 'transfer_agreed_by');
  expect(kept.toSorted()).toEqual(written.toSorted());
});
