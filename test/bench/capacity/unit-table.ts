import { readFile } from 'node:fs/promises';
import { readTable } from '../table.js';

/** The rows of the unit costs. */
export const units = {
  idle: 'a second without work',
  single: 'statement, a file of its own',
  statement: 'statement, in a file of 50',
  pdf: 'PDF of a statement',
  listed: 'file in a list, with its PDF',
  acknowledged: 'file acknowledged, 100 at once',
  filePoll: 'poll of files without news',
  mandatePoll: 'poll of mandates without news',
  signIn: 'sign-in',
  refresh: 'new ID token',
  credentials: 'upload credentials',
  mandate: 'customer with a mandate that is signed',
} as const;

export type Unit = keyof typeof units;

/** The columns of the unit costs. */
export const resources = [
  'service CPU ms',
  'worker CPU ms',
  'database CPU ms',
  'rows written',
  'audit entries',
  'WAL KiB',
  'database KiB',
  'storage KiB',
  'storage requests',
] as const;

export type Resource = (typeof resources)[number];

/** The rows of the work that one worker does for all. */
export const sharedWorks = {
  entry: 'entry of the audit trail, sealed',
  firm: 'firm, searched for files to print',
  upload: 'upload in a bucket, found by a scan',
  foundAgain: 'upload in a bucket, found again',
  removal: 'object of an old statement, removed',
} as const;

/** Returns true if the service has no part in a unit: what it uses at the same time is chance. */
export function hasNoPart(unit: string, resource: Resource): boolean {
  const ofWorkers: readonly string[] = [units.single, units.statement, units.pdf];
  return resource === 'service CPU ms' && ofWorkers.includes(unit);
}

/** Returns how much of a resource one unit of work uses, such as the CPU time of one poll. */
export type Costs = (unit: Unit, resource: Resource) => number;

/** Reads what each costs from the table of a document. A cost below zero is as good as none. */
export async function readCosts(document: string): Promise<Costs> {
  const costOf = await readCells(document, 'unit-costs');
  return (unit, resource) => Math.max(0, costOf(units[unit], resource));
}

/** Reads how long one worker needs for each, in seconds, from the table of a document. */
export async function readSharedSeconds(
  document: string,
): Promise<(work: keyof typeof sharedWorks) => number> {
  const costOf = await readCells(document, 'one-worker');
  return (work) => costOf(sharedWorks[work], 'µs') / 1e6;
}

/** Reads the numbers of a table. A dash counts as none. */
async function readCells(document: string, table: string) {
  const { head, rows } = readTable(await readFile(document, 'utf8'), table);
  return (row: string, column: string): number => {
    const cell = rows.find(([first]) => first === row)?.[head.indexOf(column)];
    const number = cell === '–' ? 0 : Number(cell);
    if (Number.isNaN(number)) throw new Error(`There is no ${column} of ${row}`);
    return number;
  };
}
