import type { Client } from '@adx/client';
import { beforeAll, expect, test } from 'vitest';
import { createCoverage } from '../../../packages/server/src/mandates/coverage.js';
import { setConnector } from '../../../packages/server/test/support/rows.js';
import { deliverFile } from '../../../packages/server/test/uploads/deliver-file.js';
import { codaFile } from '../../../packages/server/test/uploads/sample-files.js';
import { leadMandate } from '../../support/lead-mandate.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import {
  age,
  mandateOf,
  perFirm,
  useServiceWithLimit,
  withAccounts,
} from './unsigned-customers.js';

const signedIn = useServiceWithLimit();
let other: Client;
beforeAll(async () => {
  other = await signedIn.anotherFirm();
});

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
  await age(signedIn.service.knex, customer, 91);
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
      const parts = { ...service, coverage: createCoverage(), now: () => new Date() };
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
