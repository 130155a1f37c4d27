import { ApiError, type Client } from '@adx/client';
import type { Customer } from '@adx/contract';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newEnterpriseNumber, newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

const calls = Array.from({ length: 20 }, (_, index) => index);

const signedIn = useSignedInService();
let firms: readonly [Client, Client];
beforeAll(async () => {
  firms = [signedIn.client, await signedIn.anotherFirm()];
});

/** Returns the client of call number `index`: the two firms take turns. */
const clientOf = (index: number) => firms[(index % 2) as 0 | 1];

/** Makes calls at once, and returns their results; for an error, its code. */
async function race<Result>(
  call: (index: number) => PromiseLike<Result>,
): Promise<(Result | string)[]> {
  const outcomes = await Promise.allSettled(calls.map((index) => call(index)));
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    const error: unknown = outcome.reason;
    if (error instanceof ApiError) return String(error.code);
    throw error;
  });
}

function indexOfSuccess(outcomes: readonly unknown[]): number {
  const winners = calls.filter((index) => typeof outcomes[index] !== 'string');
  expect(winners).toHaveLength(1);
  return winners[0] ?? -1;
}

const stored = async (client: Client, enterpriseNumber: string) =>
  (await client.customers.search({ enterpriseNumber })).records;

test('D-16 of 20 callers that create a customer with one enterprise number at once, one succeeds', async () => {
  const enterpriseNumber = newEnterpriseNumber();
  const ibans = calls.map(() => newIban());
  const outcomes = await race((index) =>
    clientOf(index).customers.create(
      newCustomer({ enterpriseNumber, bankAccounts: [{ iban: ibans[index] ?? '' }] }),
    ),
  );
  const success = indexOfSuccess(outcomes);
  const lost = calls.filter((index) => index !== success);
  for (const index of lost) {
    const sameFirm = index % 2 === success % 2;
    expect(outcomes[index]).toBe(sameFirm ? 'customerExists' : 'belongsToAnotherTenant');
  }
  expect(await stored(clientOf(success), enterpriseNumber)).toEqual([outcomes[success]]);
  expect(await stored(clientOf(success + 1), enterpriseNumber)).toEqual([]);
  // The others stored nothing: their IBANs are not in use.
  const bankAccounts = lost.map((index) => ({ iban: ibans[index] ?? '' }));
  await signedIn.client.customers.create(newCustomer({ bankAccounts }));
});

test('D-16 of 20 customers created with one IBAN at once, one is stored, and nothing of the others', async () => {
  const iban = newIban();
  const numbers = calls.map(() => newEnterpriseNumber());
  const outcomes = await race((index) =>
    clientOf(index).customers.create(
      newCustomer({
        enterpriseNumber: numbers[index] ?? '',
        bankAccounts: [{ iban: newIban() }, { iban }],
        payrollProviders: [{ code: 'ucm' }],
      }),
    ),
  );
  const success = indexOfSuccess(outcomes);
  for (const index of calls.filter((place) => place !== success)) {
    expect(outcomes[index]).toBe('ibanInUse');
    expect(await stored(clientOf(index), numbers[index] ?? '')).toEqual([]);
  }
  expect(await stored(clientOf(success), numbers[success] ?? '')).toEqual([outcomes[success]]);
});

test('D-16 of 20 customers to whom one IBAN is added at once, one gets it', {
  tags: 'long',
}, async () => {
  const iban = newIban();
  const customers: Customer[] = [];
  for (const index of calls) customers.push(await clientOf(index).customers.create(newCustomer()));
  const outcomes = await race((index) =>
    clientOf(index).customers.addBankAccount(customers[index]?.id ?? '', iban),
  );
  const success = indexOfSuccess(outcomes);
  for (const [index, { id }] of customers.entries()) {
    if (index !== success) expect(outcomes[index]).toBe('ibanInUse');
    const { bankAccounts } = await clientOf(index).customers.get(id);
    expect(bankAccounts).toEqual(index === success ? [outcomes[success]] : []);
  }
});

test('D-16 of customers with the same two IBANs in either order, one is stored and the others get 409', {
  tags: 'long',
}, async () => {
  const [first, second] = [newIban(), newIban()];
  const outcomes = await race((index) => {
    const order = index % 4 < 2 ? [first, second] : [second, first];
    return clientOf(index).customers.create(
      newCustomer({ bankAccounts: order.map((iban) => ({ iban })) }),
    );
  });
  const success = indexOfSuccess(outcomes);
  expect(outcomes.filter((_, index) => index !== success)).toEqual(Array(19).fill('ibanInUse'));
});

test('D-15 adding the same bank account 20 times at once adds one', async () => {
  const { customers } = signedIn.client;
  const { id } = await customers.create(newCustomer());
  const iban = newIban();
  const outcomes = await race(() => customers.addBankAccount(id, iban));
  expect((await customers.get(id)).bankAccounts).toEqual([outcomes[0]]);
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
});

test('D-15 adding the same payroll provider 20 times at once adds one', {
  tags: 'long',
}, async () => {
  const { customers } = signedIn.client;
  const { id } = await customers.create(newCustomer());
  const outcomes = await race(() => customers.addPayrollProvider(id, 'ucm'));
  expect((await customers.get(id)).payrollProviders).toEqual([outcomes[0]]);
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
});

test('D-15 of 20 callers that disable one bank account at once, one succeeds and the others get 404', {
  tags: 'long',
}, async () => {
  const { customers } = signedIn.client;
  const iban = newIban();
  const { id } = await customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  const outcomes = await race(() => customers.disableBankAccount(id, iban));
  indexOfSuccess(outcomes);
  expect(outcomes.filter((outcome) => outcome === 'notFound')).toHaveLength(19);
});

test('D-15 of 20 callers that archive one customer at once, one succeeds and the others get 404', async () => {
  const { customers } = signedIn.client;
  const { id } = await customers.create(newCustomer());
  const outcomes = await race(() => customers.archive(id));
  indexOfSuccess(outcomes);
  expect(outcomes.filter((outcome) => outcome === 'notFound')).toHaveLength(19);
});

test('D-16 a bank account added while the customer is archived does not keep its IBAN', async () => {
  const { customers } = signedIn.client;
  for (let round = 0; round < 5; round += 1) {
    const iban = newIban();
    const { id } = await customers.create(newCustomer());
    await Promise.allSettled([
      customers.addBankAccount(id, iban),
      customers.archive(id),
      customers.addBankAccount(id, iban),
    ]);
    await expect(customers.get(id)).rejects.toMatchObject({ code: 'notFound' });
    const { bankAccounts } = await customers.create(newCustomer({ bankAccounts: [{ iban }] }));
    expect(bankAccounts).toHaveLength(1);
  }
});

test('D-14 concurrent updates of different fields are all stored', async () => {
  const { customers } = signedIn.client;
  const { id } = await customers.create(newCustomer());
  await Promise.all([
    customers.update(id, { name: 'Nieuw' }),
    customers.update(id, { accountingRef: 'N-1' }),
    customers.update(id, { address: { street: 'Kerkstraat 1' } }),
    customers.update(id, { address: { zipCode: '1000' } }),
    customers.update(id, { contact: { language: 'fr' } }),
    customers.addPayrollProvider(id, 'ucm'),
  ]);
  expect(await customers.get(id)).toMatchObject({
    name: 'Nieuw',
    accountingRef: 'N-1',
    address: { street: 'Kerkstraat 1', zipCode: '1000' },
    contact: { language: 'fr' },
    payrollProviders: [{ code: 'ucm' }],
  });
});
