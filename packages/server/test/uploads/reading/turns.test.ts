import { expect, test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { createLogger } from '../../../src/logger.js';
import { createUploadReader } from '../../../src/uploads/reading/read-turn.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { signal } from '../../jobs/jobs-database.js';
import { newIban } from '../../support/belgian-iban.js';
import { codaFile } from '../sample-files.js';
import { setUpUploads, withStore } from '../set-up-uploads.js';
import {
  createSecondFirm,
  longFile,
  outcomes,
  readTurn,
  startReading,
  stopClock,
} from './reading-turns.js';

const logger = createLogger('silent');

test('D-38 while a long file of one firm is read, its first statements and those of another firm are listed', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const other = await createSecondFirm(work);
  let listedBefore = 0;
  let isUploaded = false;
  const changed = withStore(work, {
    async put(bucket, key, ...parameters) {
      if (!isUploaded) {
        isUploaded = true;
        await other.upload('short.cod');
        await scanUploads(work, work.now());
      }
      if ((await outcomes(work)).length === 0) {
        listedBefore = (await work.files()).filter(
          ({ firm_id }) => firm_id !== other.firmId,
        ).length;
      }
      await work.storage.store.put(bucket, key, ...parameters);
    },
  });
  await work.upload('CODA', 'long.cod', longFile(iban, 200));
  await startReading(changed, { concurrency: 1, turnMs: 0 });
  await eventually(async () => (await outcomes(work)).length === 2);
  expect(await outcomes(work)).toEqual(['short.cod', 'long.cod']);
  expect(listedBefore).toBeGreaterThan(0);
  expect(await work.files()).toHaveLength(201);
});

test('D-38 a file that is not read to its end in a turn is due at once, behind the others of its firm', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  await work.upload('CODA', 'long.cod', longFile(iban, 120));
  await scanUploads(work, work.now());
  await work.upload('CODA', 'short.cod', codaFile({ iban, number: 121 }));
  await work.knex('uploads').update({ size: 4 * 2 ** 20 });
  await scanUploads(work, work.now());
  await work.knex('graphile_worker._private_jobs').delete();
  await readTurn(work, work.principal.firmId, 0);
  expect(await work.knex('graphile_worker.jobs')).toHaveLength(1);
  expect(await work.knex('uploads').where({ checkpoint: 50 }).first()).toMatchObject({
    attempts: 0,
  });
  await readTurn(work, work.principal.firmId, 0);
  expect(await outcomes(work)).toEqual(['short.cod']);
  await readTurn(work, work.principal.firmId);
  expect(await outcomes(work)).toEqual(['short.cod', 'long.cod']);
});

test('D-38 the files of a firm that waits for the storage occupy one place of the reading pool', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  const other = await createSecondFirm(work);
  const changed = withStore(work, {
    async put(bucket, key, ...parameters) {
      if (key.includes(customerId)) await eventually(async () => (await outcomes(work)).length > 0);
      await work.storage.store.put(bucket, key, ...parameters);
    },
  });
  for (let number = 1; number <= 12; number += 1) {
    await work.upload('CODA', `${number}.cod`, codaFile({ iban, number }));
  }
  await scanUploads(work, work.now());
  await other.upload('short.cod');
  await startReading(changed, { concurrency: 2, turnMs: 0 });
  await eventually(async () => (await outcomes(work)).length === 13);
  expect((await outcomes(work))[0]).toBe('short.cod');
});

test('D-38 one job of a firm reads at a time, in all workers together', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const other = await createSecondFirm(work);
  const most = new Map<string, number>();
  const changed = withStore(work, {
    async get(...parameters) {
      const { rows } = await work.knex.raw<{ rows: { firmId: string; running: number }[] }>(
        `select j.payload ->> 'firmId' as "firmId", count(*)::int as running
           from graphile_worker._private_jobs j
           join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier = 'readUploads' and j.locked_at is not null group by 1`,
      );
      for (const { firmId, running } of rows) {
        most.set(firmId, Math.max(running, most.get(firmId) ?? 0));
      }
      return work.storage.store.get(...parameters);
    },
  });
  await startReading(changed, { concurrency: 4, turnMs: 0 });
  await startReading(changed, { concurrency: 4, turnMs: 0 });
  for (let number = 1; number <= 30; number += 1) {
    await work.upload('CODA', `${number}.cod`, codaFile({ iban, number }));
    if (number % 5 === 0) await other.upload(`${number}.cod`);
  }
  await eventually(async () => (await outcomes(work)).length === 36);
  expect([...most]).toEqual(
    expect.arrayContaining([
      [work.principal.firmId, 1],
      [other.firmId, 1],
    ]),
  );
});

test('D-38 uploads of no grant are read too, and one that is gone gets its outcome', async () => {
  const work = await setUpUploads();
  const loose = await work.upload('CODA', 'uploads/loose.cod', codaFile({ iban: newIban() }));
  const gone = await work.upload('CODA', 'gone.cod', codaFile({ iban: newIban() }));
  await scanUploads(work, work.now());
  const { store, buckets } = work.storage;
  await store.remove(buckets.codaUploads, gone);
  await readTurn(work, null);
  expect(await outcomes(work)).toEqual(['loose.cod']);
  // Due by the clock of the database, whatever that of the process.
  await readTurn({ ...work, now: () => new Date(0) }, work.principal.firmId);
  const uploads = await work.uploads();
  const found = uploads.map(({ object_key, status, findings }) => [object_key, status, findings]);
  expect(found).toEqual(
    expect.arrayContaining([
      [loose, 'rejected', [expect.objectContaining({ code: 'unknownGrant' })]],
      [gone, 'rejected', [expect.objectContaining({ code: 'uploadGone' })]],
    ]),
  );
});

test('D-38 a process reads one upload of more than 4 MiB at a time; another one waits without a place, and small ones are read', async () => {
  const work = await setUpUploads();
  const other = await createSecondFirm(work);
  const large = Buffer.alloc(4 * 2 ** 20 + 1, 'x');
  await work.upload('CODA', 'large-1.cod', large);
  const key = await other.upload('large-2.cod');
  await work.storage.store.put(work.storage.buckets.codaUploads, key, large, 'x/y');
  for (const number of [1, 2, 3]) await other.upload(`${number}.cod`);
  const tooLarge = await other.upload('too-large.cod');
  await scanUploads(work, work.now());
  await work
    .knex('uploads')
    .where({ object_key: tooLarge })
    .update({ size: 26 * 2 ** 20 });
  const reached = signal();
  const finish = signal();
  const small = signal();
  let open = 0;
  const changed = withStore(work, {
    async get(bucket, name) {
      if (name.includes('large-1')) {
        reached.give();
        await finish.given;
      } else if (bucket === work.storage.buckets.codaUploads) {
        // All small ones are open at once.
        open += 1;
        if (open === 3) small.give();
        await small.given;
      }
      return work.storage.store.get(bucket, name);
    },
  });
  // The turn goes on until only the large one is left, also on a busy machine.
  const reader = createUploadReader({ ...changed, logger, turnMs: 600_000 });
  const first = reader.readTurn(work.principal.firmId);
  await reached.given;
  await reader.readTurn(other.firmId);
  expect((await outcomes(work)).sort()).toEqual(['1.cod', '2.cod', '3.cod', 'too-large.cod']);
  const waiting = await work
    .knex('graphile_worker.jobs')
    .where({ key: `readUploads:${other.firmId}` });
  expect(waiting).toHaveLength(1);
  finish.give();
  await first;
  await reader.readTurn(other.firmId);
  expect((await outcomes(work)).slice(4)).toEqual(['large-1.cod', 'large-2.cod']);
});

test('D-38 firms with uploads of more than 4 MiB take turns, however many of them one firm has', async () => {
  const work = await setUpUploads();
  const other = await createSecondFirm(work);
  const large = Buffer.alloc(4 * 2 ** 20 + 1, 'x');
  // Otherwise a firm would lose its place on a slow machine, after five seconds.
  stopClock();
  for (const number of [1, 2, 3]) await work.upload('CODA', `flood-${number}.cod`, large);
  const key = await other.upload('other.cod');
  await work.storage.store.put(work.storage.buckets.codaUploads, key, large, 'x/y');
  await scanUploads(work, work.now());
  const reached = signal();
  const finish = signal();
  const changed = withStore(work, {
    async get(bucket, name) {
      if (name.includes('flood')) {
        reached.give();
        await finish.given;
      }
      return work.storage.store.get(bucket, name);
    },
  });
  // Each turn reads one large upload.
  const reader = createUploadReader({ ...changed, logger, turnMs: 0 });
  const first = reader.readTurn(work.principal.firmId);
  await reached.given;
  await reader.readTurn(other.firmId);
  finish.give();
  await first;
  // The firm comes back before the other one has ended its pause.
  await reader.readTurn(work.principal.firmId);
  await reader.readTurn(other.firmId);
  await reader.readTurn(work.principal.firmId);
  expect(await outcomes(work)).toEqual(['flood-1.cod', 'other.cod', 'flood-2.cod']);
});

test('D-38 a firm that waits for a large upload loses its place if it does not come back', async () => {
  const work = await setUpUploads();
  const other = await createSecondFirm(work);
  const elapse = stopClock();
  for (const number of [1, 2]) await work.upload('CODA', `${number}.cod`, Buffer.from('x'));
  await other.upload('other.cod');
  await scanUploads(work, work.now());
  await work.knex('uploads').update({ size: 5 * 2 ** 20 });
  const asked = signal();
  const changed = withStore(work, {
    async get(...parameters) {
      await asked.given;
      return work.storage.store.get(...parameters);
    },
  });
  const reader = createUploadReader({ ...changed, logger, turnMs: 0 });
  const first = reader.readTurn(work.principal.firmId);
  await eventually(async () => (await work.knex('uploads').where({ attempts: 1 })).length === 1);
  await reader.readTurn(other.firmId);
  asked.give();
  await first;
  await reader.readTurn(work.principal.firmId);
  expect(await outcomes(work)).toEqual(['1.cod']);
  elapse(5_001);
  await reader.readTurn(work.principal.firmId);
  expect(await outcomes(work)).toEqual(['1.cod', '2.cod']);
});
