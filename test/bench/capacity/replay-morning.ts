import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createKnex } from '@adx/server';
import type { Knex } from 'knex';
import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';
import { seededRandom } from '../../../packages/server/test/support/seeded-random.js';
import { surviveCrashes } from '../calls/bench-database.js';
import { percentile } from '../statistics.js';
import type { Table } from '../table.js';
import { until } from '../until.js';
import { bankStatements } from '../uploads/bank-statement.js';
import { startUploadService, type UploadingFirm } from '../uploads/upload-service.js';
import { assumed } from './assumptions.js';
import { startCountedStorage } from './counted-storage.js';
import {
  type Arrival,
  arriveInTheMorning,
  simulateWorkers,
  type Waits,
} from './simulate-workers.js';
import { readCosts } from './unit-table.js';
import { filesOfMorning, secondsPerFile, stagesOf } from './work.js';

const { statementsPerFile, scanSeconds, searchSeconds } = assumed;
const firmCount = 12;
/** How long each morning lasts, as a part of the time in which the worker lists and prints everything. */
const lengths = [2, 1, 0.6];

/**
 * Replays the mornings of some firms in minutes, with one worker and a storage that is as far away as assumed, and
 * compares how long each file waits until it is listed and printed with what the simulation says.
 *
 * @param document - has the costs of each
 */
export async function replayMorning(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const wholeSeconds = firmCount * filesOfMorning * secondsPerFile(costs);
  const database = await startSandboxPart('database');
  const storage = await startCountedStorage(assumed.storageMs);
  const knex = createKnex(database.settings['DATABASE_URL'] ?? '', { poolSize: 2 });
  await surviveCrashes(knex);
  const service = await startUploadService({ ...database.settings, ...storage.settings });
  try {
    const firms: UploadingFirm[] = [];
    for (let index = 0; index < firmCount; index += 1) {
      firms.push(await service.createFirm(filesOfMorning * statementsPerFile));
    }
    const rows: string[][] = [];
    for (const [index, length] of lengths.entries()) {
      const arrivals = arriveInTheMorning({
        ...{ firms: firmCount, filesOfEach: filesOfMorning, seconds: wholeSeconds * length },
        random: seededRandom(index),
      });
      const replayed = await replay(knex, firms, 1 + index, arrivals);
      const simulated = simulateWorkers(arrivals, {
        ...{ ...stagesOf(costs), workers: 1, scanSeconds, searchSeconds },
      });
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
    await storage.stop();
    await database.stop();
  }
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
  arrivals: readonly Arrival[],
): Promise<Waits> {
  const names = arrivals.map(() => `${randomUUID()}.cod`);
  const uploadedAt = new Map<string, number>();
  const listed = new Map<string, number>();
  const printed = new Map<string, number>();
  const started = performance.now();
  const uploading = arrivals.map(async ({ firm: index, at }, file) => {
    const firm = firms[index];
    const first = (file % filesOfMorning) * statementsPerFile;
    const ibans = firm?.ibans.slice(first, first + statementsPerFile) ?? [];
    await wait(at * 1_000 - (performance.now() - started));
    const name = names[file] ?? '';
    uploadedAt.set(name, performance.now());
    await firm?.upload(name, bankStatements(ibans, number));
  });
  const watching = until('all files are printed', 250, async () => {
    for (const { name, isPrinted } of await findRead(knex, number)) {
      const at = uploadedAt.get(name);
      if (at === undefined) continue;
      const waited = (performance.now() - at) / 1_000;
      if (!listed.has(name)) listed.set(name, waited);
      if (isPrinted && !printed.has(name)) printed.set(name, waited);
    }
    return printed.size === arrivals.length;
  });
  await Promise.all([...uploading, watching]);
  const inOrder = (waits: ReadonlyMap<string, number>) =>
    names.map((name) => waits.get(name) ?? Number.NaN);
  return { listed: inOrder(listed), printed: inOrder(printed) };
}

/** Returns the names of the uploads of statements with this number that were read, and which have all their PDFs. */
async function findRead(
  knex: Knex,
  number: number,
): Promise<{ name: string; isPrinted: boolean }[]> {
  const { rows } = await knex.raw(
    `select substring(u.object_key from '[^/]+$') as name, bool_and(f.pdf_status = 'present') as "isPrinted"
       from uploads u join files f on f.upload_id = u.id
      where u.settled_on is not null and f.statement_number = ? group by u.id`,
    [number],
  );
  return rows;
}
