import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import type { Principal } from '../../src/identity/principal.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertCustomer, insertFirm, insertUser } from '../support/rows.js';

const customers = 1100;
const statementTimeoutMs = 3_000;
const knex = await knexForFile({ poolSize: 2, statementTimeoutMs });
const store = createCustomerStore(knex, createCustomerMandates());
let principal: Principal;

beforeAll(async () => {
  const firmId = await insertFirm(knex);
  const userId = await insertUser(knex, firmId);
  principal = { firmId, userId, accessLevel: 'user', seesCustomers: 'all' };
  for (let count = 0; count < customers; count += 1) {
    // Names repeat: customers with the same name are ordered by id.
    await insertCustomer(knex, firmId, { name: `Bakkerij ${count % 300}` });
  }
});

test('§4.3 list: a caller that pauses for longer than the statement timeout gets every customer once, in order', async () => {
  const ids: string[] = [];
  for await (const { id } of store.list(principal)) {
    if (ids.length === 0) await pause(statementTimeoutMs * 1.5);
    ids.push(id);
  }
  expect(ids).toEqual(await knex('customers').orderBy(['name_sort', 'id']).pluck<string[]>('id'));
});

test('§4.3 list: a caller that stops early releases the connection', async () => {
  for (let reader = 0; reader < 10; reader += 1) {
    for await (const { id } of store.list(principal)) {
      expect(id).toBeDefined();
      break;
    }
  }
  await expect(knex.raw('select 1')).resolves.toBeDefined();
});

test('§4.3 list: callers that stop reading hold no connection', async () => {
  const readers = Array.from({ length: 5 }, () => store.list(principal));
  for (const reader of readers) await reader.next();
  await expect(knex.raw('select 1')).resolves.toBeDefined();
  for (const reader of readers) await reader.return(undefined);
});
