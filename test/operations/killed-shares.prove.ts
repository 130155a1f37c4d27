// The test of removals, with four workers and more objects, and one of scans.
import './killed-shares.test.js';
import { expect, onTestFinished, test } from 'vitest';
import { printResult } from '../proofs/print-result.js';
import { eventually } from '../support/eventually.js';
import { createDeployment } from './support/deployment.js';

const firms = 20;
const uploadsOfEach = 250;

test('D-67 four workers share a scan of the upload buckets; three that are killed during it leave no upload without an outcome, and each is recorded once', async () => {
  const deployment = await createDeployment();
  onTestFinished(() => deployment.close());
  const { knex } = deployment;
  const service = await deployment.startHere();
  for (let firm = 0; firm < firms; firm += 1) {
    const client = (await deployment.createUser()).client(service);
    const names = Array.from({ length: uploadsOfEach }, (_, n) => `${n}.cod`);
    await Promise.all(
      names.map((name) => client.codaFiles.upload(Buffer.from(`${firm} of ${name}`), name)),
    );
  }
  const workers = await Promise.all([1, 2, 3, 4].map(() => deployment.startWorker()));
  const recorded = async () => (await knex('uploads').pluck('object_key')) as string[];
  // A worker takes two parts at most, so one that is killed has begun the third.
  await eventually(async () => {
    const parts = knex('graphile_worker.jobs').whereRaw("key like 'scanUploads%'");
    return (await parts.whereNotNull('locked_at')).length >= 3;
  });
  const before = (await recorded()).length;
  for (const { kill, exited } of workers.slice(1)) {
    kill('SIGKILL');
    await exited;
  }
  const unsettled = knex('uploads').where({ status: 'received' });
  await eventually(async () => {
    const isAll = (await recorded()).length === firms * uploadsOfEach;
    return isAll && (await unsettled.clone().limit(1)).length === 0;
  });
  const keys = await recorded();
  expect(new Set(keys).size).toBe(keys.length);
  expect(await knex('uploads').distinct('status').pluck('status')).toEqual(['rejected']);
  printResult({ uploads: keys.length, recordedBeforeTheKill: before });
});
