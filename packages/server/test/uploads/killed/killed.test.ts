import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { DAY } from '../../../src/dates/brussels-day.js';
import { removeDueObjects } from '../../../src/files/object-removals.js';
import { newObjectId } from '../../../src/identifiers/object-id.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { waitUntilBlocked } from '../../mandates/wait-until-blocked.js';
import { keysOf } from '../../storage/open-test-storage.js';
import { readDue } from '../reading/run-reading.js';
import { codaFile } from '../sample-files.js';
import {
  readById,
  setUpAccount,
  setUpUploads,
  type Uploads,
  withStore,
} from '../set-up-uploads.js';
import { failAt } from './fail-at-call.js';

/**
 * Reads uploads while storage and database fail at their n-th call, for n from 1 until it is never
 * reached.
 */
async function killAtEveryCall(
  work: Uploads,
  moment: 'before' | 'after',
  prepare: (round: number) => Promise<unknown>,
  check: (round: number) => Promise<void>,
): Promise<number> {
  for (let call = 1; ; call += 1) {
    await prepare(call);
    const failing = failAt(work, call, moment);
    const error = await work.readAll(failing).catch((reason) => reason);
    if (failing.hasFailed()) expect(error).toEqual(new Error('killed'));
    else expect(error).toBeUndefined();
    // The job of a killed worker runs again.
    for (const { id } of await work.uploads()) await readById(work, id);
    await work.readAll();
    await check(call);
    if (!failing.hasFailed()) return call;
  }
}

test.each(['before', 'after'] as const)(
  '§9 killed %s any call of the storage or a transaction, an upload is listed once and removed',
  async (moment) => {
    const { work, iban } = await setUpAccount();
    const calls = await killAtEveryCall(
      work,
      moment,
      async (number) => {
        await work.upload('CODA', 'a.cod', codaFile({ iban, number }));
      },
      async (number) => {
        const numbers = (await work.files()).map(({ statement_number }) => statement_number);
        expect(numbers).toEqual(Array.from({ length: number }, (_, i) => i + 1));
        expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
        await removeDueObjects(work, new Date(Date.now() + 2 * DAY));
        expect(await keysOf(work.storage, 'files')).toHaveLength(2 * number);
      },
    );
    expect(calls).toBeGreaterThan(7);
  },
);

test.each(['before', 'after'] as const)(
  '§9 killed %s any call of the storage or a transaction, a refused statement is kept and the good one is listed',
  async (moment) => {
    const { work, iban } = await setUpAccount();
    const calls = await killAtEveryCall(
      work,
      moment,
      (number) =>
        work.upload('CODA', 'a.cod', codaFile({ iban, number }, { iban: newIban(), number })),
      async (number) => {
        expect(await work.files()).toHaveLength(number);
        const uploads = await work.uploads();
        expect(uploads.map(({ status }) => status)).toEqual(Array(number).fill('rejected'));
        expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
        expect(await keysOf(work.storage, 'files', 'rejected/')).toHaveLength(2 * number);
      },
    );
    expect(calls).toBeGreaterThan(8);
  },
);

test('§9 when the transaction fails, no statement of a delivery is listed and no mandate is finished', async () => {
  const work = await setUpUploads();
  const [iban, other] = [newIban(), newIban()];
  const customerId = await work.create({ ibans: [iban, other] });
  await work.setStatus(customerId, 'waitingForBank');
  const file = codaFile({ iban }, { iban: other });
  const coverage: typeof work.coverage = {
    ...work.coverage,
    async delivered(...parameters) {
      await work.coverage.delivered(...parameters);
      throw new Error('killed');
    },
  };
  await expect(work.deliver(file, { coverage })).rejects.toThrow('killed');
  expect(await work.files()).toEqual([]);
  expect(await work.uploads()).toEqual([]);
  expect(await work.statuses(customerId)).toEqual(['waitingForBank', 'waitingForBank']);
  await work.deliver(file);
  expect(await work.files()).toHaveLength(2);
  expect(await work.statuses(customerId)).toEqual(['finished', 'finished']);
});

test('§9 processes that read the same uploads at once list every statement once', async () => {
  const work = await setUpUploads();
  const ibans = Array.from({ length: 6 }, () => newIban());
  for (const iban of ibans) await work.create({ ibans: [iban] });
  const statements = ibans.map((iban) => ({ iban }));
  await work.upload('CODA', 'a.cod', codaFile(...statements));
  await work.upload('CODA', 'b.cod', codaFile(...statements.toReversed()));
  await Promise.all([work.readAll(), work.readAll(), work.readAll()]);
  const files = await work.files();
  expect(files.map(({ customer_id }) => customer_id)).toHaveLength(ibans.length);
  expect(new Set(files.map(({ customer_id }) => customer_id)).size).toBe(ibans.length);
  const uploads = await work.uploads();
  expect(uploads.map(({ status }) => status)).toEqual(['processed', 'processed']);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
});

test('§9 of two uploads with the same statement, the second waits until the first has listed it', async () => {
  const { work, iban, customerId } = await setUpAccount();
  for (const name of ['a.cod', 'b.cod']) await work.upload('CODA', name, codaFile({ iban }));
  await scanUploads(work, work.now());
  const holding = await work.knex.transaction();
  const list = { customer_id: customerId, firm_id: work.principal.firmId, product: 'CODA' };
  await holding('file_arrivals').insert({ ...list, latest: 0 });
  const turn = readDue(work);
  await waitUntilBlocked(work.knex, 2);
  await holding.commit();
  await turn;
  expect(await work.files()).toHaveLength(1);
  const uploads = await work.uploads();
  expect(uploads.map(({ status }) => status)).toEqual(['processed', 'processed']);
});

test.each(['read', 'removed'] as const)(
  '§9 an upload that replaces one that is being %s is read separately',
  async (replaced) => {
    const { work, iban } = await setUpAccount();
    const replace = () => work.upload('CODA', 'a.cod', codaFile({ iban, number: 2 }));
    const key = await work.upload('CODA', 'a.cod', codaFile({ iban, number: 1 }));
    const { store, buckets } = work.storage;
    const changed = withStore(work, {
      async get(...parameters) {
        const found = await store.get(...parameters);
        if (replaced === 'read') await replace();
        return found;
      },
      async remove(bucket, ...parameters) {
        if (replaced === 'removed' && bucket === buckets.codaUploads) await replace();
        await store.remove(bucket, ...parameters);
      },
    });
    await work.readAll(changed);
    expect(await keysOf(work.storage, 'codaUploads')).toEqual([key]);
    await work.readAll();
    const numbers = (await work.files()).map(({ statement_number }) => statement_number);
    expect(numbers).toEqual([1, 2]);
    expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
  },
);

test('§9 an upload that was replaced before it was read is rejected; the new one is listed', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'a.cod', codaFile({ iban, number: 1 }));
  const changed = withStore(work, {
    async get(bucket, key) {
      await work.upload('CODA', 'a.cod', codaFile({ iban, number: 2 }));
      return work.storage.store.get(bucket, key);
    },
  });
  await work.readAll(changed);
  expect(await work.codes()).toEqual(['uploadGone']);
  await work.readAll();
  expect(await work.files()).toMatchObject([{ statement_number: 2 }]);
});

test('§9 the same bytes put again before they are removed are a separate upload', async () => {
  const { work, iban } = await setUpAccount();
  const key = await work.upload('CODA', 'a.cod', codaFile({ iban }));
  await scanUploads(work, work.now());
  // Dates the first upload five seconds back, so that the two have different times.
  const [id, received_on] = [newObjectId(), new Date(Date.now() - 5_000)];
  await work.knex('uploads').update({ id, received_on });
  await readById(work, id);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([key]);
  await work.readAll();
  expect(await work.uploads()).toMatchObject([
    { status: 'processed', findings: [] },
    { status: 'processed', findings: [{ code: 'alreadyListed' }] },
  ]);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([]);
});
