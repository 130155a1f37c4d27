import type { Table } from '../table.js';
import { assumed } from './assumptions.js';
import { readCosts } from './unit-table.js';
import { firmCounts, formatNumber, gibibytesPerYear, needsOf } from './work.js';

const { accounts, workingDays } = assumed;

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
    // A statement is a CODA file and a PDF.
    return [firms, database, wal, storage, files, 2 * files, ...tebibytes];
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
  const { limits } = assumed;
  const rows = (
    [
      [`${limits.connections} connections`, (firms) => ofLimit(firms, 'connections')],
      [
        `WAL, ${limits.walMebibytesPerSecond} MiB/s`,
        (firms) => ofLimit(firms, 'walMebibytesPerSecond'),
      ],
      [`database, ${limits.databaseCores} cores`, (firms) => ofLimit(firms, 'databaseCores')],
      [
        `storage, ${limits.storageRequestsPerSecond.toLocaleString('en')} requests/s`,
        (firms) => ofLimit(firms, 'storageRequestsPerSecond'),
      ],
      [
        `disk of the database, ${limits.databaseTebibytes} TiB after ten years`,
        (firms) =>
          (gibibytesPerYear(costs, 'database KiB', firms) * assumed.statementYears) /
          1024 /
          limits.databaseTebibytes,
      ],
    ] satisfies [string, (firms: number) => number][]
  ).map(([name, partOfLimit]) => ({ name, firms: firmsUntil(partOfLimit) }));

  function ofLimit(
    firms: number,
    part: 'connections' | 'walMebibytesPerSecond' | 'databaseCores' | 'storageRequestsPerSecond',
  ): number {
    return needsOf(costs, firms)[part] / limits[part];
  }

  return {
    head: ['limit', 'firms'],
    rows: rows
      .toSorted((a, b) => a.firms - b.firms)
      .map(({ name, firms }) => [name, formatNumber(Number(firms.toPrecision(2)))]),
  };
}

/** Returns the largest number of firms, up to 100,000, with which a part that grows stays below its limit. */
function firmsUntil(partOfLimit: (firms: number) => number): number {
  let [fits, tooMany] = [0, 100_000];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (partOfLimit(middle) > 1) tooMany = middle;
    else fits = middle;
  }
  return fits;
}
