import type { Client } from '@adx/client';
import type { Customer } from '@adx/contract';
import type { Knex } from 'knex';
import { beforeAll, expect, test } from 'vitest';
import { waitUntilBlocked } from '../../../packages/server/test/mandates/wait-until-blocked.js';
import { insertCodaFile } from '../../../packages/server/test/support/files.js';
import { leadMandate } from '../../support/lead-mandate.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { age, mandateOf, useServiceWithLimit, withAccounts } from './unsigned-customers.js';

const signedIn = useServiceWithLimit();
let other: Client;
beforeAll(async () => {
  other = await signedIn.anotherFirm();
});

const wantedAccounts = ({ bankAccounts }: Customer) => bankAccounts.map(({ iban }) => ({ iban }));

test('D-66 links that nobody signed within 90 days give way to another firm, whose deliveries then need a confirmation', async () => {
  const { client, service } = signedIn;
  const squatter = await client.customers.create(withAccounts(2));
  const [first, second] = squatter.bankAccounts;
  if (first === undefined || second === undefined) expect.fail('there are no accounts');
  const { enterpriseNumber } = squatter;
  const taken = newCustomer({ enterpriseNumber, bankAccounts: [{ iban: first.iban }] });
  const customer = await other.customers.create(newCustomer());

  await age(signedIn.service.knex, squatter, 89);
  await expect(other.customers.create(taken)).rejects.toMatchObject({
    code: 'belongsToAnotherTenant',
  });
  await expect(other.customers.addBankAccount(customer.id, second.iban)).rejects.toMatchObject({
    code: 'ibanInUse',
  });

  await age(signedIn.service.knex, squatter, 2);
  await other.customers.addBankAccount(customer.id, second.iban);
  expect(await client.customers.get(squatter.id)).toMatchObject({ bankAccounts: [first] });
  const created = await other.customers.create(taken);
  await expect(client.customers.get(squatter.id)).rejects.toMatchObject({ code: 'notFound' });
  expect((await client.mandates.search({ customerId: squatter.id })).records).toEqual([]);
  const contested = await service
    .knex('mandates')
    .whereIn('customer_id', [customer.id, created.id])
    .pluck('is_contested');
  expect(contested).toEqual([true, true]);
});

test('D-66 one call takes what two firms left, and each finds it in its audit trail', async () => {
  const clients = [await signedIn.anotherFirm(), await signedIn.anotherFirm()];
  const left: Customer[] = [];
  for (const client of clients) left.push(await client.customers.create(withAccounts(1)));
  for (const customer of left) await age(signedIn.service.knex, customer, 91);
  const [{ enterpriseNumber } = newCustomer()] = left;
  const bankAccounts = left.flatMap(wantedAccounts);
  const taker = await signedIn.anotherFirm();
  await taker.customers.create(newCustomer({ enterpriseNumber, bankAccounts }));
  for (const [index, client] of clients.entries()) {
    const { records: entries } = await client.auditEntries.list({ action: 'link gave way' });
    expect(entries).toMatchObject([{ actor: 'service', customerId: left[index]?.id }]);
    expect(entries[0]).not.toHaveProperty('userId');
  }
});

test('D-66, D-58 a firm whose two accounts give way at once finds one entry of it', async () => {
  const client = await signedIn.anotherFirm();
  const left = await client.customers.create(withAccounts(2));
  await age(signedIn.service.knex, left, 91);
  const taker = await signedIn.anotherFirm();
  await taker.customers.create(newCustomer({ bankAccounts: wantedAccounts(left) }));
  const { records } = await client.auditEntries.list({ action: 'link gave way' });
  expect(records).toMatchObject([{ customerId: left.id }]);
});

test('D-66 a link that the bank refused gives way like one that nobody signed', async () => {
  const client = await signedIn.anotherFirm();
  const customer = await client.customers.create(withAccounts(1));
  await leadMandate(signedIn.service, await mandateOf(client, customer), 'rejectedByBank');
  await age(signedIn.service.knex, customer, 91);
  const { enterpriseNumber } = customer;
  const wanted = newCustomer({ enterpriseNumber, bankAccounts: wantedAccounts(customer) });
  await other.customers.create(wanted);
});

test.each([
  ['an answer', async (trx: Knex.Transaction, customer: Customer) => sign(customer, trx)],
  [
    'a statement',
    async (trx: Knex.Transaction, customer: Customer) => {
      const { firm_id } = await trx('customers').where({ id: customer.id }).first('firm_id');
      await trx('customers').where({ id: customer.id, firm_id }).forShare();
      await insertStatement(customer, new Date(), trx);
    },
  ],
])(
  'D-66 a link waits for %s that is being recorded, and then does not give way',
  async (_, record) => {
    const { knex } = signedIn.service;
    const client = await signedIn.anotherFirm();
    const customer = await client.customers.create(withAccounts(1));
    await age(signedIn.service.knex, customer, 91);
    const trx = await knex.transaction();
    await record(trx, customer);
    const wanted = [
      newCustomer({ enterpriseNumber: customer.enterpriseNumber }),
      newCustomer({ bankAccounts: wantedAccounts(customer) }),
    ];
    const calls = Promise.allSettled(wanted.map((each) => other.customers.create(each)));
    await waitUntilBlocked(knex, wanted.length);
    await trx.commit();
    expect(await calls).toMatchObject([
      { reason: { code: 'belongsToAnotherTenant' } },
      { reason: { code: 'ibanInUse' } },
    ]);
    expect(await client.customers.get(customer.id)).toMatchObject({
      bankAccounts: customer.bankAccounts,
    });
  },
);

test('D-66 two firms that take from each other at once both get what they want', async () => {
  const { knex } = signedIn.service;
  const [one, two] = [await signedIn.anotherFirm(), await signedIn.anotherFirm()];
  const [ofOne, ofTwo] = [
    await one.customers.create(withAccounts(1)),
    await two.customers.create(withAccounts(1)),
  ];
  for (const customer of [ofOne, ofTwo]) await age(signedIn.service.knex, customer, 91);
  const [wantedOfOne, wantedOfTwo] = [ofOne, ofTwo].map((each) => each.bankAccounts[0]?.iban ?? '');
  // Each call locks its customer, and waits; then each needs the other's, so one is retried.
  const trx = await knex.transaction();
  await trx('bank_accounts')
    .whereIn('customer_id', [ofOne.id, ofTwo.id])
    .update({ currency: 'EUR' });
  const calls = Promise.all([
    one.customers.addBankAccount(ofOne.id, wantedOfTwo ?? ''),
    two.customers.addBankAccount(ofTwo.id, wantedOfOne ?? ''),
  ]);
  await waitUntilBlocked(knex, 2);
  await trx.rollback();
  expect(await calls).toMatchObject([{ iban: wantedOfTwo }, { iban: wantedOfOne }]);
});

test('D-66 a customer does not give way while a link of it is young', async () => {
  const client = await signedIn.anotherFirm();
  const customer = await client.customers.create(newCustomer());
  await age(signedIn.service.knex, customer, 200);
  await client.customers.addBankAccount(customer.id, newIban());
  const { enterpriseNumber } = customer;
  await expect(other.customers.create(newCustomer({ enterpriseNumber }))).rejects.toMatchObject({
    code: 'belongsToAnotherTenant',
  });
});

test('D-66 links that a firm has removed keep neither a number nor an account', async () => {
  const client = await signedIn.anotherFirm();
  const customer = await client.customers.create(withAccounts(1));
  await sign(customer);
  const [signed = expect.fail()] = customer.bankAccounts;
  await client.customers.disableBankAccount(customer.id, signed.iban);
  await age(signedIn.service.knex, customer, 200);
  const young = await client.customers.addBankAccount(customer.id, newIban());
  await client.customers.disableBankAccount(customer.id, young.iban);
  const { enterpriseNumber } = customer;
  await other.customers.create(newCustomer({ enterpriseNumber }));
});

test.each([
  ['signed', (customer: Customer) => sign(customer)],
  [
    'used by uploaded statements',
    (customer: Customer) => insertStatement(customer, new Date(Date.now() - 199 * 86_400_000)),
  ],
])('D-66 a link that is %s does not give way', async (_, use) => {
  const client = await signedIn.anotherFirm();
  const customer = await client.customers.create(withAccounts(1));
  await age(signedIn.service.knex, customer, 200);
  await use(customer);
  const { enterpriseNumber } = customer;
  await expect(other.customers.create(newCustomer({ enterpriseNumber }))).rejects.toMatchObject({
    code: 'belongsToAnotherTenant',
  });
  const [{ iban } = { iban: '' }] = customer.bankAccounts;
  await expect(
    other.customers.create(newCustomer({ bankAccounts: [{ iban }] })),
  ).rejects.toMatchObject({ code: 'ibanInUse' });
});

async function sign({ id }: Customer, knex: Knex = signedIn.service.knex): Promise<void> {
  const { id: mandateId } = await knex('mandates').where({ customer_id: id }).first('id');
  await leadMandate({ knex }, mandateId, 'waitingForBank');
}

async function insertStatement(
  { id, bankAccounts }: Customer,
  processedOn: Date,
  knex: Knex = signedIn.service.knex,
): Promise<void> {
  const iban = bankAccounts[0]?.iban ?? '';
  await insertCodaFile(knex, id, { iban, processedOn });
}
