import { setTimeout as wait } from 'node:timers/promises';
import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { bankStatement, emptyStatements } from './bank-statement.js';
import { startUploadService, type UploadingFirm, untilListed } from './upload-service.js';

const rounds = Number(process.env['ADX_BENCH_ROUNDS'] ?? 20);
/** The number of files of the other firm that wait to be read, 1,500 statements each. */
const waitingFiles = 8;

export async function benchFairJobs(): Promise<Table> {
  const service = await startUploadService();
  try {
    const firm = await service.createFirm(1);
    await firm.upload('first.cod', bankStatement(firm.ibans[0] ?? '', 1));
    await untilListed(firm, 1);
    const idle = await measure(firm, 2);
    const other = await service.createFirm(20);
    const flood = startFlood(other);
    await untilListed(other, 1);
    const flooded = await measure(firm, rounds + 2);
    const isFlooded = (await other.countUnfinished()) > 0;
    await flood.stop();
    if (!isFlooded) throw new Error('The other firm had nothing left to read');
    return {
      head: ['until a statement is listed', 'idle ms', 'flooded ms', 'ratio'],
      rows: [
        [`median of ${rounds}`, idle.toFixed(0), flooded.toFixed(0), (flooded / idle).toFixed(2)],
      ],
    };
  } finally {
    await service.stop();
  }
}

async function measure(firm: UploadingFirm, firstNumber: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The scans are three seconds apart, and the rounds differ by when they upload.
    await wait((3_000 * round) / rounds);
    const listed = await firm.countListed();
    const started = performance.now();
    const number = firstNumber + round;
    await firm.upload(`${number}.cod`, bankStatement(firm.ibans[0] ?? '', number));
    await untilListed(firm, listed + 1);
    times.push(performance.now() - started);
  }
  return median(times);
}

function startFlood(firm: UploadingFirm): { stop(): Promise<void> } {
  let isStopped = false;
  const flooding = (async () => {
    for (let file = 0; !isStopped; ) {
      if ((await firm.countUnfinished()) >= waitingFiles) {
        await wait(100);
        continue;
      }
      const iban = firm.ibans[file % firm.ibans.length] ?? '';
      const year = 2010 + 2 * Math.floor(file / firm.ibans.length);
      await firm.upload(`${file}.cod`, emptyStatements(iban, year));
      file += 1;
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await flooding;
    },
  };
}
