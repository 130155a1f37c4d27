import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import type { Principal } from '../../src/identity/principal.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertCustomer, insertFirm, insertUser } from '../support/rows.js';

const customers = 600;
const statementTimeoutMs = 1_000;
const knex = await knexForFile({ poolSize: 2, statementTimeoutMs });
const store = createCustomerStore(knex);
let principal: Principal;

beforeAll(async () => {
  const firmId = await insertFirm(knex);
  const userId = await insertUser(knex, firmId);
  principal = { firmId, userId, accessLevel: 'user', seesCustomers: 'all' };
  for (let count = 0; count < customers; count += 1) await insertCustomer(knex, firmId);
});

test('§4.3 list: a reader who pauses for longer than a statement may take gets every customer', async () => {
  const ids = new Set<string>();
  for await (const { id } of store.list(principal)) {
    if (ids.size === 0) await pause(statementTimeoutMs * 1.5);
    ids.add(id);
  }
  expect(ids.size).toBe(customers);
});

test('§4.3 list: a reader who stops early gives the connection back', async () => {
  for (let reader = 0; reader < 10; reader += 1) {
    for await (const { id } of store.list(principal)) {
      expect(id).toBeDefined();
      break;
    }
  }
  await expect(knex.raw('select 1')).resolves.toBeDefined();
});

test('§4.3 list: after a listing, statements are limited as before', async () => {
  for await (const _customer of store.list(principal)) {
    // Read to the end.
  }
  await expect(knex.raw('select pg_sleep(30)')).rejects.toThrow(/statement timeout/);
});
