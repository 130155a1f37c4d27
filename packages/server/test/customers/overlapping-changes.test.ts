import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { createCustomerLinkStore } from '../../src/customers/customer-link-store.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { setConfidential } from '../../src/customers/listed-customers.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { createLinkedCustomer, iban, newPrincipal } from '../mandates/linked-customer.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { asAuthor } from '../support/as-author.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertBankAccount, insertCustomer } from '../support/rows.js';

const knex = await knexForFile({ poolSize: 4 });
const customers = createCustomerStore(knex, createCustomerMandates());
const links = createCustomerLinkStore(knex, createCustomerMandates());
const principal = await newPrincipal(knex);
const administrator = { ...principal, accessLevel: 'administrator' } as const;

test.each<[string, (id: string) => Promise<unknown>]>([
  ['an update', (id) => customers.update(asAuthor(principal), id, { accounting_ref: 'K-2' })],
  ['a mark as confidential', (id) => setConfidential(knex, operatorScope(), id, true)],
  ['a new bank account', (id) => links.addBankAccount(asAuthor(principal), id, iban(newIban()))],
])('§2.1 updatedOn: %s that waited for another change has the later time', async (_, change) => {
  const id = await insertCustomer(knex, principal.firmId);
  const first = await knex.transaction();
  await first('customers').where({ id }).forUpdate().first('id');
  const second = change(id);
  await waitUntilBlocked(knex);
  const [changed] = await first('customers')
    .where({ id })
    .update({ name: 'Changed', updated_on: first.raw('clock_timestamp()') })
    .returning<{ updated_on: Date }[]>('updated_on');
  await first.commit();
  await second;
  const { updatedOn = '' } = (await customers.get(administrator, id)) ?? {};
  expect(Date.parse(updatedOn)).toBeGreaterThanOrEqual(changed?.updated_on.getTime() ?? Infinity);
});

test('D-16 IBANs are locked in one order: a request that names two in reverse waits, without a deadlock', async () => {
  const customerId = await insertCustomer(knex, principal.firmId);
  const [first = '', last = ''] = [newIban(), newIban()].toSorted();
  const holder = await knex.transaction();
  await insertBankAccount(holder, customerId, { iban: first });
  const creating = createLinkedCustomer(knex, principal, { ibans: [last, first] });
  const refusal = expect(creating).rejects.toMatchObject({ code: 'ibanInUse' });
  await waitUntilBlocked(knex);
  await insertBankAccount(holder, customerId, { iban: last });
  await holder.commit();
  await refusal;
});
