import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { enqueuePrinting } from '../../src/files/enqueue-printing.js';
import { createFilePrinter } from '../../src/files/print-files.js';
import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';
import { signal } from '../jobs/jobs-database.js';
import { quickHeartbeat } from '../jobs/quick-heartbeat.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { listedFiles, unprint } from '../support/files.js';
import { programPath } from '../support/program-path.js';
import { setUpUploads, type Uploads, withStore } from '../uploads/set-up-uploads.js';
import { listStatements } from './waiting-printer.js';

const logger = createLogger('silent');

/** Starts a worker that prints with a printer of its own, as a process does. */
async function startPrinting(work: Uploads, concurrency = 4): Promise<void> {
  const { printFile } = createFilePrinter({ ...work, logger });
  const { stop } = await startWorker({
    ...{ databaseUrl: work.url, logger, heartbeat: quickHeartbeat, drainMs: 5_000 },
    ...{ tasks: { printFile }, concurrency },
  });
  onTestFinished(stop);
}

const untilPrinted = (work: Uploads, count: number) =>
  eventually(
    () => listedFiles(work.knex).where({ pdf_status: 'present' }),
    ({ length }) => length === count,
  );

const jobs = ({ knex }: Uploads) =>
  knex('graphile_worker.jobs').where({ task_identifier: 'printFile' });

test('D-38 all workers print at the same time, and each file once', async () => {
  const work = await setUpUploads();
  for (let firm = 0; firm < 3; firm += 1) {
    await listStatements(work, 5, await newPrincipal(work.knex));
  }
  const stored = new Map<string, string>();
  const workers = ['first', 'second'].map((name) => ({ name, isPrinting: signal() }));
  for (const { name, isPrinting } of workers) {
    const watched = withStore(work, {
      async put(bucket, key, ...others) {
        isPrinting.give();
        // Each goes on when the other prints too.
        await Promise.all(workers.map((worker) => worker.isPrinting.given));
        expect(stored.get(key)).toBeUndefined();
        stored.set(key, name);
        return work.storage.store.put(bucket, key, ...others);
      },
    });
    await startPrinting(watched, 1);
  }
  await untilPrinted(work, 15);
  expect(stored.size).toBe(15);
  for (const { name } of workers) {
    expect([...stored.values()].filter((by) => by === name).length).toBeGreaterThan(1);
  }
  await eventually(async () => (await jobs(work)).length === 0);
});

test('D-67 the files of firms are printed in turns, however many one of them has', async () => {
  const work = await setUpUploads();
  const other = await newPrincipal(work.knex);
  for (let count = 0; count < 10; count += 1) await listStatements(work, 2);
  for (let count = 0; count < 3; count += 1) await listStatements(work, 1, other);
  const printed: string[] = [];
  const watched = withStore(work, {
    async put(bucket, key, ...others) {
      const { firm_id } = await listedFiles(work.knex).where({ pdf_key: key }).first();
      printed.push(firm_id);
      return work.storage.store.put(bucket, key, ...others);
    },
  });
  await startPrinting(watched, 1);
  await untilPrinted(work, 23);
  expect(printed.lastIndexOf(other.firmId)).toBeLessThan(7);
});

test('D-38 a file that the storage refuses is tried again later, keeps no others waiting, and is given up in the end', async () => {
  const work = await setUpUploads();
  const [refused = '', ...others] = await listStatements(work, 3);
  const { object_key } = await listedFiles(work.knex).where({ id: refused }).first();
  const refusal = new S3ServiceException({ name: 'AccessDenied', $fault: 'client', $metadata: {} });
  const failing = withStore(work, {
    get: (bucket, key, ...rest) =>
      key === object_key ? Promise.reject(refusal) : work.storage.store.get(bucket, key, ...rest),
  });
  await startPrinting(failing);
  await untilPrinted(work, others.length);
  await eventually(
    () => jobs(work),
    ([job]) => job?.last_error !== null,
  );
  expect(await listedFiles(work.knex).where({ id: refused }).first()).toMatchObject({
    ...{
      pdf_status: 'missing',
      print_attempts: 0,
      print_failure: expect.stringMatching('AccessDenied'),
    },
  });
  await work.knex('graphile_worker._private_jobs').update({ attempts: 19, run_at: new Date(0) });
  await eventually(async () => (await jobs(work)).length === 0);
  expect(await listedFiles(work.knex).where({ id: refused }).first()).toMatchObject({
    ...{ pdf_status: 'failed', print_failure: expect.stringMatching('AccessDenied') },
  });
});

test('D-38 if a worker is killed while it prints, another one prints the file and those after it', async () => {
  const work = await setUpUploads();
  const [oldest] = await listStatements(work, 3);
  // It takes a job, and has begun an attempt when it is killed.
  const child = spawn(process.execPath, [programPath('worker-process'), 'printFile'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: work.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [first] = await Promise.race([once(child.stdout, 'data'), ended]);
  expect(String(first)).toBe('started\n');
  await unprint(work.knex, oldest ?? '', { attempts: 1 });
  child.kill('SIGKILL');
  await ended;
  await startPrinting(work);
  await listStatements(work, 1, await newPrincipal(work.knex));
  await untilPrinted(work, 4);
});

test('D-38 a file of more than 256 KiB is printed alone by workers', async () => {
  const work = await setUpUploads();
  const firm = await newPrincipal(work.knex);
  const files = new Map([
    ['small', { firmId: firm.firmId, bytes: new Uint8Array(2 ** 18) }],
    ['large', { firmId: firm.firmId, bytes: new Uint8Array(2 ** 18 + 1) }],
  ]);
  await work.knex.transaction((trx) => enqueuePrinting(trx, files));
  const flags = { files: true, [`firm:${firm.firmId}`]: true };
  expect(await jobs(work).orderBy('key', 'desc').select('key', 'flags')).toEqual([
    { key: 'printFile:small', flags },
    { key: 'printFile:large', flags: { ...flags, alone: true } },
  ]);
});

test('D-38 a file that an operator prints again is left to workers if that fails', async () => {
  const work = await setUpUploads();
  const [id = ''] = await listStatements(work, 1);
  await work.knex('graphile_worker._private_jobs').delete();
  await unprint(work.knex, id, { status: 'failed', failure: 'It is damaged' });
  const away = withStore(work, { get: () => Promise.reject(new Error('away')) });
  await expect(createFilePrinter({ ...away, logger }).printAgain(id)).rejects.toThrow('away');
  expect(await jobs(work).pluck('key')).toEqual([`printFile:${id}`]);
  await work.knex('graphile_worker._private_jobs').update({ run_at: new Date(0) });
  await startPrinting(work);
  await untilPrinted(work, 1);
});
