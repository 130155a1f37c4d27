import { expect, test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { newIban } from '../../../../../test/support/numbers.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { signal } from '../../jobs/jobs-database.js';
import { codaFile } from '../sample-files.js';
import { setUpAccount, setUpUploads, withStore } from '../set-up-uploads.js';
import { createSecondFirm, longFile, outcomes, readDue, startReading } from './run-reading.js';

test('D-38 while a long file of one firm is read, its first statements and those of another firm are listed', async () => {
  const { work, iban } = await setUpAccount();
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
  await work.upload('CODA', 'long.cod', longFile(iban, 110));
  await startReading(changed, { concurrency: 1, turnMs: 0 });
  await eventually(async () => (await outcomes(work)).length === 2);
  expect(await outcomes(work)).toEqual(['short.cod', 'long.cod']);
  expect(listedBefore).toBeGreaterThan(0);
  expect(await work.files()).toHaveLength(111);
});

test('D-38 a file that is not read to its end goes on behind the others of its firm that wait', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'long.cod', longFile(iban, 110));
  await scanUploads(work, work.now());
  for (const number of [111, 112]) {
    await work.upload('CODA', `${number}.cod`, codaFile({ iban, number }));
  }
  await scanUploads(work, work.now());
  const checkpoints: number[] = [];
  const changed = withStore(work, {
    async get(...parameters) {
      checkpoints.push((await work.knex('uploads').max('checkpoint'))[0]?.['max'] ?? -1);
      return work.storage.store.get(...parameters);
    },
  });
  await readDue(changed, { concurrency: 1, turnMs: 0 });
  // Between the parts of the long file, one other each.
  expect(checkpoints).toEqual([0, 50, 50, 100, 100]);
  expect(await outcomes(work)).toEqual(['111.cod', '112.cod', 'long.cod']);
});

test('D-67 the uploads of firms are read in turns, however many one of them has', async () => {
  const { work, iban } = await setUpAccount();
  const other = await createSecondFirm(work);
  for (let number = 1; number <= 9; number += 1) {
    await work.upload('CODA', `flood-${number}.cod`, codaFile({ iban, number }));
  }
  await scanUploads(work, work.now());
  for (const name of ['a.cod', 'b.cod']) await other.upload(name);
  await scanUploads(work, work.now());
  await readDue(work, { concurrency: 1 });
  const order = (await outcomes(work)).map((name) => name?.replace(/-.*/, ''));
  expect(order.slice(0, 4)).toEqual(['flood', 'a.cod', 'flood', 'b.cod']);
  expect(order).toHaveLength(11);
});

test('D-38 the files of a firm that waits for the storage occupy half of the places of a process', async () => {
  const { work, iban, customerId } = await setUpAccount();
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
  await startReading(changed, { concurrency: 4, turnMs: 0 });
  await eventually(async () => (await outcomes(work)).length === 13);
  expect((await outcomes(work))[0]).toBe('short.cod');
});

test('D-38 uploads of no grant are read too, and one that is gone gets its outcome', async () => {
  const work = await setUpUploads();
  const loose = await work.upload('CODA', 'uploads/loose.cod', codaFile({ iban: newIban() }));
  const gone = await work.upload('CODA', 'gone.cod', codaFile({ iban: newIban() }));
  await scanUploads(work, work.now());
  const { store, buckets } = work.storage;
  await store.remove(buckets.codaUploads, gone);
  // Due by the clock of the database, whatever that of the process.
  await readDue({ ...work, now: () => new Date(0) });
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
  await scanUploads(work, work.now());
  const key = await other.upload('large-2.cod');
  await work.storage.store.put(work.storage.buckets.codaUploads, key, large, 'x/y');
  for (const number of [1, 2, 3]) await other.upload(`${number}.cod`);
  await scanUploads(work, work.now());
  const finish = signal();
  const begun: string[] = [];
  const changed = withStore(work, {
    async get(bucket, name) {
      begun.push(name.split('/').at(-1) ?? '');
      if (name.includes('large-1')) await finish.given;
      return work.storage.store.get(bucket, name);
    },
  });
  const reading = readDue(changed, { concurrency: 4 });
  await eventually(async () => (await outcomes(work)).length === 3);
  expect((await outcomes(work)).sort()).toEqual(['1.cod', '2.cod', '3.cod']);
  expect(begun).toContain('large-1.cod');
  expect(begun).not.toContain('large-2.cod');
  finish.give();
  await reading;
  expect((await outcomes(work)).slice(3)).toEqual(['large-1.cod', 'large-2.cod']);
});

test('D-38 an upload beyond the limit is refused without being read, and waits for no large one', async () => {
  const work = await setUpUploads();
  const tooLarge = await work.upload('CODA', 'too-large.cod', Buffer.from('x'));
  const listed = withStore(work, {
    async *list(...parameters) {
      for await (const object of work.storage.store.list(...parameters)) {
        yield { ...object, size: 26 * 2 ** 20 };
      }
    },
  });
  await scanUploads(listed, work.now());
  expect(await work.knex('graphile_worker.jobs').pluck('flags')).toEqual([
    { files: true, [`firm:${work.principal.firmId}`]: true },
  ]);
  await readDue(work);
  expect(await work.uploads()).toMatchObject([
    { object_key: tooLarge, status: 'rejected', findings: [{ code: 'tooLarge' }] },
  ]);
});
