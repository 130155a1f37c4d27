import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { createCustomerLinkStore } from '../../src/customers/customer-link-store.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { setConfidential } from '../../src/customers/listed-customers.js';
import { transferCustomer } from '../../src/customers/transfer-customer.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { createUserStore } from '../../src/identity/users.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { showMandate } from '../../src/mandates/listed-mandates.js';
import { createSigningUrls } from '../../src/mandates/signing/signing-urls.js';
import { answerAsShown } from '../mandates/answer-as-shown.js';
import {
  connectorId,
  createLinkedCustomer,
  iban,
  mandatesOf,
  newConnectedIban,
  newPrincipal,
  serveByConnector,
} from '../mandates/linked-customer.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { asAuthor } from '../support/as-author.js';
import { knexForFile } from '../support/knex-for-file.js';
import { everyColumn } from '../support/rows.js';
import { transferredFields } from './transferred-fields.js';

const knex = await knexForFile({ poolSize: 6 });
const follower = createCustomerMandates();
const customers = createCustomerStore(knex, follower);
const links = createCustomerLinkStore(knex, follower);
const [former, next, third] = [
  await newPrincipal(knex),
  await newPrincipal(knex),
  await newPrincipal(knex),
];
await serveByConnector(knex);

const transfer = (customerId: string, toFirmId = next.firmId) =>
  transferCustomer(knex, operatorScope(), follower, {
    customerId,
    toFirmId,
    agreedBy: 'Jan Peeters',
  });

/** Transfers a customer and returns its new id. */
async function transferred(customerId: string, toFirmId = next.firmId): Promise<string> {
  const outcome = await transfer(customerId, toFirmId);
  return typeof outcome === 'string' ? expect.fail(outcome) : outcome.transferredTo.id;
}

const wholeRow = (id: string) => knex('customers').where({ id }).first();

test('D-48 the new customer has the fields, accounts and providers of the old one, except what stays with the former firm', async () => {
  const ibans = [newIban(), newConnectedIban(), newIban()];
  const providers = ['securex', 'partena'];
  const id = await createLinkedCustomer(knex, former, { ibans, providers });
  await customers.update(asAuthor(former), id, everyColumn);
  await knex('bank_accounts').where({ iban: ibans[2] }).update({ currency: 'USD' });
  await links.end(asAuthor(former), id, { iban: iban(ibans[0] ?? '') });
  const before = (await customers.get(former, id)) ?? expect.fail();
  const newId = await transferred(id);
  const after = await customers.get(next, newId);
  expect(after).toEqual({
    ...transferredFields(before),
    ...{ id: newId, createdOn: after?.createdOn, updatedOn: after?.updatedOn },
  });
  expect([before.accountingRef, after?.accountingRef]).toEqual(['xqzref', undefined]);
  expect(after?.bankAccounts).toMatchObject([
    { iban: ibans[1], currency: 'EUR', connectorId },
    { iban: ibans[2], currency: 'USD' },
  ]);
  expect(await customers.get(former, id)).toBeUndefined();
});

test('D-24, D-48 open mandates are closed, and requested anew with one signature request', async () => {
  const ibans = [newIban(), newConnectedIban(), newIban('128')];
  const id = await createLinkedCustomer(knex, former, { ibans, providers: ['sdworx'] });
  const before = await mandatesOf(knex, id);
  await knex('mandates')
    .where({ customer_id: id, iban: ibans[1] })
    .update({ status: 'finished', valid_until: '2027-01-01' });
  const newId = await transferred(id);

  expect((await mandatesOf(knex, id)).map(({ closed_on }) => closed_on)).not.toContain(null);
  const [closed = expect.fail()] = before;
  expect((await showMandate(knex, operatorScope(), closed.id))?.history.at(-1)).toMatchObject({
    ...{ trigger: 'unlinked', by: 'operator', from: 'created', to: null },
  });
  const after = await mandatesOf(knex, newId);
  expect(after.map((each) => [each.iban ?? each.payroll_provider_code, each.status])).toEqual([
    [ibans[0], 'created'],
    [ibans[1], 'created'],
    [ibans[2], 'unsupportedBank'],
    ['sdworx', 'created'],
  ]);
  expect(after[1]).toMatchObject({ connector_id: connectorId, valid_until: null });
  const requests = await knex('signature_requests').where({ customer_id: newId });
  expect(requests).toMatchObject([{ firm_id: next.firmId, sent_on: null, answer: null }]);
  const [opened = expect.fail()] = after;
  expect((await showMandate(knex, operatorScope(), opened.id))?.history).toMatchObject([
    { trigger: 'linked', by: 'operator', from: null, to: 'created' },
  ]);
});

test('D-25, D-48 the signing URL of the former firm’s request no longer works, and that of the new one does', async () => {
  const id = await createLinkedCustomer(knex, former, { ibans: [newIban()] });
  const newId = await transferred(id);
  const signingUrls = createSigningUrls('https://adx.example', 'a secret for tests alone');
  const answerFor = async (customer_id: string) => {
    const request = await knex('signature_requests').where({ customer_id }).first();
    const mail = { requestId: request.id, firmId: request.firm_id, delivery: 1 };
    const link = await signingUrls.create(knex, mail);
    const given = { answer: 'signed', signerName: 'An Peeters' } as const;
    const device = { address: null, userAgent: null };
    return answerAsShown(knex, link.slice(-43), { ...given, ...device }, new Date());
  };
  expect(await answerFor(id)).toMatchObject({ state: 'withdrawn', request: { answer: null } });
  const { name } = await knex('firms').where({ id: next.firmId }).first('name');
  expect(await answerFor(newId)).toMatchObject({ state: 'signed', request: { firmName: name } });
  expect(await mandatesOf(knex, id)).toMatchObject([{ status: 'created' }]);
  expect(await mandatesOf(knex, newId)).toMatchObject([{ status: 'waitingForBank' }]);
});

test('D-48 a customer that comes back is a new one, beside the one that left', async () => {
  const id = await createLinkedCustomer(knex, former, { ibans: [newIban()] });
  const elsewhere = await transferred(id);
  const back = await transferred(elsewhere, former.firmId);
  expect(await customers.get(former, back)).toMatchObject({ id: back });
  expect(await customers.get(former, id)).toBeUndefined();
  expect((await wholeRow(id)).transferred_to).toBe(elsewhere);
});

test('D-48 the former firm’s users can still be limited to customers that left, but not to archived ones', async () => {
  const users = createUserStore(knex);
  const id = await createLinkedCustomer(knex, former, {});
  const archived = await createLinkedCustomer(knex, former, {});
  const newId = await transferred(id);
  await customers.archive(asAuthor(former), archived);
  expect(await users.update(former.userId, { customers: [id] })).toMatchObject({ customers: [id] });
  expect(await users.update(former.userId, { customers: [archived, newId] })).toEqual({
    unknownCustomers: [archived, newId],
  });
  expect(await setConfidential(knex, operatorScope(), id, true)).toBe(true);
  expect(await setConfidential(knex, operatorScope(), archived, true)).toBe(false);
});

test.each<[string, (id: string) => Promise<unknown>, unknown]>([
  ['a change', (id) => customers.update(asAuthor(former), id, { name: 'Te laat' }), undefined],
  ['an archival', (id) => customers.archive(asAuthor(former), id), false],
  ['a new account', (id) => links.addBankAccount(asAuthor(former), id, iban(newIban())), undefined],
  ['another transfer', (id) => transfer(id, third.firmId), 'elsewhere'],
])(
  'D-48 %s that waits for the transfer finds the customer no more',
  async (_, change, expected) => {
    const id = await createLinkedCustomer(knex, former, { ibans: [newIban()] });
    const trx = await knex.transaction();
    await transferCustomer(trx, operatorScope(), follower, {
      ...{ customerId: id, toFirmId: next.firmId, agreedBy: 'Jan Peeters' },
    });
    const changing = change(id);
    await waitUntilBlocked(knex);
    await trx.commit();
    expect(await changing).toEqual(expected);
    const owners = await knex('customers').where({ archived_on: null, firm_id: next.firmId });
    expect(owners.map((each) => each.id)).toContain((await wholeRow(id)).transferred_to);
  },
);

test.each<[string, (id: string) => Promise<unknown>]>([
  ['a change', (id) => customers.update(asAuthor(former), id, { name: 'Net op tijd' })],
  ['a new account', (id) => links.addBankAccount(asAuthor(former), id, iban(newIban()))],
])('D-48 a transfer that waits for %s takes it along', async (_, change) => {
  const id = await createLinkedCustomer(knex, former, { ibans: [newIban()] });
  const holder = await knex.transaction();
  await holder('customers').where({ id }).forUpdate().first('id');
  const changing = change(id);
  await waitUntilBlocked(knex);
  const moving = transferred(id);
  await holder.commit();
  await changing;
  const before = await wholeRow(id);
  const after = await customers.get(next, await moving);
  expect(after?.name).toBe(before.name);
  const accounts = await knex('bank_accounts').where({ customer_id: id }).orderBy('id');
  expect(after?.bankAccounts.map((account) => account.iban)).toEqual(
    accounts.map((account) => account.iban),
  );
  expect(accounts.map(({ disabled_on }) => disabled_on)).not.toContain(null);
});
