import { readTable, type Table, valueIn } from '../table.js';
import { units, works } from './unit-table.js';

/*
 * Calculates the needs of an installation at the peak from the costs of each call and statement
 * (`unit-costs`) and the speed of one worker (`one-worker`). All figures are of one firm unless
 * they say otherwise.
 */

const accounts = 500;

/** Banks deliver on working days. */
const daysOfYear = 250;

/** 70 % of a day's statements come within two hours, in the first minutes twice the average. */
const inTheMorning = 0.7;
const morningSeconds = 2 * 3600;
const firstMinutes = 2;

const statementsPerFile = 50;

/** The years for which statements are kept (`STATEMENT_YEARS`). */
const years = 10;

/** The objects of a statement: its file and its PDF. */
const objectsOfStatement = 2;

/** The polls of a software for files and for mandates, and its new ID tokens, all day long. */
const pollSeconds = { files: 300, mandates: 3_600, tokens: 3_600 };

/** New customers of a firm in a year, each with a mandate. */
const newCustomers = 50;

const workingSeconds = daysOfYear * 8 * 3600;

/** How much of a core or of a worker may be used at the peak. */
const usable = 0.5;

/** A large server of the database, by the limits of today's clouds. */
export const limits = { cores: 64, disk: 64, connections: 100, wal: 250 };

/** Connections that a process opens (`DATABASE_POOL_SIZE`), and those of its jobs. */
const poolSize = 10;
const jobConnections = 6;

/** How often each is done in a second of the peak. */
function ratesOf(firms: number) {
  const statements = (firms * accounts * inTheMorning * firstMinutes) / morningSeconds;
  return {
    [units.statement]: statements,
    [units.listed]: statements,
    [units.acknowledged]: statements,
    [units.filePoll]: firms / pollSeconds.files,
    [units.mandatePoll]: firms / pollSeconds.mandates,
    [units.refresh]: firms / pollSeconds.tokens,
    [units.credentials]: statements / statementsPerFile,
    [units.mandate]: (firms * newCustomers) / workingSeconds,
  };
}

/** How often each is done in a year. */
function yearOf(firms: number) {
  const statements = firms * accounts * daysOfYear;
  const year = 365 * 86_400;
  return {
    [units.statement]: statements,
    [units.acknowledged]: statements,
    [units.filePoll]: (firms * year) / pollSeconds.files,
    [units.mandatePoll]: (firms * year) / pollSeconds.mandates,
    [units.credentials]: statements / statementsPerFile,
    [units.mandate]: firms * newCustomers,
  };
}

/** Tables that were measured. */
interface Measured {
  readonly costs: Table;
  readonly works: Table;
}

/** Returns the tables on the page of capacity. */
export function measuredOn(page: string): Measured {
  return { costs: readTable(page, 'unit-costs'), works: readTable(page, 'one-worker') };
}

/** A resource, and how much of it one server or one worker has. */
interface Need {
  readonly name: string;
  readonly limit: number;
  readonly of: (firms: number) => number;
}

function needsOf({ costs, works: table }: Measured): Need[] {
  const sum = (rates: Readonly<Record<string, number>>, resource: string) =>
    Object.entries(rates).reduce((all, [unit, rate]) => {
      const cost = valueIn(costs, unit, resource);
      return all + rate * Math.max(0, cost ?? 0);
    }, 0);
  const cores = (part: string) => (firms: number) => sum(ratesOf(firms), `${part} CPU ms`) / 1000;
  /** At least two of both, so that one may fail. */
  const processes = (part: string) => (firms: number) =>
    Math.max(2, Math.ceil(cores(part)(firms) / usable));
  const workers = processes('worker');
  const services = processes('service');
  const oneWorker = (work: string) => (valueIn(table, work, 'one worker/s') ?? 0) * usable;
  const removedOfYear = (firms: number) => firms * accounts * daysOfYear;
  const year = 365 * 86_400;
  const ofServer: Need[] = [
    { name: 'cores of the database', limit: limits.cores * usable, of: cores('database') },
    {
      name: `TiB of the database, ${years} years`,
      limit: limits.disk,
      of: (firms) => (years * sum(yearOf(firms), 'database KiB')) / 2 ** 30,
    },
    {
      name: 'MiB of WAL a second',
      limit: limits.wal,
      of: (firms) => sum(ratesOf(firms), 'WAL KiB') / 1024,
    },
  ];
  return [
    {
      name: 'connections without PgBouncer',
      limit: limits.connections,
      of: (firms) => services(firms) * poolSize + workers(firms) * (poolSize + jobConnections),
    },
    ...ofServer,
    {
      name: 'servers of the database',
      limit: Number.POSITIVE_INFINITY,
      of: (firms) => Math.max(...ofServer.map(({ limit, of }) => Math.ceil(of(firms) / limit))),
    },
    {
      name: 'uploads found a second',
      limit: oneWorker(works.found),
      of: (firms) => ratesOf(firms)[units.statement] / statementsPerFile,
    },
    {
      name: 'audit entries sealed a second',
      limit: oneWorker(works.sealed),
      of: (firms) => sum(ratesOf(firms), 'audit entries'),
    },
    {
      name: 'old statements erased a second',
      limit: oneWorker(works.erased),
      of: (firms) => removedOfYear(firms) / year,
    },
    {
      name: 'objects removed a second',
      limit: oneWorker(works.removed),
      of: (firms) => (removedOfYear(firms) * objectsOfStatement) / year,
    },
    { name: 'cores of services', limit: Number.POSITIVE_INFINITY, of: cores('service') },
    { name: 'cores of workers', limit: Number.POSITIVE_INFINITY, of: cores('worker') },
  ];
}

const sizes = [100, 1_000, 10_000, 100_000];

const heads = { limit: 'limit', full: 'thousand firms until it is full' };

export const fullAt = heads.full;

/** Returns what is needed for so many firms, and for how many firms there is enough of it. */
export function capacityOf(measured: Measured): Table {
  return {
    head: ['', ...sizes.map((firms) => firms.toLocaleString('en')), heads.limit, heads.full],
    rows: needsOf(measured).map(({ name, limit, of }) => [
      name,
      ...sizes.map((firms) => shown(of(firms))),
      Number.isFinite(limit) ? shown(limit) : '–',
      Number.isFinite(limit) ? shown(firmsUntil(limit, of) / 1000) : '–',
    ]),
  };
}

/** Returns the rows of what is full before 100,000 firms, for the plot. */
export function fullFirst({ head, rows }: Table): Table {
  return { head, rows: rows.filter((row) => Number(row.at(-1)?.replaceAll(',', '')) < 100) };
}

/** Returns the largest number of firms for which a need stays within its limit. */
function firmsUntil(limit: number, of: (firms: number) => number): number {
  let [fits, full] = [0, 10_000_000];
  while (full - fits > 1) {
    const middle = Math.floor((fits + full) / 2);
    if (of(middle) <= limit) fits = middle;
    else full = middle;
  }
  return fits;
}

/** Returns a number with two digits that count. */
function shown(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 2 : 3 });
}
