import type { SearchMandatesRequest } from '@adx/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadMandate } from '../../support/lead-mandate.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { startSignedInService } from '../../support/signed-in-service.js';

const bakeryIban = newIban('096');
const foreignIban = 'NL91ABNA0417164300';
const signedIn = await startSignedInService();
afterAll(() => signedIn.service.close());
const bakery = await signedIn.client.customers.create(
  newCustomer({
    name: 'Bakkerij De Gouden Korst',
    enterpriseNumber: '0765.432.146',
    bankAccounts: [{ iban: bakeryIban }, { iban: newIban('435') }],
    payrollProviders: [{ code: 'sdworx' }],
  }),
);
const garage = await signedIn.client.customers.create(
  newCustomer({
    name: 'Garage Dubois',
    bankAccounts: [{ iban: foreignIban }],
    payrollProviders: [{ code: '***other***' }, { code: 'sdworx' }],
  }),
);

beforeAll(async () => {
  const { records } = await signedIn.client.mandates.search({ customerId: bakery.id });
  for (const { id, ...mandate } of records) {
    const isOfProvider = mandate.product === 'CODB';
    if (isOfProvider) await leadMandate(signedIn.service, id, 'waitingForSigner');
    else if (mandate.iban !== bakeryIban) await leadMandate(signedIn.service, id, 'finished');
  }
});

/** Returns the customer, product and status of each result, in the order of creation. */
async function find(request: SearchMandatesRequest, { client } = signedIn): Promise<string[]> {
  const { records } = await client.mandates.search({ sortDirection: 'asc', ...request });
  return records.map(
    ({ customerName, product, status }) => `${customerName.split(' ', 1)[0]} ${product} ${status}`,
  );
}

const bakeryCoda = 'Bakkerij CODA created';
const bakeryActive = 'Bakkerij CODA finished';
const bakeryCodb = 'Bakkerij CODB waitingForSigner';
const garageCoda = 'Garage CODA unsupportedBank';
const garageOther = 'Garage CODB unsupportedPayrollProvider';
const garageCodb = 'Garage CODB created';
const unfinished = [bakeryCoda, bakeryCodb, garageCoda, garageOther, garageCodb];
const every = [bakeryCoda, bakeryActive, bakeryCodb, garageCoda, garageOther, garageCodb];

test('§4.15 search: an empty body finds all mandates except finished ones', async () => {
  expect(await find({})).toEqual(unfinished);
  const { status, body } = await signedIn.call('searchMandates', { body: {} });
  expect(status).toBe(200);
  expect(body).toMatchObject({ recordsTotal: 6, recordsFiltered: 5 });
});

test('§2.9 search: recordsTotal counts before the filters, recordsFiltered after them', async () => {
  const totals = async (request: SearchMandatesRequest) => {
    const { records, ...rest } = await signedIn.client.mandates.search(request);
    return { ...rest, records: records.length };
  };
  expect(await totals({ includeFinished: true })).toEqual(counts(6, 6, 6));
  expect(await totals({ product: 'CODB' })).toEqual(counts(6, 3, 3));
  expect(await totals({ product: 'CODB', limit: 2 })).toEqual(counts(6, 3, 2));
  expect(await totals({ product: 'CODB', limit: 2, offset: 2 })).toEqual(counts(6, 3, 1));
  expect(await totals({ product: 'CODB', offset: 3 })).toEqual(counts(6, 3, 0));
  expect(await totals({ payrollProviderCode: 'nobody' })).toEqual(counts(6, 0, 0));
});

function counts(recordsTotal: number, recordsFiltered: number, records: number) {
  return { recordsTotal, recordsFiltered, records };
}

test.each<readonly [filters: () => SearchMandatesRequest, found: readonly string[]]>([
  [() => ({ includeFinished: true }), every],
  [() => ({ includeFinished: false }), unfinished],
  [() => ({ customerId: bakery.id }), [bakeryCoda, bakeryCodb]],
  [() => ({ customerId: bakery.id.toUpperCase() }), [bakeryCoda, bakeryCodb]],
  [() => ({ customerId: 'f'.repeat(24) }), []],
  [() => ({ enterpriseNumber: '0765.432.146' }), [bakeryCoda, bakeryCodb]],
  [() => ({ enterpriseNumber: garage.enterpriseNumber }), [garageCoda, garageOther, garageCodb]],
  [() => ({ enterpriseNumber: '0403.019.261' }), []],
  [() => ({ iban: bakeryIban }), [bakeryCoda]],
  [() => ({ iban: bakeryIban.toLowerCase().replace(/.{4}/g, '$& ') }), [bakeryCoda]],
  [() => ({ iban: ` ${foreignIban} ` }), [garageCoda]],
  ...['BE00', ' ', 'BE71 0961 2345 6760', '%'].map((iban) => [() => ({ iban }), []] as const),
  [() => ({ payrollProviderCode: 'sdworx' }), [bakeryCodb, garageCodb]],
  [() => ({ payrollProviderCode: '***other***' }), [garageOther]],
  [() => ({ payrollProviderCode: 'SDWORX' }), []],
  [() => ({ product: 'CODA' }), [bakeryCoda, garageCoda]],
  [() => ({ product: 'CODB' }), [bakeryCodb, garageOther, garageCodb]],
  [() => ({ status: 'created' }), [bakeryCoda, garageCodb]],
  [() => ({ status: 'waitingForSigner' }), [bakeryCodb]],
  [() => ({ status: 'expired' }), []],
  [() => ({ status: ['unsupportedBank', 'waitingForSigner'] }), [bakeryCodb, garageCoda]],
  [() => ({ status: ['created', 'created'] }), [bakeryCoda, garageCodb]],
  // Finished ones are excluded unless includeFinished is true, also by status (D-10).
  [() => ({ status: 'finished', includeFinished: false }), []],
  [() => ({ status: ['finished', 'created'], includeFinished: false }), [bakeryCoda, garageCodb]],
  [() => ({ status: 'finished', includeFinished: true }), [bakeryActive]],
  [() => ({ status: 'created', includeFinished: true }), [bakeryCoda, garageCodb]],
  // A mandate must match every filter.
  [() => ({ customerId: garage.id, payrollProviderCode: 'sdworx' }), [garageCodb]],
  [() => ({ customerId: garage.id, iban: bakeryIban }), []],
  [() => everyFilter(), [bakeryCoda]],
  [() => ({ ...everyFilter(), payrollProviderCode: 'sdworx' }), []],
])('§4.15, D-10 search: %s finds %j', async (filters, found) => {
  expect(await find(filters())).toEqual(found);
});

const everyFilter = (): SearchMandatesRequest => ({
  customerId: bakery.id,
  enterpriseNumber: bakery.enterpriseNumber,
  iban: bakeryIban,
  product: 'CODA',
  status: ['created'],
  includeFinished: true,
  updatedSince: bakery.createdOn,
});

test('D-10 client: a search for finished ones includes them', async () => {
  expect(await find({ status: 'finished' })).toEqual([bakeryActive]);
  const undecided: object = { status: 'finished', includeFinished: undefined };
  expect(await find(undecided)).toEqual([bakeryActive]);
  expect(await find({ status: ['finished', 'created'] })).toEqual(
    await find({ status: ['finished', 'created'], includeFinished: true }),
  );
});
