import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createKnex } from '@adx/server';
import type { Knex } from 'knex';
import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';
import { surviveCrashes } from '../calls/bench-database.js';
import { median, percentile } from '../statistics.js';
import type { Table } from '../table.js';
import { until } from '../until.js';
import { bankStatements } from '../uploads/bank-statement.js';
import { startUploadService, type UploadingFirm } from '../uploads/upload-service.js';
import { assumed } from './assumptions.js';
import { arriveInTheMorning, simulateWorkers, type Waits } from './simulate-workers.js';
import { startStorageProxy } from './storage-proxy.js';

const { accounts, statementsPerFile, scanSeconds } = assumed;
const firmCount = 3;
/** The number of files that are printed one after the other. */
const filesAlone = 5;
/** Files of 50 statements, one of each account, that a firm uploads in a morning. */
const filesOfEach = accounts / statementsPerFile;
const files = firmCount * filesOfEach;
/** How long each morning lasts, as a part of the time in which the worker lists and prints everything. */
const lengths = [2, 1, 0.6];

/**
 * Replays the mornings of some firms in minutes, with one worker and a storage that is as far away as assumed, and
 * compares how long each file waits until it is listed and printed with what the simulation says.
 */
export async function replayMorning(): Promise<Table> {
  const database = await startSandboxPart('database');
  const storage = await startSandboxPart('storage', '--port', '0');
  const proxy = await startStorageProxy(storage.settings['S3_ENDPOINT'] ?? '', assumed.storageMs);
  const knex = createKnex(database.settings['DATABASE_URL'] ?? '', { poolSize: 2 });
  await surviveCrashes(knex);
  const settings = { ...database.settings, ...storage.settings, S3_ENDPOINT: proxy.url };
  const service = await startUploadService(settings);
  try {
    const printAloneSeconds = await printAlone(
      knex,
      await service.createFirm(filesAlone * statementsPerFile),
    );
    const firms: UploadingFirm[] = [];
    for (let index = 0; index < firmCount; index += 1) {
      firms.push(await service.createFirm(accounts));
    }
    // While it lists files that are all there, the worker also prints for half of the time.
    const atOnce = await replay(knex, firms, 1, new Array<number>(files).fill(0));
    const listSeconds = Math.max(...atOnce.listed) / files / 2;
    const wholeSeconds = Math.max(...atOnce.printed) / files;
    const work = { listSeconds, printSeconds: wholeSeconds - listSeconds, printAloneSeconds };
    const rows: string[][] = [];
    for (const [index, length] of lengths.entries()) {
      const arrivals = arriveInTheMorning(files, wholeSeconds * files * length);
      const replayed = await replay(knex, firms, 2 + index, arrivals);
      const simulated = simulateWorkers(arrivals, { ...work, workers: 1, scanSeconds });
      const load = `${(100 / length).toFixed(0)} %`;
      rows.push([`${load}, replayed`, ...summaryOf(replayed)]);
      rows.push([`${load}, simulated`, ...summaryOf(simulated)]);
    }
    const columns = ['median', '95 %', 'longest'];
    return {
      head: [
        'average load',
        ...columns.map((column) => `listed s, ${column}`),
        ...columns.map((column) => `printed s, ${column}`),
      ],
      rows,
    };
  } finally {
    await service.stop();
    await knex.destroy();
    proxy.close();
    await storage.stop();
    await database.stop();
  }
}

/** Uploads files one after the other, and returns the median of the time from a listed file to its last PDF, in s. */
async function printAlone(knex: Knex, firm: UploadingFirm): Promise<number> {
  const times: number[] = [];
  for (let file = 0; file < filesAlone; file += 1) {
    const alone = { ...firm, ibans: firm.ibans.slice(file * statementsPerFile) };
    const { listed, printed } = await replay(knex, [alone], 1, [0]);
    times.push((printed[0] ?? 0) - (listed[0] ?? 0));
  }
  return median(times);
}

/** Returns the median, the 95th percentile and the longest of both waits. */
function summaryOf({ listed, printed }: Waits): string[] {
  return [listed, printed].flatMap((waits) =>
    [50, 95, 100].map((percent) => percentile(waits, percent).toFixed(1)),
  );
}

/**
 * Uploads files of all firms at these seconds, and waits until all are listed and printed. Returns how long each
 * waited, to a quarter of a second.
 *
 * @param number - the statement number of what is uploaded; all accounts have the statements before it
 */
async function replay(
  knex: Knex,
  firms: readonly UploadingFirm[],
  number: number,
  arrivals: readonly number[],
): Promise<Waits> {
  const uploadedAt = new Map<string, number>();
  const listed = new Map<string, number>();
  const printed = new Map<string, number>();
  const started = performance.now();
  const uploading = (async () => {
    for (const [index, second] of arrivals.entries()) {
      const firm = firms[index % firms.length];
      const first = Math.floor(index / firms.length) * statementsPerFile;
      const ibans = firm?.ibans.slice(first, first + statementsPerFile) ?? [];
      await wait(Math.max(0, second * 1_000 - (performance.now() - started)));
      const name = `${randomUUID()}.cod`;
      uploadedAt.set(name, performance.now());
      await firm?.upload(name, bankStatements(ibans, number));
    }
  })();
  const watching = until('all files are printed', 250, async () => {
    for (const { name, isPrinted } of await findRead(knex)) {
      const at = uploadedAt.get(name);
      // It was uploaded in an earlier replay.
      if (at === undefined) continue;
      const waited = (performance.now() - at) / 1_000;
      if (!listed.has(name)) listed.set(name, waited);
      if (isPrinted && !printed.has(name)) printed.set(name, waited);
    }
    return printed.size === arrivals.length;
  });
  await Promise.all([uploading, watching]);
  const inOrder = (waits: ReadonlyMap<string, number>) =>
    [...uploadedAt.keys()].map((name) => waits.get(name) ?? Number.NaN);
  return { listed: inOrder(listed), printed: inOrder(printed) };
}

/** Returns the names of the uploads that were read, and which of them have all their PDFs. */
async function findRead(knex: Knex): Promise<{ name: string; isPrinted: boolean }[]> {
  const { rows } = await knex.raw(
    `select substring(u.object_key from '[^/]+$') as name, bool_and(f.pdf_status = 'present') as "isPrinted"
       from uploads u join files f on f.upload_id = u.id
      where u.settled_on is not null group by u.id`,
  );
  return rows;
}
