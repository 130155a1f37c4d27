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
