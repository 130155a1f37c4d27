import type { Table } from '../table.js';
import { assumed } from './assumptions.js';
import { readCosts, readSharedSeconds } from './unit-table.js';
import { firmCounts, formatNumber, gibibytesPerYear, needsOf } from './work.js';

const { accounts, workingDays } = assumed;

/** A CODA file and a PDF. */
const objectsOfStatement = 2;

/** Calculates what firms need at the peak of the morning. */
export async function calculateNeeds(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const rows = firmCounts.map((firms) => {
    const needed = needsOf(costs, firms);
    return [
      ...[firms, firms * accounts, needed.services, needed.workers, needed.databaseCores],
      ...[needed.connections, needed.memoryGibibytes],
      ...[needed.storageRequestsPerSecond, needed.walMebibytesPerSecond],
    ];
  });
  return {
    head: [
      ...['firms', 'statements a day', 'services', 'workers', 'database cores', 'connections'],
      ...['memory GiB', 'storage requests/s', 'WAL MiB/s'],
    ],
    rows: rows.map((row) => row.map(formatNumber)),
  };
}

/** Calculates what accumulates, if nothing is removed. */
export async function calculateData(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const rows = firmCounts.map((firms) => {
    const [database = 0, wal = 0, storage = 0] = (
      ['database KiB', 'WAL KiB', 'storage KiB'] as const
    ).map((resource) => gibibytesPerYear(costs, resource, firms));
    const files = (firms * accounts * workingDays * assumed.statementYears) / 1e6;
    const tebibytes = [database, storage].map((each) => (each * assumed.statementYears) / 1024);
    return [firms, database, wal, storage, files, objectsOfStatement * files, ...tebibytes];
  });
  return {
    head: [
      ...['firms', 'database GiB a year', 'WAL GiB a year', 'storage GiB a year'],
      ...['million files after ten years', 'million objects', 'database TiB', 'storage TiB'],
    ],
    rows: rows.map((row) => row.map(formatNumber)),
  };
}

/** Calculates how many firms there are when each part reaches its limit. */
export async function calculateLimits(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const sharedSeconds = await readSharedSeconds(document);
  const { limits, busy, searchSeconds } = assumed;
  type Needs = ReturnType<typeof needsOf>;
  const ofLimit = (part: keyof Needs & keyof typeof limits) => (needs: Needs) =>
    needs[part] / limits[part];
  const parts: [string, (needs: Needs, firms: number) => number][] = [
    [`${limits.connections} connections`, ofLimit('connections')],
    [`WAL, ${limits.walMebibytesPerSecond} MiB/s`, ofLimit('walMebibytesPerSecond')],
    [`database, ${limits.databaseCores} cores`, ofLimit('databaseCores')],
    [
      `storage, ${limits.storageRequestsPerSecond.toLocaleString('en')} requests/s`,
      ofLimit('storageRequestsPerSecond'),
    ],
    [
      `disk of the database, ${limits.databaseTebibytes} TiB after ten years`,
      (_, firms) =>
        (gibibytesPerYear(costs, 'database KiB', firms) * assumed.statementYears) /
        1024 /
        limits.databaseTebibytes,
    ],
    [
      'one worker that seals the audit trail',
      ({ auditEntriesPerSecond }) => (auditEntriesPerSecond * sharedSeconds('entry')) / busy,
    ],
    [
      'one worker that scans the upload buckets',
      // One that is not read and removed before the next scan is found again.
      ({ uploadsPerSecond }) =>
        (uploadsPerSecond * (sharedSeconds('upload') + sharedSeconds('foundAgain'))) / busy,
    ],
    [
      'one worker that removes old statements',
      (_, firms) =>
        (firms * accounts * workingDays * objectsOfStatement * sharedSeconds('removal')) /
        (365 * 86_400) /
        busy,
    ],
    [
      'one worker that looks for files to print',
      (_, firms) => (firms * sharedSeconds('firm')) / searchSeconds / busy,
    ],
  ];
  return {
    head: ['limit', 'firms'],
    rows: parts
      .map(([name, partOfLimit]) => ({
        name,
        firms: firmsUntil((firms) => partOfLimit(needsOf(costs, firms), firms)),
      }))
      .toSorted((a, b) => a.firms - b.firms)
      .map(({ name, firms }) => [name, formatNumber(Number(firms.toPrecision(2)))]),
  };
}

/** Returns the largest number of firms, up to ten million, with which a part that grows stays below its limit. */
function firmsUntil(partOfLimit: (firms: number) => number): number {
  let [fits, tooMany] = [0, 10_000_000];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (partOfLimit(middle) > 1) tooMany = middle;
    else fits = middle;
  }
  return fits;
}
