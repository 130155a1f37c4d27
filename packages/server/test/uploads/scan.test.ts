import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { createRepeatingTasks, startRepeating } from '../../src/jobs/repeating-tasks.js';
import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';
import type { StoredObject } from '../../src/storage/object-store.js';
import { recordUploads } from '../../src/uploads/record-uploads.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { quickHeartbeat } from '../jobs/quick-heartbeat.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { keysOf } from '../storage/open-test-storage.js';
import { codaFile } from './sample-files.js';
import {
  grantOfTenant,
  setUpAccount,
  setUpUploads,
  type Uploads,
  uploadTasks,
  withStore,
} from './set-up-uploads.js';

const jobKeys = async ({ knex }: Uploads): Promise<string[]> =>
  (await knex('graphile_worker.jobs').orderBy('key')).map(({ key }) => key);

const isEmpty = (keys: readonly string[]) => keys.length === 0;

/** Starts a worker that scans the upload buckets, and stops it at the end of the test. */
async function startUploadWorker(work: Uploads): Promise<void> {
  const logger = createLogger('silent');
  const { repeating, tasks } = uploadTasks(work, { scanIntervalMs: 50 });
  const all = { ...tasks, ...createRepeatingTasks(work.knex, logger, repeating) };
  const { stop } = await startWorker({
    ...{ databaseUrl: work.url, logger, heartbeat: quickHeartbeat, drainMs: 5_000 },
    ...{ concurrency: 4, tasks: all },
  });
  await startRepeating(work.knex, repeating);
  onTestFinished(stop);
}

test('D-38 if several processes scan, each upload is recorded once, and has one job', async () => {
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
  const jobs = uploads.map(({ id }) => `readUpload:${id}`);
  expect((await jobKeys(work)).toSorted()).toEqual(jobs.toSorted());
  // The uploads are still to be read, as after their firm was disabled.
  await work.knex('graphile_worker._private_jobs').delete();
  await scanUploads(work, work.now());
  expect((await jobKeys(work)).toSorted()).toEqual(jobs.toSorted());
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
  await waitUntilBlocked(work.knex);
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
  await work.knex('uploads').update({ status: 'rejected', settled_on: work.now() });
  await scanUploads(work, work.now());
  expect(await jobKeys(work)).toEqual([]);
  await scanUploads(work, new Date(Date.now() + 61_000));
  expect(await jobKeys(work)).toHaveLength(1);
  expect(await keysOf(work.storage, 'codaUploads')).toEqual([key]);
  await startUploadWorker(work);
  await eventually(() => keysOf(work.storage, 'codaUploads'), isEmpty);
  const reading = async () => (await jobKeys(work)).filter((key) => key.startsWith('readUpload'));
  await eventually(reading, isEmpty);
});

test('files: scanning goes on after an outage of the storage', async () => {
  const { work, iban } = await setUpAccount();
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

test('D-38 uploads that a scan has listed are read, also if it fails before it ends', async () => {
  const work = await setUpUploads();
  await work.upload('CODA', 'a.cod', Buffer.from('x'));
  const changed = withStore(work, {
    async *list(...parameters) {
      yield* work.storage.store.list(...parameters);
      throw new Error('away');
    },
  });
  await expect(scanUploads({ ...changed, maxWaiting: 1 }, work.now())).rejects.toThrow('away');
  const [upload] = await work.uploads();
  expect(await jobKeys(work)).toEqual([`readUpload:${upload?.id}`]);
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
  await expect(scanUploads(changed, work.now())).rejects.toThrow(
    /^It failed for folder marker of grant [0-9a-f]{24} in [\w-]+$/,
  );
  refused = '';
  await scanUploads(changed, work.now());
  const removal = (key: string) => [buckets.codaUploads, key, { ifMatch: marker.etag }];
  expect(removed).toEqual([`${prefix}/2026/`, `${prefix}/`, `${prefix}/2026/`].map(removal));
  const keys = (await work.uploads()).map(({ object_key }) => object_key);
  expect(keys).toEqual(files.map(({ key }) => key));
});

test.each([
  [
    'were tried',
    ({ knex }: Uploads) => knex('graphile_worker._private_jobs').update({ attempts: 1 }),
  ],
  [
    'have an outcome',
    ({ knex }: Uploads) =>
      knex('uploads').update({ status: 'processed', settled_on: knex.fn.now() }),
  ],
])(
  'D-38 a scan passes over uploads of a firm, whatever their grants, until those before them %s, and finds those of others',
  async (_, progress) => {
    const work = await setUpUploads();
    const { tenant } = await work
      .knex('firms')
      .where({ id: work.principal.firmId })
      .first('tenant');
    const flooded = [await work.grant('CODA'), await work.grant('CODA'), await work.grant('CODA')];
    // They are in the order of the bucket, two between the grants of the firm.
    const others = [
      await grantOfTenant(work, '0'),
      await grantOfTenant(work, `${tenant}-${flooded[1]?.slice(-24)}`),
      await grantOfTenant(work, `${tenant}-${'f'.repeat(24)}`),
      await grantOfTenant(work, `${tenant}z`),
    ];
    for (const prefix of flooded) {
      for (let i = 0; i < 5; i += 1)
        await work.upload('CODA', `${prefix}/${i}.cod`, Buffer.from(`${i}`));
    }
    for (const prefix of others) await work.upload('CODA', `${prefix}/a.cod`, Buffer.from('a'));
    const keys = async () => (await work.uploads()).map(({ object_key }) => object_key).sort();
    const ofOthers = others.map((prefix) => `${prefix}/a.cod`);
    const bounded = { ...work, maxWaiting: 3 };

    expect(await scanUploads(bounded, work.now())).toBe(false);
    const recorded = await keys();
    expect(recorded).toEqual(expect.arrayContaining(ofOthers));
    expect(recorded.length).toBeLessThan(12);
    await scanUploads(bounded, work.now());
    expect(await keys()).toEqual(recorded);

    let scans = 0;
    do {
      scans += 1;
      expect(scans).toBeLessThan(20);
      await progress(work);
    } while (!(await scanUploads(bounded, work.now())));
    expect(await work.uploads()).toHaveLength(19);
  },
);

test('D-38 a scan passes over folder markers of a firm while many wait to be removed', async () => {
  const work = await setUpUploads();
  const flooded = await work.grant('CODA');
  const other = await work.upload(
    'CODA',
    `${await grantOfTenant(work, 'z')}/a.cod`,
    Buffer.from('a'),
  );
  const { store } = work.storage;
  const object = { size: 0, lastModified: new Date(), etag: 'd41d8cd98f00b204e9800998ecf8427e' };
  const markers = Array.from({ length: 1_000 }, (_, i) => ({ ...object, key: `${flooded}/${i}/` }));
  let removed = 0;
  let listed = 0;
  // The storage of the sandbox refuses keys that end with a slash.
  const changed = withStore(work, {
    async *list(bucket, prefix, startAfter = '') {
      for (const marker of markers) {
        if (bucket !== work.storage.buckets.codaUploads || marker.key <= startAfter) continue;
        listed += 1;
        yield marker;
      }
      yield* store.list(bucket, prefix, startAfter);
    },
    async remove() {
      removed += 1;
    },
  });
  await scanUploads({ ...changed, maxWaiting: 10 }, work.now());
  expect((await work.uploads()).map(({ object_key }) => object_key)).toEqual([other]);
  expect({ removed, listed }).toEqual({ removed: 10, listed: 10 });
  await scanUploads(changed, work.now());
  expect(removed).toBe(110);
});

test('D-38 a scan passes over uploads of a firm behind one whose key PostgreSQL cannot store', async () => {
  const work = await setUpUploads();
  const flooded = await work.grant('CODA');
  const other = await grantOfTenant(work, 'z');
  const object = { size: 1, lastModified: new Date(), etag: '0' };
  const odd = `uploads/0\0-${'f'.repeat(24)}/a.cod`;
  const keys = [odd, `${flooded}/\0`, `${flooded}/a.cod`, `${other}/a.cod`];
  // The storage of the sandbox refuses keys with NUL.
  const changed = withStore(work, {
    async *list(bucket, _prefix, startAfter = '') {
      if (bucket !== work.storage.buckets.codaUploads) return;
      for (const key of keys) if (key > startAfter) yield { ...object, key };
    },
  });
  expect(await scanUploads({ ...changed, maxWaiting: 1 }, work.now())).toBe(false);
  const recorded = (await work.uploads()).map(({ object_key }) => object_key);
  expect(recorded).toEqual([odd.replace('\0', '\ufffd'), `${flooded}/\ufffd`, `${other}/a.cod`]);
});
