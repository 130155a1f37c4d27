import { runCommand } from '../support/run-command.js';
import { formatTable } from './statistics.js';

const sizes = [1, 10, 100, 500];

interface Reading {
  readonly statements: number;
  readonly movements: number;
  /** MB, by the clock and by the time the process was running. */
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** Bytes resident, the most that was seen. */
  readonly highest: number;
}

/** How fast CODA files are read, with all checks, and how much memory it takes. */
export async function benchReadCoda(): Promise<string> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const { statements, movements, perSecond, perCpuSecond, highest } = await read(size);
    rows.push([
      `${size} MB`,
      statements.toLocaleString('en'),
      movements.toLocaleString('en'),
      perSecond.toFixed(0),
      perCpuSecond.toFixed(0),
      (highest / 2 ** 20).toFixed(0),
    ]);
  }
  const head = ['file', 'statements', 'movements', 'MB/s', 'MB/CPU s', 'highest RSS (MiB)'];
  return formatTable(head, rows);
}

async function read(megabytes: number): Promise<Reading> {
  const { exitCode, output } = await runCommand(
    'node',
    '--conditions=adx-source',
    '--import',
    'tsx',
    'test/bench/coda-process.ts',
    String(megabytes),
  );
  if (exitCode !== 0) throw new Error(output);
  return JSON.parse(output);
}
