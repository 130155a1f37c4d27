import { expect, test } from 'vitest';
import { storeCustomers } from '../../../../test/conformance/customers/store-customers.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { knexForFile } from '../support/knex-for-file.js';
import { nodesOf, planOf } from './query-plan.js';

const knex = await knexForFile({ poolSize: 1 });

test('§4.4, D-39 a search of customers that were just imported reads the accounts of its page alone', async () => {
  const principal = await newPrincipal(knex);
  await storeCustomers({ knex }, principal.firmId, 600);
  const customers = createCustomerStore(knex, createCustomerMandates());
  const work = () => customers.search(principal, {}, { limit: 50, offset: 0 });
  const plan = nodesOf(await planOf(knex, work, { analyze: true }));
  const reads = plan.filter((node) => node['Relation Name'] === 'bank_accounts');
  expect(reads.map((node) => node['Actual Loops'])).toEqual([50]);
});
