import { setTimeout as wait } from 'node:timers/promises';
import { bankStatements } from './bank-statement.js';
import { assumed } from './capacity.js';
import { arriveInTheMorning, simulateWorkers } from './morning.js';
import { percentile } from './statistics.js';
import type { Table } from './table.js';
import {
  startUploadService,
  type UploadingFirm,
  untilListed,
  untilPrinted,
} from './upload-service.js';

const firms = 2;
/** Statements of each account. */
const statements = 3;
/** How long the morning lasts, as a part of the time in which one worker could read everything. */
const lengths = [1.7, 1, 0.6];

/**
 * Replays the mornings of two firms in minutes, with one worker, and compares how long files wait until they are
 * listed and printed with what the simulation says.
 */
export async function replayMorning(): Promise<Table> {
  const service = await startUploadService();
  try {
    const all: UploadingFirm[] = [];
    for (let index = 0; index < firms; index += 1) {
      all.push(await service.createFirm(assumed.accounts));
    }
    const files = (firms * assumed.accounts * statements) / assumed.statementsPerFile;
    const atOnce = await replay(all, 0, new Array<number>(files).fill(0));
    const secondsToList = Math.max(...atOnce.listed) / files;
    const secondsToPrint = Math.max(...atOnce.printed) / files;
    const rows: string[][] = [];
    for (const [index, length] of lengths.entries()) {
      const arrivals = arriveInTheMorning(files, secondsToPrint * files * length);
      const seconds = arrivals.map(({ at }) => at);
      const { listed, printed } = await replay(all, 1 + index, seconds);
      const simulated = [secondsToList, secondsToPrint].map((each) =>
        simulateWorkers(arrivals, 1, each),
      );
      rows.push([
        `${(100 / length).toFixed(0)} %`,
        ...[listed, simulated[0], printed, simulated[1]].map((waits = []) =>
          percentile(waits, 95).toFixed(1),
        ),
      ]);
    }
    return {
      head: [
        ...['load of the worker', 'until listed s', 'listed, simulated s'],
        ...['until printed s', 'printed, simulated s'],
      ],
      rows,
    };
  } finally {
    await service.stop();
  }
}

/** How long each file waited, in seconds. */
interface Waits {
  readonly listed: readonly number[];
  readonly printed: readonly number[];
}

/**
 * Uploads the files of all firms at these seconds, and waits until all are listed and printed.
 *
 * @param morning - its number, from 0
 */
async function replay(
  all: readonly UploadingFirm[],
  morning: number,
  seconds: readonly number[],
): Promise<Waits> {
  const started = performance.now();
  const { accounts, statementsPerFile } = assumed;
  const before = await Promise.all(all.map((firm) => firm.countListed()));
  const waits = { listed: [] as number[], printed: [] as number[] };
  // One of each for each firm, whose files are read and printed in the order in which they were uploaded.
  const reading = all.map(() => Promise.resolve());
  const printing = all.map(() => Promise.resolve());
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
    const count = (before[of] ?? 0) + (turn + 1) * statementsPerFile;
    const record = (kind: keyof Waits) => () => {
      waits[kind].push((performance.now() - uploaded) / 1000);
    };
    reading[of] = (reading[of] ?? Promise.resolve())
      .then(() => untilListed(firm, count))
      .then(record('listed'));
    printing[of] = (printing[of] ?? Promise.resolve())
      .then(() => untilPrinted(firm, count))
      .then(record('printed'));
  }
  await Promise.all([...reading, ...printing]);
  return waits;
}
