import type { Client } from '@adx/client';
import type { Customer } from '@adx/contract';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsents } from '../../../packages/server/src/mandates/consents.js';
import { waitUntilBlocked } from '../../../packages/server/test/mandates/wait-until-blocked.js';
import { insertCodaFile } from '../../../packages/server/test/support/files.js';
import { setConnector } from '../../../packages/server/test/support/rows.js';
import { deliverFile } from '../../../packages/server/test/uploads/deliver-file.js';
import { codaFile } from '../../../packages/server/test/uploads/sample-files.js';
import { leadMandate } from '../../support/lead-mandate.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { type SignedInService, startSignedInService } from '../../support/signed-in-service.js';

const perFirm = 4;

let signedIn: SignedInService;
let other: Client;
beforeAll(async () => {
  signedIn = await startSignedInService({
    settings: { UNSIGNED_LINKS_PER_FIRM: String(perFirm), UNSIGNED_LINK_DAYS: '90' },
  });
  other = await signedIn.anotherFirm();
});
afterAll(() => signedIn.service.close());

/** Lets days pass since a customer and its links were created. */
async function age({ id }: Customer, days: number): Promise<void> {
  const { knex } = signedIn.service;
  const earlier = knex.raw(`created_on - interval '${days} days'`);
  await knex('customers').where({ id }).update({ created_on: earlier });
  for (const table of ['bank_accounts', 'customer_payroll_providers', 'mandates']) {
    await knex(table).where({ customer_id: id }).update({ created_on: earlier });
  }
}

const withAccounts = (count: number) =>
  newCustomer({ bankAccounts: Array.from({ length: count }, () => ({ iban: newIban() })) });

const wantedAccounts = ({ bankAccounts }: Customer) => bankAccounts.map(({ iban }) => ({ iban }));

async function mandateOf(client: Client, { id }: Customer): Promise<string> {
  const { records } = await client.mandates.search({ customerId: id });
  return records[0]?.id ?? expect.fail('the customer has no mandate');
}

test('D-66 a firm has a limited number of links that nobody signed, of any kind', async () => {
  const client = await signedIn.anotherFirm();
  const customer = await client.customers.create(withAccounts(perFirm));
  const refused = { status: 409, code: 'tooManyUnsignedLinks' };
  await expect(client.customers.addBankAccount(customer.id, newIban())).rejects.toMatchObject(
    refused,
  );
  await expect(client.customers.addPayrollProvider(customer.id, 'sdworx')).rejects.toMatchObject(
    refused,
  );
  const wanted = withAccounts(1);
  await expect(client.customers.create(wanted)).rejects.toMatchObject(refused);
  // Nothing of a refused call is stored, and other firms are not affected.
  expect(await client.customers.list()).toEqual([customer]);
  await expect(other.customers.create(wanted)).resolves.toMatchObject(wanted);

  await leadMandate(signedIn.service, await mandateOf(client, customer), 'waitingForBank');
  await client.customers.addBankAccount(customer.id, newIban());
  await expect(client.customers.addBankAccount(customer.id, newIban())).rejects.toMatchObject(
    refused,
  );
  // Those that no longer stand in the way of others do not count.
  await age(customer, 91);
  await client.customers.addBankAccount(customer.id, newIban());
});

test.each([
  ['without links', (client: Client) => client.customers.create(newCustomer())],
  ['with links that were removed', createWithoutLink],
  ['that were archived', createAndArchive],
  ['that were archived before the bank confirmed', createSignAndArchive],
])('D-66 a firm has as many customers %s', async (_, create) => {
  const client = await signedIn.anotherFirm();
  for (let count = 0; count < perFirm; count += 1) await create(client);
  for (const next of [newCustomer(), withAccounts(1)]) {
    await expect(client.customers.create(next)).rejects.toMatchObject({
      code: 'tooManyUnsignedLinks',
    });
  }
});

test.each(['rejectedBySigner', 'waitingForBank'] as const)(
  'D-66 links that were removed while %s, or refused by the bank, count among those of a firm',
  async (status) => {
    const client = await signedIn.anotherFirm();
    const { id } = await client.customers.create(newCustomer());
    for (let count = 0; count < perFirm; count += 1) {
      const { iban } = await client.customers.addBankAccount(id, newIban());
      const { records } = await client.mandates.search({ iban });
      const mandateId = records[0]?.id ?? expect.fail('the account has no mandate');
      const isLast = count === perFirm - 1;
      await leadMandate(signedIn.service, mandateId, isLast ? 'rejectedByBank' : status);
      if (!isLast) await client.customers.disableBankAccount(id, iban);
    }
    await expect(client.customers.addBankAccount(id, newIban())).rejects.toMatchObject({
      code: 'tooManyUnsignedLinks',
    });
  },
);

test('D-66 consents that a firm signed and removed count until a statement came, each account once', async () => {
  const { service } = signedIn;
  const client = await signedIn.anotherFirm();
  const { id } = await client.customers.create(newCustomer());
  await setConnector(service.knex, 'BNAGBEBB', 7);
  const addAndRemove = async (iban: string, isUsed = false) => {
    await client.customers.addBankAccount(id, iban);
    const { records } = await client.mandates.search({ iban });
    await leadMandate(service, records[0]?.id ?? '', 'finished');
    const file = codaFile({ iban });
    if (isUsed) {
      const parts = { ...service, consents: createConsents(), now: () => new Date() };
      expect(await deliverFile(parts, file)).toMatchObject({ listed: 1 });
    }
    await client.customers.disableBankAccount(id, iban);
  };
  const iban = newIban('132');
  for (let count = 0; count <= perFirm; count += 1) await addAndRemove(newIban('132'), true);
  for (let count = 0; count <= perFirm; count += 1) await addAndRemove(iban);
  for (let count = 1; count < perFirm; count += 1) await addAndRemove(newIban('132'));
  await expect(client.customers.addBankAccount(id, newIban('132'))).rejects.toMatchObject({
    code: 'tooManyUnsignedLinks',
  });
});

test('D-66 calls at once create no more customers than one after the other', async () => {
  const client = await signedIn.anotherFirm();
  const calls = Array.from({ length: 3 * perFirm }, () => client.customers.create(newCustomer()));
  const ended = await Promise.allSettled(calls);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(perFirm);
  const reasons = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
  expect(new Set(reasons)).toEqual(new Set(['tooManyUnsignedLinks']));
});

async function createWithoutLink(client: Client): Promise<void> {
  const { id, bankAccounts } = await client.customers.create(withAccounts(1));
  await client.customers.disableBankAccount(id, bankAccounts[0]?.iban ?? '');
}

async function createAndArchive(client: Client): Promise<void> {
  const { id } = await client.customers.create(newCustomer());
  await client.customers.archive(id);
}

async function createSignAndArchive(client: Client): Promise<void> {
  const customer = await client.customers.create(withAccounts(1));
  await leadMandate(signedIn.service, await mandateOf(client, customer), 'waitingForBank');
  await client.customers.archive(customer.id);
}

test('D-66 links that nobody signed within 90 days give way to another firm, whose deliveries then need a confirmation', async () => {
  const { client, service } = signedIn;
  const squatter = await client.customers.create(withAccounts(2));
  const [first, second] = squatter.bankAccounts;
  if (first === undefined || second === undefined) expect.fail('there are no accounts');
  const { enterpriseNumber } = squatter;
  const taken = newCustomer({ enterpriseNumber, bankAccounts: [{ iban: first.iban }] });
  const customer = await other.customers.create(newCustomer());

  await age(squatter, 89);
  await expect(other.customers.create(taken)).rejects.toMatchObject({
    code: 'belongsToAnotherTenant',
  });
  await expect(other.customers.addBankAccount(customer.id, second.iban)).rejects.toMatchObject({
    code: 'ibanInUse',
  });

  await age(squatter, 2);
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
  for (const customer of left) await age(customer, 91);
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

test('D-66 a link that the bank refused gives way like one that nobody signed', async () => {
  const client = await signedIn.anotherFirm();
  const customer = await client.customers.create(withAccounts(1));
  await leadMandate(signedIn.service, await mandateOf(client, customer), 'rejectedByBank');
  await age(customer, 91);
  const { enterpriseNumber } = customer;
  const wanted = newCustomer({ enterpriseNumber, bankAccounts: wantedAccounts(customer) });
  await other.customers.create(wanted);
});

test.each([
  ['an answer', async (trx: Knex.Transaction, customer: Customer) => sign(customer, trx)],
  [
    'a statement',
    async (trx: Knex.Transaction, customer: Customer) => {
      await trx.raw('select from customers where id = ? for share', [customer.id]);
      await insertStatement(customer, new Date(), trx);
    },
  ],
])(
  'D-66 a link waits for %s that is being recorded, and then does not give way',
  async (_, record) => {
    const { knex } = signedIn.service;
    const client = await signedIn.anotherFirm();
    const customer = await client.customers.create(withAccounts(1));
    await age(customer, 91);
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
  for (const customer of [ofOne, ofTwo]) await age(customer, 91);
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
  await age(customer, 200);
  await client.customers.addBankAccount(customer.id, newIban());
  const { enterpriseNumber } = customer;
  await expect(other.customers.create(newCustomer({ enterpriseNumber }))).rejects.toMatchObject({
    code: 'belongsToAnotherTenant',
  });
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
  await age(customer, 200);
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
