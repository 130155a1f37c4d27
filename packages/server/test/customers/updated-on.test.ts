import { expect, test } from 'vitest';
import { createCustomerLinkStore } from '../../src/customers/customer-link-store.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { parseIban } from '../../src/identifiers/iban.js';
import type { Principal } from '../../src/identity/principal.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertCustomer, insertFirm, insertUser } from '../support/rows.js';

const knex = await knexForFile({ poolSize: 4 });

test('§2.1 updatedOn: a change that waited for another is later than that one', async () => {
  const firmId = await insertFirm(knex);
  const userId = await insertUser(knex, firmId);
  const principal: Principal = { firmId, userId, accessLevel: 'user', seesCustomers: 'all' };
  const id = await insertCustomer(knex, firmId);
  const iban = parseIban('BE71096123456769');
  if (iban === undefined) throw new Error('not an IBAN');

  const first = await knex.transaction();
  await first('customers').where({ id }).forNoKeyUpdate().first('id');
  const second = createCustomerLinkStore(knex, createCustomerMandates()).addBankAccount(
    principal,
    id,
    iban,
  );
  await waitUntilBlocked(knex);
  const [changed] = await first('customers')
    .where({ id })
    .update({ name: 'Changed', updated_on: first.raw('clock_timestamp()') })
    .returning<{ updated_on: Date }[]>('updated_on');
  await first.commit();
  await second;

  const { updatedOn } = await createCustomerStore(knex, createCustomerMandates()).get(
    principal,
    id,
  );
  expect(Date.parse(updatedOn)).toBeGreaterThanOrEqual(changed?.updated_on.getTime() ?? Infinity);
});
