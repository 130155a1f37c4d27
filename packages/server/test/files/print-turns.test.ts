import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createPrintingTasks, FIRMS_AT_ONCE } from '../../src/files/print-turns.js';
import { createRepeatingPool, startRepeating } from '../../src/jobs/repeating-tasks.js';
import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';
import { signal } from '../jobs/jobs-database.js';
import { quickHeartbeat } from '../jobs/quick-heartbeat.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { programPath } from '../support/program-path.js';
import { setUpUploads, type Uploads, withStore } from '../uploads/set-up-uploads.js';
import { listStatements } from './waiting-printer.js';

const silent = createLogger('silent');

/** Starts a worker that prints with a printer of its own, as a process does. */
async function startPrinting(
  work: Uploads,
  {
    turnMs = 0,
    failedMs = 100,
    firmsAtOnce = FIRMS_AT_ONCE,
    logger = silent,
  }: { turnMs?: number; failedMs?: number; firmsAtOnce?: number; logger?: typeof silent } = {},
) {
  const printer = createFilePrinter({ ...work, logger: silent });
  const { knex } = work;
  const { tasks, repeating } = createPrintingTasks({
    ...{ knex, printer, searchMs: 50, turnMs, failedMs },
  });
  const { stop } = await startWorker({
    ...{ databaseUrl: work.url, logger: silent, heartbeat: quickHeartbeat, drainMs: 5_000 },
    pools: [{ tasks, concurrency: firmsAtOnce }, createRepeatingPool(knex, logger, repeating)],
  });
  await startRepeating(knex, repeating);
  onTestFinished(stop);
}

const countByStatus = async ({ knex }: Uploads) => {
  const { rows } = await knex.raw<{ rows: { status: string; count: number }[] }>(
    'select pdf_status as status, count(*)::int as count from files group by 1',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

const untilPrinted = (work: Uploads, present: number) =>
  eventually(
    () => countByStatus(work),
    (counts) => counts['present'] === present,
  );

const turnsOf = ({ knex }: Uploads) =>
  knex('graphile_worker.jobs').where({ task_identifier: 'printFilesOfFirm' });

test('D-38 all workers print at the same time, each other firms, and each file once', async () => {
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
    await startPrinting(watched, { firmsAtOnce: 1 });
  }
  await untilPrinted(work, 15);
  expect(stored.size).toBe(15);
  for (const { name } of workers) {
    expect([...stored.values()].filter((by) => by === name).length).toBeGreaterThan(1);
  }
  await eventually(async () => (await turnsOf(work)).length === 0);
});

test('D-38 the files of firms are printed in turns, the oldest of each firm first', async () => {
  const work = await setUpUploads();
  const other = await newPrincipal(work.knex);
  await listStatements(work, 20);
  await listStatements(work, 3, other);
  const printed: string[] = [];
  const watched = withStore(work, {
    async put(bucket, key, ...others) {
      const { id, firm_id } = await work.knex('files').where({ pdf_key: key }).first();
      printed.push(`${firm_id} ${id}`);
      return work.storage.store.put(bucket, key, ...others);
    },
  });
  await startPrinting(watched);
  await untilPrinted(work, 23);
  const firms = printed.map((each) => each.split(' ')[0]);
  expect(firms.lastIndexOf(other.firmId)).toBeLessThan(11);
  for (const { firmId } of [work.principal, other]) {
    const ids = printed.filter((each) => each.startsWith(firmId));
    // Eight are printed at once, in whatever order.
    const groups = ids.map((each) => Math.floor(ids.toSorted().indexOf(each) / 8));
    expect(groups).toEqual(groups.toSorted((a, b) => a - b));
  }
});

test('D-38 files that the storage refuses keep no others of their firm waiting, and are printed in the end', async () => {
  const work = await setUpUploads();
  await listStatements(work, 10);
  // More than are printed at once.
  const refused = (await work.knex('files').orderBy('id').pluck('object_key')).slice(0, 9);
  const refusal = new S3ServiceException({ name: 'AccessDenied', $fault: 'client', $metadata: {} });
  let isFailing = true;
  const failing = withStore(work, {
    get: (bucket, key, ...others) =>
      isFailing && refused.includes(key)
        ? Promise.reject(refusal)
        : work.storage.store.get(bucket, key, ...others),
  });
  await startPrinting(failing, { turnMs: 60_000, failedMs: 3_600_000 });
  await untilPrinted(work, 1);
  const print_failure = expect.stringMatching('AccessDenied');
  expect(await work.knex('files').where({ pdf_status: 'missing' }).orderBy('id')).toMatchObject(
    refused.map((object_key) => ({ object_key, print_failure })),
  );
  isFailing = false;
  await untilPrinted(work, 10);
});

test('D-38 a firm whose files are all refused pauses', async () => {
  const work = await setUpUploads();
  await listStatements(work, 2);
  const refusal = new S3ServiceException({ name: 'AccessDenied', $fault: 'client', $metadata: {} });
  let tried = 0;
  const failing = withStore(work, {
    get() {
      tried += 1;
      return Promise.reject(refusal);
    },
  });
  await startPrinting(failing, { turnMs: 60_000, failedMs: 3_600_000 });
  await eventually(async () => tried === 2);
  // Searches go on, and find the turn that waits.
  await eventually(async () => {
    const [turn] = await turnsOf(work).whereNotNull('key');
    return turn?.attempts === 0 && turn.run_at.getTime() > Date.now() + 3_000_000;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(tried).toBe(2);
});

test('D-38 during an outage of the storage firms pause, the log has its start and its end, and no job fails', async () => {
  const work = await setUpUploads();
  for (let firm = 0; firm < 3; firm += 1) {
    await listStatements(work, 16, await newPrincipal(work.knex));
  }
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) });
  let isAway = true;
  const tried: string[] = [];
  const failing = withStore(work, {
    get(bucket, key, ...others) {
      tried.push(key);
      return isAway
        ? Promise.reject(new Error('Unreachable'))
        : work.storage.store.get(bucket, key, ...others);
    },
  });
  await startPrinting(failing, { failedMs: 1_500, logger });
  await eventually(async () => tried.length > 24);
  // Each firm has tried its first eight files, and after a pause others.
  expect(new Set(tried).size).toBe(tried.length);
  // A turn that has enqueued the next one has no key any more.
  const jobs = await turnsOf(work).whereNotNull('key');
  expect(jobs.map(({ attempts, last_error }) => [attempts <= 1, last_error])).toEqual(
    jobs.map(() => [true, null]),
  );
  await eventually(async () => lines.length > 0);
  isAway = false;
  await untilPrinted(work, 48);
  await eventually(async () => lines.length > 1);
  expect(lines).toEqual(['printing files failed', 'printing files works again']);
  await eventually(async () => (await turnsOf(work)).length === 0);
});

test('D-38 a turn that failed or was given up is enqueued again at once, and one that waits keeps its place', async () => {
  const work = await setUpUploads();
  const { knex } = work;
  await listStatements(work, 1);
  const { repeating } = createPrintingTasks(work);
  const search = () => repeating.printFiles.run();
  await search();
  const after = 'f'.repeat(24);
  const payload = { firmId: work.principal.firmId, after };
  const turns = () => knex('graphile_worker._private_jobs').whereLike('key', 'printFilesOfFirm:%');
  const jobs = () => turns().select('payload', 'attempts');
  await turns().update({ payload, run_at: new Date(0) });
  await search();
  expect(await jobs()).toEqual([{ payload, attempts: 0 }]);
  const later = new Date(Date.now() + 3_600_000);
  for (const attempts of [1, 25]) {
    await turns().update({ attempts, run_at: later, payload });
    await search();
    const due = { payload: { firmId: work.principal.firmId }, attempts: 0 };
    expect(await jobs()).toEqual([due]);
    expect((await turns().first('run_at')).run_at.getTime()).toBeLessThan(later.getTime() - 60_000);
  }
});

test('D-38 if a worker is killed while it prints, another one prints the file and those after it', async () => {
  const work = await setUpUploads();
  await listStatements(work, 3);
  await createPrintingTasks(work).repeating.printFiles.run();
  // It takes the job of the firm, and has begun an attempt when it is killed.
  const child = spawn(process.execPath, [programPath('worker-process'), 'printFilesOfFirm'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: work.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [first] = await Promise.race([once(child.stdout, 'data'), ended]);
  expect(String(first)).toBe('started\n');
  const [oldest] = await work.knex('files').orderBy('id').limit(1).pluck('id');
  await work.knex('files').where({ id: oldest }).update({ print_attempts: 1 });
  child.kill('SIGKILL');
  await ended;
  await startPrinting(work);
  await listStatements(work, 1, await newPrincipal(work.knex));
  await untilPrinted(work, 4);
});
