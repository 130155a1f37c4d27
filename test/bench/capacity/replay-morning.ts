import { setTimeout as wait } from 'node:timers/promises';
import { bankStatements } from '../bank-statement.js';
import { percentile } from '../statistics.js';
import type { Table } from '../table.js';
import { until } from '../until.js';
import { startUploadService, type UploadingFirm, type UploadService } from '../upload-service.js';
import { assumed } from './assumptions.js';
import { arriveInTheMorning, simulateWorkers, type Waits } from './morning.js';
import { firms } from './seed-firms.js';

const firmCount = Math.min(3, firms);
/** Files of 50 statements, one of each account, that a firm uploads in a morning. */
const filesOfEach = assumed.accounts / assumed.statementsPerFile;
const files = firmCount * filesOfEach;
/** How long each morning lasts, as a part of the time in which the worker lists and prints everything. */
const lengths = [2, 1, 0.6];

/**
 * Replays the mornings of some firms in minutes, with one worker, and compares how long files wait until they
 * are listed and printed with what the simulation says.
 */
export async function replayMorning(): Promise<Table> {
  const service = await startUploadService();
  try {
    const uploading: UploadingFirm[] = [];
    for (let index = 0; index < firmCount; index += 1) {
      uploading.push(await service.createFirm(assumed.accounts));
    }
    // While it lists files that are all there, the worker also prints for half of the time.
    const atOnce = await replay(service, uploading, 1, new Array<number>(files).fill(0));
    const listSeconds = Math.max(...atOnce.listed) / files / 2;
    const wholeSeconds = Math.max(...atOnce.printed) / files;
    const work = { listSeconds, printSeconds: wholeSeconds - listSeconds };
    const rows: string[][] = [];
    for (const [index, length] of lengths.entries()) {
      const arrivals = arriveInTheMorning(files, wholeSeconds * files * length);
      const replayed = await replay(service, uploading, 2 + index, arrivals);
      const { scanSeconds } = assumed;
      const simulated = simulateWorkers(arrivals, { ...work, workers: 1, scanSeconds });
      const columns = [replayed.listed, simulated.listed, replayed.printed, simulated.printed];
      const waits = columns.map((times) => percentile(times, 95).toFixed(1));
      rows.push([`${(100 / length).toFixed(0)} %`, ...waits]);
    }
    return {
      head: [
        ...['average load', 'until listed s', 'listed, simulated s'],
        ...['until printed s', 'printed, simulated s'],
      ],
      rows,
    };
  } finally {
    await service.stop();
  }
}

/**
 * Uploads files of all firms at these seconds, and waits until all are listed and printed.
 *
 * @param number - the statement number of what is uploaded; all accounts have the statements before it
 */
async function replay(
  service: UploadService,
  firms: readonly UploadingFirm[],
  number: number,
  arrivals: readonly number[],
): Promise<Waits> {
  const waits = { listed: [] as number[], printed: [] as number[] };
  const uploadedAt: number[] = [];
  const started = performance.now();
  const uploading = (async () => {
    for (const [index, second] of arrivals.entries()) {
      const firm = firms[index % firms.length];
      const first = Math.floor(index / firms.length) * assumed.statementsPerFile;
      const ibans = firm?.ibans.slice(first, first + assumed.statementsPerFile) ?? [];
      await wait(Math.max(0, second * 1_000 - (performance.now() - started)));
      uploadedAt.push(performance.now());
      await firm?.upload(`${number}-${index}.cod`, bankStatements(ibans, number));
    }
  })();
  const before = (number - 1) * files;
  // Firms upload in turn, and workers serve them in turn, so files are read and printed about in the order in
  // which they were uploaded: it is enough to count them.
  const watching = until('all files are printed', 250, async () => {
    const listed = (await service.countRead()) - before;
    const printed = listed - (await service.countUnprinted()) / assumed.statementsPerFile;
    for (const [times, count] of [
      [waits.listed, listed] as const,
      [waits.printed, printed] as const,
    ]) {
      while (times.length < Math.floor(count)) {
        times.push((performance.now() - (uploadedAt[times.length] ?? 0)) / 1_000);
      }
    }
    return waits.printed.length === files;
  });
  await Promise.all([uploading, watching]);
  return waits;
}
