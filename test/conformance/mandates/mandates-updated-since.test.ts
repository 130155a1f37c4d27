import type { Mandate } from '@adx/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadMandate } from '../../support/lead-mandate.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { startSignedInService } from '../../support/signed-in-service.js';

/** The instants at which the mandates of these tests changed. */
const early = '2026-03-02T07:59:59.999Z';
const late = '2026-03-02T08:00:00.120Z';

const signedIn = await startSignedInService();
afterAll(() => signedIn.service.close());
beforeAll(async () => {
  const { customers, mandates } = signedIn.client;
  const { id: customerId } = await customers.create(
    newCustomer({ bankAccounts: [{ iban: newIban() }, { iban: newIban() }] }),
  );
  const { records } = await mandates.search({ customerId });
  for (const [index, updated_on] of [early, late].entries()) {
    const id = records[index]?.id ?? '';
    await signedIn.service.knex('mandates').where({ id }).update({ updated_on });
  }
});

/** Returns the instants at which the found mandates changed, earliest first. */
async function changedSince(updatedSince: string): Promise<string[]> {
  const { records } = await signedIn.client.mandates.search({
    updatedSince,
    sort: 'updatedOn',
    sortDirection: 'asc',
    includeFinished: true,
  });
  return records.map(({ updatedOn }) => updatedOn);
}

test.each([
  ['2026-03-02T07:59:59.999Z', [early, late]],
  ['2026-03-02T08:00:00.000Z', [late]],
  ['2026-03-02T08:00:00.120Z', [late]],
  ['2026-03-02T08:00:00.121Z', []],
  ['2026-03-02T08:00:00Z', [late]],
  ['2026-03-02T08:00:00.1Z', [late]],
  ['2026-03-02T08:00:00.13Z', []],
])('§4.15 updatedSince %s finds changes at or after it', async (updatedSince, found) => {
  expect(await changedSince(updatedSince)).toEqual(found);
});

test.each([
  '2026-03-02T09:00:00.120+01:00',
  '2026-03-02T08:00:00.120+00:00',
  '2026-03-02T08:00:00.120-00:00',
  '2026-03-02T02:30:00.120-05:30',
  '2026-03-03T07:59:00.120+23:59',
  '2026-03-01T08:01:00.120-23:59',
  '2026-03-02T09:00:00.120+0100',
  '2026-03-02T09:00:00.120+01',
  '2026-03-02t08:00:00.120z',
  '2026-03-02T08:00:00.120000000000Z',
])('§4.15 updatedSince %s is the same instant in another form', async (updatedSince) => {
  expect(await changedSince(updatedSince)).toEqual([late]);
  expect(await changedSince(updatedSince.replace('.120', '.121'))).toEqual([]);
});

test.each(['.1201', '.120999', '.1209999999999999999'])(
  '§4.15 updatedSince: %s seconds find a change whose time was truncated to .120',
  async (fraction) => {
    expect(await changedSince(`2026-03-02T08:00:00${fraction}Z`)).toEqual([late]);
  },
);

test.each([
  ['0000-01-01T00:00:00Z', 2],
  ['0000-01-01T00:00:00+23:59', 2],
  ['0001-01-01T00:00:00+00:01', 2],
  ['1969-12-31T23:59:59.9999Z', 2],
  ['2016-12-31T23:59:60Z', 2],
  ['2016-12-31T23:59:60.5Z', 2],
  ['2028-02-29T12:00:00Z', 0],
  ['9999-12-31T23:59:59.9999999Z', 0],
  ['9999-12-31T23:59:59-23:59', 0],
  [`2026-03-02T08:00:00.12${'0'.repeat(10_000)}Z`, 1],
])('§4.15 updatedSince: the unusual instant %.40s is accepted', async (text, count) => {
  expect(await changedSince(text)).toHaveLength(count);
});

test.each([
  '',
  'yesterday',
  '2026-03-02',
  '2026-03-02T08:00:00',
  '2026-03-02T08:00Z',
  '2026-03-02T08:00:00,5Z',
  '2026-03-02T08:00:00.Z',
  '2026-02-29T08:00:00Z',
  '2026-02-31T08:00:00Z',
  '2026-03-00T08:00:00Z',
  '2026-03-32T08:00:00Z',
  '2026-13-01T08:00:00Z',
  '2026-00-01T08:00:00Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T29:00:00Z',
  '2026-03-02T08:60:00Z',
  '2026-03-02T08:00:61Z',
  '2026-03-02T08:00:60Z',
  '2026-03-02T23:59:60+05:00',
  '2026-03-02T08:00:00+24:00',
  '2026-03-02T08:00:00+01:60',
  '2026-03-02T08:00:00+99:99',
  '2026-03-02T08:00:00 Europe/Brussels',
  '12026-03-02T08:00:00Z',
  '-0001-03-02T08:00:00Z',
  '1772438400000',
  ' 2026-03-02T08:00:00Z',
])('§4.15 updatedSince: %j is not an instant', async (updatedSince) => {
  await expect(signedIn.client.mandates.search({ updatedSince })).rejects.toMatchObject({
    status: 400,
    code: 'validationFailed',
    details: [
      {
        path: 'updatedSince',
        message: 'must match format "date-time", for example 2026-03-02T08:00:00+01:00',
      },
    ],
  });
});

test.each([1772438400000, null, ['2026-03-02T08:00:00Z'], {}])(
  '§4.15 updatedSince: %j is not a text',
  async (updatedSince) => {
    expect(await signedIn.call('searchMandates', { body: { updatedSince } })).toMatchObject({
      status: 400,
      body: { error: 'validationFailed', details: [{ path: 'updatedSince' }] },
    });
  },
);

/** Polls as a partner does: each call returns the changes since the one before. */
function createPoller() {
  const seen = new Map<string, string>();
  let updatedSince = new Date(Date.now() - 1).toISOString();
  const poll = async (): Promise<Mandate[]> => {
    const { records } = await signedIn.client.mandates.search({
      updatedSince,
      includeFinished: true,
      sort: 'updatedOn',
      sortDirection: 'asc',
      limit: 200,
    });
    updatedSince = records.at(-1)?.updatedOn ?? updatedSince;
    const news = records.filter(({ id, updatedOn }) => seen.get(id) !== updatedOn);
    for (const { id, updatedOn } of news) seen.set(id, updatedOn);
    return news;
  };
  return { seen, poll };
}

test('§6 polling: creation, every step and a new name of the customer are changes', async () => {
  const { customers } = signedIn.client;
  const { poll: next } = createPoller();
  await next();
  const { id } = await customers.create(newCustomer({ payrollProviders: [{ code: 'sdworx' }] }));
  const [created] = await next();
  expect(created).toMatchObject({ customerId: id, status: 'created' });
  await leadMandate(signedIn.service, created?.id ?? '', 'waitingForSigner');
  expect(await next()).toMatchObject([{ customerId: id, status: 'waitingForSigner' }]);
  await leadMandate(signedIn.service, created?.id ?? '', 'finished');
  expect(await next()).toMatchObject([{ customerId: id, status: 'finished' }]);
  await customers.update(id, { name: 'Anders' });
  expect(await next()).toMatchObject([{ customerId: id, customerName: 'Anders' }]);
  await customers.update(id, { accountingRef: 'anders' });
  expect(await next()).toEqual([]);
});

test('§6, D-26 polling: no change is missed while many are made concurrently', async () => {
  const { customers } = signedIn.client;
  const [first, second] = await Promise.all([1, 2].map(() => customers.create(newCustomer())));
  const ibans = Array.from({ length: 40 }, () => newIban());
  const { seen, poll } = createPoller();
  let isDone = false;
  const watching = (async () => {
    while (!isDone) await poll();
    await poll();
  })();
  // So many that they wait for each other, but not longer than a call may take.
  const lanes = Array.from({ length: 8 }, (_, lane) => ibans.filter((_iban, i) => i % 8 === lane));
  await Promise.all(
    lanes.map(async (lane, index) => {
      const { id = '' } = (index % 2 ? first : second) ?? {};
      for (const iban of lane) await customers.addBankAccount(id, iban);
    }),
  );
  isDone = true;
  await watching;
  const ids = await signedIn.service.knex('mandates').whereIn('iban', ibans).pluck<string[]>('id');
  expect(ids).toHaveLength(40);
  expect(ids.filter((id) => !seen.has(id))).toEqual([]);
});
