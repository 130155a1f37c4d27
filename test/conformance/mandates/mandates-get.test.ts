import type { Mandate, MandateStatus } from '@adx/contract';
import { afterAll, expect, test } from 'vitest';
import { setConnector } from '../../../packages/server/test/support/rows.js';
import { leadError, leadMandate } from '../../support/lead-mandate.js';
import { newCustomer } from '../../support/new-customer.js';
import { newEnterpriseNumber, newIban } from '../../support/numbers.js';
import { startSignedInService } from '../../support/signed-in-service.js';

const signedIn = await startSignedInService();
afterAll(() => signedIn.service.close());

const get = (id: string) => signedIn.client.mandates.get(id);

/** Returns the mandates of a new customer, in the order of its links. */
async function createMandates(links: Parameters<typeof newCustomer>[0]): Promise<Mandate[]> {
  const { id } = await signedIn.client.customers.create(newCustomer(links));
  const request = { customerId: id, sortDirection: 'asc' };
  return (await signedIn.client.mandates.search(request)).records;
}

async function createMandate(links: Parameters<typeof newCustomer>[0]): Promise<Mandate> {
  const [mandate] = await createMandates(links);
  if (mandate === undefined) throw new Error('There is no mandate');
  return mandate;
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const identifier = expect.stringMatching(/^[0-9a-f]{24}$/);

test('§2.6, D-10 get: returns a CODA mandate, without fields that have no value', async () => {
  const iban = newIban('096');
  const enterpriseNumber = newEnterpriseNumber();
  const links = { name: 'Bakkerij', enterpriseNumber, bankAccounts: [{ iban }] };
  const mandate = await createMandate(links);
  expect(await get(mandate.id)).toStrictEqual({
    id: identifier,
    product: 'CODA',
    status: 'created',
    customerId: identifier,
    customerName: 'Bakkerij',
    enterpriseNumber,
    iban,
    bic: 'GKCC BE BB',
    bankName: 'BELFIUS BANK',
    createdOn: time,
    updatedOn: time,
  });
  expect(await get(mandate.id)).toEqual(mandate);
});

test('§2.6, D-10 get: returns a CODB mandate with both names of its provider', async () => {
  const enterpriseNumber = newEnterpriseNumber();
  const links = { name: 'Bakkerij', enterpriseNumber };
  const { id } = await createMandate({ ...links, payrollProviders: [{ code: 'sdworx' }] });
  expect(await get(id)).toStrictEqual({
    id: identifier,
    product: 'CODB',
    status: 'created',
    customerId: identifier,
    customerName: 'Bakkerij',
    enterpriseNumber,
    payrollProviderCode: 'sdworx',
    payrollProviderNameFr: 'SD Worx Secrétariat Social',
    payrollProviderNameNl: 'SD Worx Sociaal Secretariaat',
    createdOn: time,
    updatedOn: time,
  });
});

test('D-17 get: a foreign account has neither BIC nor bank name', async () => {
  const { id } = await createMandate({ bankAccounts: [{ iban: 'NL91ABNA0417164300' }] });
  const mandate = await get(id);
  expect(mandate).toMatchObject({ status: 'unsupportedBank', iban: 'NL91ABNA0417164300' });
  expect(mandate).not.toHaveProperty('bic');
  expect(mandate).not.toHaveProperty('bankName');
});

test('§2.6 get: error details are present when the status is error, and only then', async () => {
  const links = { bankAccounts: [{ iban: newIban() }], payrollProviders: [{ code: 'acerta' }] };
  for (const { id } of await createMandates(links)) {
    await leadMandate(signedIn.service, id, 'error');
    expect(await get(id)).toMatchObject({ status: 'error', error: leadError });
    await signedIn.client.mandates.request(id);
    expect(await get(id)).not.toHaveProperty('error');
  }
});

test('§2.6 get: a consent of a light connector is a CODA mandate with the last day of its validity', async () => {
  await setConnector(signedIn.service.knex, 'KREDBEBB', 7);
  const { id } = await createMandate({ bankAccounts: [{ iban: newIban('435') }] });
  expect(await get(id)).toMatchObject({ product: 'CODA', status: 'created', connectorId: 7 });
  expect(await get(id)).not.toHaveProperty('validUntil');

  // Valid for 180 days in Belgian time, where it is already 3 March.
  const signedOn = new Date('2026-03-02T23:30:00Z');
  await leadMandate(signedIn.service, id, 'finished', signedOn);
  expect(await get(id)).toMatchObject({ status: 'finished', validUntil: '2026-08-30' });
  await leadMandate(signedIn.service, id, 'renewalRequired', signedOn);
  expect(await get(id)).toMatchObject({ status: 'renewalRequired', validUntil: '2026-08-30' });
});

const ofBoth: readonly MandateStatus[] = [
  ...(['created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'finished', 'error'] as const),
];
const reachable: readonly (readonly [product: 'CODA' | 'CODB', status: MandateStatus])[] = [
  ...ofBoth.flatMap((status) => [['CODA', status] as const, ['CODB', status] as const]),
  ['CODA', 'waitingForBank'],
  ['CODA', 'confirmedByBank'],
  ['CODA', 'rejectedByBank'],
  ['CODB', 'waitingForPayrollProvider'],
  ['CODB', 'rejectedByPayrollProvider'],
];

test.each(reachable)('§3 get and search: a %s mandate in status %s', async (product, status) => {
  const links =
    product === 'CODA'
      ? { bankAccounts: [{ iban: newIban() }] }
      : { payrollProviders: [{ code: 'securex' }] };
  const { id, updatedOn } = await createMandate(links);
  await leadMandate(signedIn.service, id, status);
  const mandate = await get(id);
  expect(mandate).toMatchObject({ id, product, status });
  if (status !== 'created') expect(mandate.updatedOn > updatedOn).toBe(true);
  const { customerId } = mandate;
  const { records } = await signedIn.client.mandates.search({ customerId, includeFinished: true });
  expect(records).toEqual([mandate]);
});

test('D-12 get: an identifier is accepted in capitals', async () => {
  const { id } = await createMandate({ bankAccounts: [{ iban: newIban() }] });
  expect(await get(id.toUpperCase())).toMatchObject({ id });
});
