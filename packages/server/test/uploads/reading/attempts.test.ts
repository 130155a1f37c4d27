import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { enqueue } from '../../../src/jobs/job.js';
import { readUploadJob } from '../../../src/uploads/reading/read-job.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { programPath } from '../../support/program-path.js';
import { codaFile } from '../sample-files.js';
import { setUpAccount, type Uploads, withStore } from '../set-up-uploads.js';
import { outcomes, readDue, startReading } from './run-reading.js';

/** Makes all waiting jobs due now. */
const bringForward = ({ knex }: Uploads) =>
  knex('graphile_worker._private_jobs')
    .whereNull('locked_at')
    .update({ run_at: new Date(0) });

const jobOf = ({ knex }: Uploads, id: string) =>
  knex('graphile_worker.jobs')
    .where({ key: `readUpload:${id}` })
    .first();

test('D-38 an upload that fails is tried again later, does not hold up the others of its firm, and is given up in the end', async () => {
  const { work, iban } = await setUpAccount();
  const bad = await work.upload('CODA', 'bad.cod', codaFile({ iban, number: 1 }));
  await work.upload('CODA', 'good.cod', codaFile({ iban, number: 2 }));
  const counted: object[] = [];
  const changed = withStore(work, {
    async get(bucket, key) {
      if (key === bad) throw new Error('the disk is broken');
      return work.storage.store.get(bucket, key);
    },
  });
  await scanUploads(work, work.now());
  await readDue(changed);
  expect(await outcomes(work)).toEqual(['good.cod']);
  const failed = () => work.knex('uploads').where({ object_key: bad }).first();
  const { id } = await failed();
  const job = await jobOf(work, id);
  expect(job).toMatchObject({ attempts: 1, last_error: 'the disk is broken' });
  expect(job.run_at.getTime()).toBeGreaterThan(job.updated_at.getTime() + 1_000);
  // A scan leaves it alone.
  await scanUploads(work, work.now());
  expect(await jobOf(work, id)).toEqual(job);

  await work.knex('graphile_worker._private_jobs').update({ attempts: 19 });
  await bringForward(work);
  await readDue(changed, { onUpload: (upload) => void counted.push(upload) });
  expect(await failed()).toMatchObject({ status: 'failed', failure: 'the disk is broken' });
  expect(counted).toEqual([{ product: 'CODA', outcome: 'failed' }]);
  expect(await jobOf(work, id)).toBeUndefined();
  // Nor is it read again by itself.
  await scanUploads(work, work.now());
  expect(await jobOf(work, id)).toBeUndefined();
});

test('D-38 a file that ends its process takes no other one with it twice, and is given up after its attempts', async () => {
  const { work, iban } = await setUpAccount();
  for (const number of [1, 2]) {
    await work.upload('CODA', `${number}.cod`, codaFile({ iban, number }));
  }
  await scanUploads(work, work.now());
  // It has begun to read both when it is killed.
  const child = spawn(process.execPath, [programPath('worker-process'), 'readUpload', '4'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: work.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const locked = () => work.knex('graphile_worker.jobs').whereNotNull('locked_at');
  await eventually(async () => (await locked()).length === 2);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;

  const open = new Set<string>();
  let most = 0;
  const watched = withStore(work, {
    async get(bucket, key) {
      open.add(key);
      most = Math.max(most, open.size);
      await new Promise((resolve) => setTimeout(resolve, 100));
      open.delete(key);
      return work.storage.store.get(bucket, key);
    },
  });
  await startReading(watched, { concurrency: 4 });
  await eventually(async () => (await outcomes(work)).length === 2);
  expect(most).toBe(1);

  // Its process has ended during all attempts but the last, in which nothing is read.
  const deadly = await work.upload('CODA', '3.cod', codaFile({ iban, number: 3 }));
  await work.knex('graphile_worker._private_jobs').where({ key: 'scanUploads' }).delete();
  await work.knex('uploads').insert({
    ...{ id: 'f'.repeat(24), source: 'upload', product: 'CODA', bucket: 'bucket', etag: 'etag' },
    ...{ object_key: deadly, size: 640, received_on: work.now() },
  });
  const dead = 'The worker ended during the attempt';
  await work.knex.transaction(async (trx) => {
    await enqueue(trx, readUploadJob({ id: 'f'.repeat(24), firmId: '', size: 640 }));
    await trx('graphile_worker._private_jobs')
      .where({ key: `readUpload:${'f'.repeat(24)}` })
      .update({ attempts: 20, last_error: dead });
  });
  await eventually(async () => (await work.knex('uploads').where({ failure: dead })).length === 1);
});
