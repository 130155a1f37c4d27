import { runCommand } from '../../support/run-command.js';
import type { Table } from '../table.js';

const sizes = [1, 10, 100, 500];

interface Reading {
  readonly statements: number;
  readonly movements: number;
  /** MB per second of wall time, and per second of CPU time. */
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** Peak resident memory in bytes. */
  readonly highest: number;
}

export async function benchReadCoda(): Promise<Table> {
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
  return { head, rows };
}

async function read(megabytes: number): Promise<Reading> {
  const program = ['--conditions=adx-source', '--import', 'tsx', 'test/bench/coda/coda-process.ts'];
  return JSON.parse(await runCommand('node', [...program, String(megabytes)]));
}
