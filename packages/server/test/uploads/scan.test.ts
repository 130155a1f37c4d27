import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { createRepeatingPool, startRepeating } from '../../src/jobs/repeating-tasks.js';
import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';
import type { StoredObject } from '../../src/storage/object-store.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { createUploadTasks } from '../../src/uploads/tasks.js';
import { recordUploads } from '../../src/uploads/upload-store.js';
import { quickHeartbeat } from '../jobs/quick-heartbeat.js';
import { keysOf } from '../storage/open-test-storage.js';
import { newIban } from '../support/belgian-iban.js';
import { codaFile, codbFile, enterpriseNumber } from './sample-files.js';
import { setUpUploads, type Uploads, withStore } from './set-up-uploads.js';

const jobKeys = async ({ knex }: Uploads): Promise<string[]> =>
  (await knex('graphile_worker.jobs').orderBy('key')).map(({ key }) => key);

const isEmpty = (keys: readonly string[]) => keys.length === 0;

/** Starts a worker that scans the upload buckets, and stops it at the end of the test. */
async function startUploadWorker(work: Uploads): Promise<void> {
  const logger = createLogger('silent');
  const { repeating, reading } = createUploadTasks({
    ...{ ...work, logger, heldDeliveryDays: 90, rejectedUploadDays: 90, scanIntervalMs: 50 },
  });
  const { stop } = await startWorker({
    ...{ databaseUrl: work.url, logger, heartbeat: quickHeartbeat, drainMs: 5_000 },
    pools: [{ tasks: reading, concurrency: 2 }, createRepeatingPool(work.knex, logger, repeating)],
  });
  await startRepeating(work.knex, repeating);
  onTestFinished(stop);
}

test('D-38 if several processes scan, each upload is recorded once, and each firm has one job', async () => {
  const work = await setUpUploads();
  for (let i = 0; i < 5; i += 1) await work.upload('CODA', `${i}.cod`, Buffer.from(`${i}`));
  await work.upload('CODB', 'a.xml', Buffer.from('x'));
  await Promise.all([1, 2, 3, 4].map(() => scanUploads(work, work.now())));
  const places = () => work.knex('graphile_worker.jobs').pluck('run_at');
  const before = await places();
  await scanUploads(work, work.now());
  expect(await places()).toEqual(before);
  const uploads = await work.uploads();
  expect(uploads).toHaveLength(6);
  const turns = [`readUploads:${work.principal.firmId}`];
  expect(await jobKeys(work)).toEqual(turns);
  // The uploads are still due, as after a failure.
  await work.knex('graphile_worker._private_jobs').delete();
  await scanUploads(work, work.now());
  expect(await jobKeys(work)).toEqual(turns);
});

test('files: two transactions that record an upload at once record it once', async () => {
  const work = await setUpUploads();
  await work.upload('CODA', 'a.cod', Buffer.from('x'));
  const objects: StoredObject[] = [];
  for await (const object of work.storage.store.list(work.storage.buckets.codaUploads, 'uploads/'))
    objects.push(object);
  const place = { product: 'CODA', bucket: work.storage.buckets.codaUploads } as const;
  const record = (trx: Knex.Transaction) => recordUploads(trx, place, objects, new Date(0));
  const first = await work.knex.transaction();
  await record(first);
  // Does not see the row of the first transaction, so its insert waits.
  const second = work.knex.transaction(record);
  await eventually(async () => {
    const { rows } = await work.knex.raw(
      `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length === 1;
  });
  await first.commit();
  await second;
  expect(await work.uploads()).toHaveLength(1);
});

test('files: an upload that has an outcome but is still in its bucket is removed', async () => {
  const work = await setUpUploads();
  const key = await work.upload('CODA', 'a.cod', Buffer.from('x'));
  await scanUploads(work, work.now());
  await work.knex.raw(
    'select graphile_worker.remove_job(job_key => key) from graphile_worker.jobs',
  );
  await work.knex('uploads').update({ status: 'rejected', settled_on: work.now(), due_on: null });
  await scanUploads(work, work.now());
  expect(await jobKeys(work)).toEqual([]);
  await scanUploads(work, new Date(Date.now() + 61_000));
  expect(await jobKeys(work)).toHaveLength(1);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([key]);
  // As after many failed removals.
  await work.knex('uploads').update({ attempts: 25 });
  await startUploadWorker(work);
  await eventually(() => keysOf(work.storage, 'codaUploads'), isEmpty);
  await eventually(async () => isEmpty(await work.knex('uploads').whereNotNull('due_on')));
});

test('§4.17 workers scan repeatedly and list each upload once', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  const number = enterpriseNumber();
  await work.create({ ibans: [iban] }, { enterprise_number: number });
  await startUploadWorker(work);
  await startUploadWorker(work);
  for (let round = 1; round <= 3; round += 1) {
    await work.upload('CODA', 'a.cod', codaFile({ iban, number: round }));
    await work.upload('CODB', 'a.xml', codbFile({ enterpriseNumber: number, number: round }));
    await eventually(work.files, ({ length }) => length === 2 * round);
  }
  await eventually(() => keysOf(work.storage, 'codaUploads'), isEmpty);
  await eventually(() => keysOf(work.storage, 'codbUploads'), isEmpty);
  expect(await work.uploads()).toHaveLength(6);
});

test('files: scanning goes on after an outage of the storage', async () => {
  const work = await setUpUploads();
  const iban = newIban();
  await work.create({ ibans: [iban] });
  let scans = 0;
  const changed = withStore(work, {
    list(...parameters) {
      scans += 1;
      if (scans < 4) throw new Error('away');
      return work.storage.store.list(...parameters);
    },
  });
  await work.upload('CODA', 'a.cod', codaFile({ iban }));
  await startUploadWorker(changed);
  await eventually(work.files, ({ length }) => length === 1);
  const failed = await work.knex('graphile_worker.jobs').whereNotNull('last_error');
  expect(failed).toEqual([]);
});

test('D-31 markers of folders are removed, and are no uploads', async () => {
  const work = await setUpUploads();
  const { buckets } = work.storage;
  const prefix = await work.grant('CODA');
  const marker = { size: 0, lastModified: new Date(), etag: 'd41d8cd98f00b204e9800998ecf8427e' };
  const markers = [`${prefix}/`, `${prefix}/2026/`].map((key) => ({ ...marker, key }));
  // Neither is a marker: an empty file, and a file whose name ends with a slash.
  const files = [`${prefix}/empty.cod`, `${prefix}/full/`].map((key, size) => ({
    ...{ ...marker, key, size },
  }));
  const removed: unknown[] = [];
  let refused = `${prefix}/`;
  // The storage of the sandbox refuses keys that end with a slash.
  const changed = withStore(work, {
    async *list(bucket) {
      if (bucket === buckets.codaUploads) yield* [...markers, ...files];
    },
    async remove(bucket, key, condition) {
      if (key === refused) throw new Error('Access denied');
      removed.push([bucket, key, condition]);
    },
  });
  await expect(scanUploads(changed, work.now())).rejects.toThrow('Some folder markers remain');
  refused = '';
  await scanUploads(changed, work.now());
  const removal = (key: string) => [buckets.codaUploads, key, { ifMatch: marker.etag }];
  expect(removed).toEqual([`${prefix}/2026/`, `${prefix}/`, `${prefix}/2026/`].map(removal));
  const keys = (await work.uploads()).map(({ object_key }) => object_key);
  expect(keys).toEqual(files.map(({ key }) => key));
});
