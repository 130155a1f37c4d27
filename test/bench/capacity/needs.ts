import { readFile } from 'node:fs/promises';
import { percentile } from '../statistics.js';
import { readTable, type Table } from '../table.js';
import { assumed } from './assumptions.js';
import { arriveInTheMorning, simulateWorkers } from './morning.js';
import type { resources } from './resources.js';

type Resource = (typeof resources)[number];

const firmCounts = [100, 1_000, 10_000];
const idle = 'a second without work';
const statement = 'statement, in a file of 50';

/** The work of a firm: the name of its row in the costs, and how often a firm does it. */
const work: readonly (readonly [name: string, perSecond: number, perYear: number])[] = [
  ...[statement, 'file in a list, with its PDF', 'file acknowledged, 100 at once'].map(
    (name) =>
      [
        name,
        (assumed.accounts * assumed.inTheMorning * assumed.peak) / assumed.morningSeconds,
        assumed.accounts * assumed.workingDays,
      ] as const,
  ),
  ['poll of files without news', ...polls(assumed.filePollsPerHour)],
  ['poll of mandates without news', ...polls(assumed.mandatePollsPerHour)],
  [
    'customer with a mandate that is signed',
    assumed.mandatesPerYear / assumed.workingDays / (assumed.hours * 3_600),
    assumed.mandatesPerYear,
  ],
];

function polls(perHour: number): [perSecond: number, perYear: number] {
  return [perHour / 3_600, perHour * assumed.hours * assumed.workingDays];
}

/** Calculates what firms need at the peak of the morning. */
export async function calculateNeeds(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const rows = firmCounts.map((firms) => {
    const { services, workers, databaseCores } = coresOf(costs, firms);
    const { connections, memory } = assumed;
    const opened = services * connections.service + workers * connections.worker;
    const mebibytes = (services + workers) * memory.process + opened * memory.connection;
    const downloads = firms * assumed.downloads * (work[0]?.[1] ?? 0);
    const requests = perSecond(costs, 'storage requests', firms) + downloads;
    return [
      ...[firms, firms * assumed.accounts, services, workers, databaseCores, opened],
      ...[mebibytes / 1024, requests, perSecond(costs, 'WAL KiB', firms) / 1024],
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
  const gibibytes = (resource: Resource, firms: number) =>
    (firms * sum(work.map(([name, , perYear]) => perYear * costs(name, resource)))) / 2 ** 20;
  const rows = firmCounts.map((firms) => {
    const [database, wal, storage] = (['database KiB', 'WAL KiB', 'storage KiB'] as const).map(
      (resource) => gibibytes(resource, firms),
    );
    const files = firms * assumed.accounts * assumed.workingDays * 10;
    const tebibytes = [database, storage].map((each = 0) => (each * 10) / 1024);
    // A statement is a CODA file and a PDF.
    return [firms, database, wal, storage, files / 1e6, (2 * files) / 1e6, ...tebibytes];
  });
  return {
    head: [
      ...['firms', 'database GiB a year', 'WAL GiB a year', 'storage GiB a year'],
      ...['million files after ten years', 'million objects', 'database TiB', 'storage TiB'],
    ],
    rows: rows.map((row) => row.map((value = 0) => formatNumber(value))),
  };
}

/** Simulates how long files wait in the morning, with the workers of `calculateNeeds`, half and a quarter of them. */
export async function simulateMornings(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const { statementsPerFile, morningSeconds, scanSeconds } = assumed;
  const seconds = (name: string) => (costs(name, 'worker CPU ms') * statementsPerFile) / 1_000;
  const printSeconds = seconds('PDF of a statement');
  const listSeconds = seconds(statement) - printSeconds;
  const rows = firmCounts.flatMap((firms) => {
    const files = (firms * assumed.accounts * assumed.inTheMorning) / statementsPerFile;
    const arrivals = arriveInTheMorning(files, morningSeconds);
    const { workers: all } = coresOf(costs, firms);
    const workerCounts = new Set([all, all / 2, all / 4].map(Math.ceil));
    return [...workerCounts].map((workers) => {
      const options = { workers, listSeconds, printSeconds, scanSeconds };
      const { listed, printed } = simulateWorkers(arrivals, options);
      return [firms, workers, ...[listed, printed].map((waits) => percentile(waits, 95))];
    });
  });
  return {
    head: ['firms', 'workers', 'until listed s', 'until printed s'],
    rows: rows.map((row) => row.map(formatNumber)),
  };
}

type Costs = (name: string, resource: Resource) => number;

/** Reads what each costs from the table of a document. */
async function readCosts(document: string): Promise<Costs> {
  const { head, rows } = readTable(await readFile(document, 'utf8'), 'unit-costs');
  return (name, resource) => {
    const cost = Number(rows.find(([first]) => first === name)?.[head.indexOf(resource)]);
    if (Number.isNaN(cost)) throw new Error(`There is no ${resource} of ${name}`);
    return cost;
  };
}

/** Returns what all firms use in a second of the peak. */
function perSecond(costs: Costs, resource: Resource, firms: number): number {
  return firms * sum(work.map(([name, times]) => times * costs(name, resource)));
}

/** Returns the number of processes, of one core each, and of cores of the database. Idle workers use both too. */
function coresOf(costs: Costs, firms: number) {
  const available = 1_000 * assumed.busy;
  const processes = (resource: Resource) =>
    Math.max(
      assumed.processes,
      Math.ceil(perSecond(costs, resource, firms) / (available - costs(idle, resource))),
    );
  const workers = processes('worker CPU ms');
  const database = 'database CPU ms';
  const databaseMs = perSecond(costs, database, firms) + workers * costs(idle, database);
  return {
    services: processes('service CPU ms'),
    workers,
    databaseCores: databaseMs / available,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Two digits are all that such an estimate has, but processes and firms are counted. */
function formatNumber(value: number): string {
  const shown = Number.isInteger(value) ? value : Number(value.toPrecision(2));
  return shown.toLocaleString('en', { maximumSignificantDigits: 12 });
}
