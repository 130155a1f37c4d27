import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { DAY } from '../../src/dates/brussels-day.js';
import { removeDueObjects } from '../../src/files/object-removals.js';
import { retryUpload } from '../../src/uploads/reading/read-job.js';
import { readUpload } from '../../src/uploads/reading/read-upload.js';
import { enqueueForgotten, scanUploads } from '../../src/uploads/scan-uploads.js';
import { findUpload, giveUpUpload } from '../../src/uploads/upload-store.js';
import { keysOf } from '../storage/open-test-storage.js';
import { failAt } from './killed/fail-at-call.js';
import { longFile } from './reading/run-reading.js';
import { codaFile } from './sample-files.js';
import {
  recordLines,
  setUpAccount,
  setUpUploads,
  type Uploads,
  uploadTasks,
  wholeWork,
  withStore,
} from './set-up-uploads.js';

/** Runs the clean-up a number of days from now, and returns its log. */
async function cleanUp(work: Uploads, days: number) {
  const { lines, logger } = recordLines();
  const now = () => new Date(Date.now() + days * DAY);
  const { repeating, cleanUp } = uploadTasks(work, { logger, now, rejectedUploadDays: 30 });
  await cleanUp.run();
  await repeating.removeObjects.run(wholeWork);
  return lines;
}

const copiesOf = (id: string) => [`rejected/${id}.cod`, `rejected/${id}.json`];

async function rejectOne(work: Uploads, iban = newIban()): Promise<string> {
  const key = await work.upload('CODA', `${iban}.cod`, codaFile({ iban }));
  await work.readAll();
  const { id } = await work.knex('uploads').where({ object_key: key }).first('id');
  return id;
}

test('D-27 copy and findings of a rejected upload are deleted after the retention, and its row stays', async () => {
  const work = await setUpUploads();
  const id = await rejectOne(work);
  expect(await cleanUp(work, 29)).toEqual([]);
  expect(await keysOf(work.storage, 'files')).toEqual(copiesOf(id));

  expect(await cleanUp(work, 31)).toMatchObject([
    { msg: 'deleted the copy of a rejected upload', upload: id },
  ]);
  expect(await keysOf(work.storage, 'files')).toEqual([]);
  expect(await work.uploads()).toMatchObject([{ id, status: 'rejected' }]);
  expect(await work.codes()).toEqual(['unknownAccount']);
  expect(await work.knex('object_removals')).toEqual([]);
  expect(await cleanUp(work, 32)).toEqual([]);
});

test('D-27 an upload whose copy was deleted cannot be read again, only uploaded again', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const id = await rejectOne(work, iban);
  await cleanUp(work, 31);
  await work.create({ ibans: [iban] });
  await retryUpload(work, id);
  expect(await work.uploads()).toMatchObject([{ id, status: 'rejected' }]);
  expect(await work.codes()).toEqual(['unknownAccount']);
  // The same file uploaded again is another upload.
  await work.upload('CODA', `${iban}.cod`, codaFile({ iban }));
  await work.readAll();
  expect(await work.files()).toHaveLength(1);
});

test('D-27 the retention of an upload starts again when it is rejected again', async () => {
  const work = await setUpUploads();
  const id = await rejectOne(work);
  await work.knex('uploads').update({ settled_on: new Date(Date.now() - 40 * DAY) });
  await retryUpload(work, id);
  await cleanUp(work, 29);
  expect(await keysOf(work.storage, 'files')).toEqual(copiesOf(id));
});

test.each(['before', 'after'] as const)(
  'D-27 killed %s any call of the storage or a transaction, a retry of a rejected upload leaves no copy of it',
  async (moment) => {
    const work = await setUpUploads();
    for (let call = 1, isKilled = true; isKilled; call += 1) {
      const iban = newIban();
      const id = await rejectOne(work, iban);
      await work.create({ ibans: [iban] });
      const killed = failAt(work, call, moment);
      await retryUpload(killed, id).catch(() => {});
      isKilled = killed.hasFailed();
      await retryUpload(work, id);
      await removeDueObjects(work, work.now());
      expect(await keysOf(work.storage, 'files', 'rejected/'), `call ${call}`).toEqual([]);
    }
  },
);

test('D-38 if the process ends in which an operator retries an upload, a worker goes on a minute later', async () => {
  const work = await setUpUploads();
  const id = await rejectOne(work);
  const storageFails = withStore(work, { get: () => Promise.reject(new Error('killed')) });
  await expect(retryUpload(storageFails, id)).rejects.toThrow('killed');
  expect(await work.uploads()).toMatchObject([{ status: 'received' }]);
  const [job] = await work.knex('graphile_worker.jobs');
  expect(job).toMatchObject({ key: `readUpload:${id}`, attempts: 0 });
  expect(job.run_at.getTime()).toBeGreaterThan(Date.now() + 30_000);
});

test('D-38 an upload that workers have given up is read again from its checkpoint', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'long.cod', longFile(iban, 60));
  await scanUploads(work, work.now());
  const [{ id, firm_id: firmId }] = await work.knex('uploads');
  await readUpload(work, (await findUpload(work.knex, id)) ?? expect.fail(), 0);
  await giveUpUpload(work.knex, { id, firmId }, 'the disk is broken');
  await retryUpload(work, id);
  expect(await work.uploads()).toMatchObject([{ status: 'processed', failure: null }]);
  expect(await work.files()).toHaveLength(60);
});

test('D-38 a worker that gives an upload up changes nothing if an operator is reading it again, and its object stays', async () => {
  const work = await setUpUploads();
  const key = await work.upload('CODA', 'a.cod', codaFile({ iban: newIban() }));
  await scanUploads(work, work.now());
  const [{ id, firm_id: firmId }] = await work.knex('uploads');
  const storageFails = withStore(work, { get: () => Promise.reject(new Error('away')) });
  await expect(retryUpload(storageFails, id)).rejects.toThrow('away');
  expect(await giveUpUpload(work.knex, { id, firmId }, 'away')).toBeUndefined();
  await work.knex('graphile_worker._private_jobs').delete();
  expect(await giveUpUpload(work.knex, { id, firmId }, 'away')).toBe('CODA');
  await readUpload(work, (await findUpload(work.knex, id)) ?? expect.fail());
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([key]);
});

test('D-38 an upload that waits without a job gets one, but not of a disabled firm', async () => {
  const work = await setUpUploads();
  const id = await rejectOne(work);
  await work.knex('graphile_worker._private_jobs').delete();
  const received_on = new Date(Date.now() - 2 * 3_600_000);
  await work.knex('uploads').update({ status: 'received', settled_on: null, received_on });
  await work.knex('firms').update({ disabled_on: new Date() });
  await enqueueForgotten(work.knex);
  expect(await work.knex('graphile_worker.jobs')).toEqual([]);
  await work.knex('firms').update({ disabled_on: null });
  for (const _ of [1, 2]) await enqueueForgotten(work.knex);
  expect(await work.knex('graphile_worker.jobs').pluck('key')).toEqual([`readUpload:${id}`]);
});

test('D-27 a retry reads a file of several steps from its start', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.upload('CODA', 'long.cod', longFile(iban, 60));
  await work.readAll();
  await work.create({ ibans: [iban] });
  const [upload] = await work.uploads();
  await retryUpload(work, upload?.id ?? '');
  expect(await work.uploads()).toMatchObject([{ status: 'processed', findings: [] }]);
  expect(await work.files()).toHaveLength(60);
});

test('D-27 an upload that is replaced while it is copied keeps its findings without a copy', async () => {
  const work = await setUpUploads();
  const changed = withStore(work, {
    async copy(...parameters) {
      await work.upload('CODA', 'a.cod', Buffer.from('others'));
      await work.storage.store.copy(...parameters);
    },
  });
  await work.upload('CODA', 'a.cod', codaFile({ iban: newIban() }));
  await work.readAll(changed);
  const [upload] = await work.uploads();
  expect(upload?.status).toBe('rejected');
  expect(await keysOf(work.storage, 'files')).toEqual([`rejected/${upload?.id}.json`]);
});

test('D-27 only rejected uploads lose their copies: listed files and held deliveries stay', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'a.cod', codaFile({ iban }));
  await work.readAll();
  await work.deliver(codaFile({ iban: newIban() }));
  const keys = await keysOf(work.storage, 'files');
  expect(keys).toHaveLength(3);
  await cleanUp(work, 31);
  expect(await keysOf(work.storage, 'files')).toEqual(keys);
});
