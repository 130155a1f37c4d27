import { expect, test } from 'vitest';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { signal } from '../../jobs/jobs-database.js';
import { newIban } from '../../support/belgian-iban.js';
import { codaFile } from '../sample-files.js';
import { setUpUploads, type Uploads, withStore } from '../set-up-uploads.js';
import { outcomes, readTurn } from './reading-turns.js';

/** Makes all uploads due now. */
const bringForward = ({ knex }: Uploads) =>
  knex('uploads').where({ status: 'received' }).update({ due_on: knex.fn.now() });

test('D-38 an upload that fails is tried again later, and does not hold up the others of its firm', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const bad = await work.upload('CODA', 'bad.cod', codaFile({ iban, number: 1 }));
  await work.upload('CODA', 'good.cod', codaFile({ iban, number: 2 }));
  const changed = withStore(work, {
    async get(bucket, key) {
      if (key === bad) throw new Error('the disk is broken');
      return work.storage.store.get(bucket, key);
    },
  });
  await scanUploads(work, work.now());
  const { firmId } = work.principal;
  let begun = Date.now();
  await readTurn(changed, firmId);
  expect(await outcomes(work)).toEqual(['good.cod']);
  const failed = () => work.knex('uploads').where({ object_key: bad }).first();
  expect(await failed()).toMatchObject({
    ...{ status: 'received', attempts: 1, last_error: 'the disk is broken' },
  });
  for (let attempt = 2; attempt <= 25; attempt += 1) {
    const before = await failed();
    expect(before.due_on.getTime()).toBeGreaterThan(begun + 1_000);
    expect(before.due_on.getTime()).toBeLessThan(Date.now() + 6.2 * 3_600_000);
    // It is not due yet. The first pauses are seconds, which a busy machine may need for a query.
    if (attempt > 6) await readTurn(changed, firmId);
    expect(await failed()).toEqual(before);
    await bringForward(work);
    begun = Date.now();
    await readTurn(changed, firmId);
    expect(await failed()).toMatchObject({ attempts: attempt });
  }
  await bringForward(work);
  await readTurn(work, firmId);
  expect(await failed()).toMatchObject({ status: 'received', attempts: 25 });
});

test('D-38 a turn whose failure cannot be recorded ends after its other uploads', async () => {
  const work = await setUpUploads();
  const bad = await work.upload('CODA', 'bad.cod', codaFile({ iban: newIban() }));
  await work.upload('CODA', 'good.cod', codaFile({ iban: newIban() }));
  await scanUploads(work, work.now());
  await work.knex.raw('alter table uploads rename last_error to unknown');
  const unrecorded = signal();
  work.knex.on('query-error', unrecorded.give);
  const events: string[] = [];
  const changed = withStore(work, {
    async get(bucket, key) {
      if (key === bad) throw new Error('the disk is broken');
      await unrecorded.given;
      const found = await work.storage.store.get(bucket, key);
      events.push('opened');
      return found;
    },
  });
  const turn = readTurn(changed, work.principal.firmId);
  await expect(turn).rejects.toThrow('last_error');
  events.push('ended');
  expect(events).toEqual(['opened', 'ended']);
});

/** Reads a turn in a process that is killed when it opens a file: from then on, no call returns. */
async function readUntilKilled(work: Uploads, deadly: string): Promise<void> {
  let kill = () => {};
  const killed = new Promise<void>((resolve) => {
    kill = resolve;
  });
  let isKilled = false;
  const changed = withStore(work, {
    async get(bucket, key) {
      if (key === deadly) {
        isKilled = true;
        kill();
      }
      return isKilled ? new Promise<never>(() => {}) : work.storage.store.get(bucket, key);
    },
  });
  await Promise.race([readTurn(changed, work.principal.firmId), killed]);
}

test('D-38 a file that kills its worker is given up after its attempts, and the others are read', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const put = (number: number) => work.upload('CODA', `${number}.cod`, codaFile({ iban, number }));
  const deadly = await put(1);
  for (const number of [2, 3]) await put(number);
  await scanUploads(work, work.now());
  const attempts = (name: string) =>
    work.knex('uploads').where('object_key', 'like', `%${name}`).first('status', 'attempts');
  await readUntilKilled(work, deadly);
  for (const name of ['1.cod', '2.cod', '3.cod']) {
    expect(await attempts(name)).toEqual({ status: 'received', attempts: 1 });
  }
  // It is tried again alone: neither an upload after it nor one before it loses an attempt.
  for (const [number, minutes] of [
    [4, 1],
    [5, -1],
  ] as const) {
    await bringForward(work);
    const key = await put(number);
    await scanUploads(work, work.now());
    const dueSince = (since: number, name: string) =>
      work.knex.raw(
        `update uploads set due_on = now() + ? * interval '1 minute' where object_key = ?`,
        [since, name],
      );
    await dueSince(-60, deadly);
    await dueSince(minutes - 60, key);
    await readUntilKilled(work, deadly);
    if (number === 4) expect(await attempts('4.cod')).toEqual({ status: 'received', attempts: 0 });
  }
  expect(await attempts('5.cod')).toEqual({ status: 'processed', attempts: 0 });
  expect(await attempts('1.cod')).toEqual({ status: 'received', attempts: 3 });
  for (let kill = 4; kill <= 26; kill += 1) {
    await bringForward(work);
    await readUntilKilled(work, deadly);
  }
  expect((await outcomes(work)).sort()).toEqual(['2.cod', '3.cod', '4.cod', '5.cod']);
  expect(await attempts('1.cod')).toEqual({ status: 'received', attempts: 25 });
});
