import { setTimeout as wait } from 'node:timers/promises';
import { bankStatements } from './bank-statement.js';
import { assumed } from './capacity.js';
import { arriveInTheMorning, simulateWorkers } from './morning.js';
import { median, percentile } from './statistics.js';
import type { Table } from './table.js';
import { startUploadService, type UploadingFirm, untilListed } from './upload-service.js';

const firms = 2;
/** Statements of each account. */
const statements = 3;
/** How long the morning lasts, as a part of the time in which one worker could read everything. */
const lengths = [1.7, 1, 0.6];

/**
 * Replays the mornings of two firms in minutes, with one worker, and compares how long files wait until they are
 * listed with what the simulation says.
 */
export async function replayMorning(): Promise<Table> {
  const service = await startUploadService();
  try {
    const all: UploadingFirm[] = [];
    for (let index = 0; index < firms; index += 1) {
      all.push(await service.createFirm(assumed.accounts));
    }
    const files = (firms * assumed.accounts * statements) / assumed.statementsPerFile;
    const started = performance.now();
    await replay(all, 0, new Array<number>(files).fill(0));
    await service.untilPrinted();
    const secondsPerFile = (performance.now() - started) / 1000 / files;
    const rows: string[][] = [];
    for (const [index, length] of lengths.entries()) {
      const arrivals = arriveInTheMorning(files, secondsPerFile * files * length);
      const seconds = arrivals.map(({ at }) => at);
      const measured = await replay(all, 1 + index, seconds);
      await service.untilPrinted();
      const simulated = simulateWorkers(arrivals, 1, secondsPerFile);
      rows.push([
        `${(100 / length).toFixed(0)} %`,
        ...[median(measured), median(simulated)].map((seconds) => seconds.toFixed(1)),
        ...[percentile(measured, 95), percentile(simulated, 95)].map((seconds) =>
          seconds.toFixed(1),
        ),
      ]);
    }
    return {
      head: ['load of the worker', 'median s', 'simulated', '95th percentile s', 'simulated too'],
      rows,
    };
  } finally {
    await service.stop();
  }
}

/**
 * Uploads the files of all firms at these seconds.
 *
 * @param morning - its number, from 0
 * @returns how long each file waited until it was listed, in seconds
 */
async function replay(
  all: readonly UploadingFirm[],
  morning: number,
  seconds: readonly number[],
): Promise<number[]> {
  const started = performance.now();
  const { accounts, statementsPerFile } = assumed;
  const before = await Promise.all(all.map((firm) => firm.countListed()));
  const waits: number[] = [];
  // One for each firm, whose files are read in the order in which they were uploaded.
  const reading = all.map(() => Promise.resolve());
  for (const [index, second] of seconds.entries()) {
    const of = index % all.length;
    const firm = all[of];
    if (firm === undefined) continue;
    const turn = Math.floor(index / all.length);
    const first = (turn * statementsPerFile) % accounts;
    const number = 1 + morning * statements + Math.floor((turn * statementsPerFile) / accounts);
    await wait(Math.max(0, second * 1000 - (performance.now() - started)));
    const uploaded = performance.now();
    const ibans = firm.ibans.slice(first, first + statementsPerFile);
    await firm.upload(`${morning}-${turn}.cod`, bankStatements(ibans, number));
    const listed = (before[of] ?? 0) + (turn + 1) * statementsPerFile;
    reading[of] = (reading[of] ?? Promise.resolve())
      .then(() => untilListed(firm, listed))
      .then(() => {
        waits.push((performance.now() - uploaded) / 1000);
      });
  }
  await Promise.all(reading);
  return waits;
}
