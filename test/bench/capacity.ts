import { readFile } from 'node:fs/promises';
import { arriveInTheMorning, simulateWorkers } from './morning.js';
import { percentile } from './statistics.js';
import { readTable, type Table } from './table.js';

/** What a firm does; `docs/capacity.md` says why. */
export const assumed = {
  accounts: 500,
  /** Statements of an account in a year, and on one of its 250 working days. */
  statementsPerYear: 250,
  /** The part of a day's statements that arrives in the two hours of the morning. */
  inTheMorning: 0.7,
  morningSeconds: 7_200,
  /** Statements in a file that a firm uploads. */
  statementsPerFile: 50,
  /** Polls of an hour, on each of the 12 hours of a day. */
  filePollsPerHour: 12,
  mandatePollsPerHour: 1,
  hours: 12,
  /** New or renewed mandates of a firm in a year. */
  mandatesPerYear: 100,
  /** The share of a core that may be busy in the morning. */
  busy: 0.6,
};

const statementsPerDay = (assumed.accounts * assumed.statementsPerYear) / 250;
const firmCounts = [100, 1_000, 10_000];

/** The costs of one statement, poll or mandate, by the column of the table. */
type Costs = Readonly<Record<string, number>>;

async function readCosts(document: string): Promise<(row: string) => Costs> {
  const { head, rows } = readTable(await readFile(document, 'utf8'), 'unit-costs');
  return (name) => {
    const row = rows.find(([first]) => first === name);
    if (row === undefined) throw new Error(`There are no costs of ${name}`);
    return Object.fromEntries(head.map((column, index) => [column, Number(row[index])]));
  };
}

/** Calculates from the unit costs what firms need: cores in the morning, and what accumulates. */
export async function calculateNeeds(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const { accounts, statementsPerYear, inTheMorning, morningSeconds, busy } = assumed;
  /** How often a firm does each, in a second of the morning and in a year. */
  const work: [name: string, perSecond: number, perYear: number][] = [
    ...[
      'statement, in a file of 50',
      'file in a list, with its PDF',
      'file acknowledged, 100 at once',
    ].map((name): [string, number, number] => [
      name,
      (statementsPerDay * inTheMorning) / morningSeconds,
      accounts * statementsPerYear,
    ]),
    ['poll of files without news', ...polls(assumed.filePollsPerHour)],
    ['poll of mandates without news', ...polls(assumed.mandatePollsPerHour)],
    [
      'customer with a mandate that is signed',
      assumed.mandatesPerYear / 250 / (assumed.hours * 3600),
      assumed.mandatesPerYear,
    ],
  ];
  const inASecond = (column: string, firms: number) =>
    firms * sum(work.map(([name, perSecond]) => perSecond * (costs(name)[column] ?? 0)));
  const inAYear = (column: string, firms: number) =>
    firms * sum(work.map(([name, , perYear]) => perYear * (costs(name)[column] ?? 0)));
  const rows = firmCounts.map((firms) => {
    const cores = (column: string) => inASecond(column, firms) / 1000 / busy;
    const gibibytes = (column: string) => inAYear(column, firms) / 2 ** 20;
    return [
      number(firms),
      number(firms * statementsPerDay),
      ...['service CPU ms', 'worker CPU ms', 'database CPU ms'].map((column) =>
        number(cores(column)),
      ),
      number(inASecond('storage requests', firms)),
      ...['database KiB', 'WAL KiB', 'storage KiB'].map((column) => number(gibibytes(column))),
    ];
  });
  return {
    head: [
      'firms',
      'statements a day',
      'cores, service',
      'cores, workers',
      'cores, database',
      'storage requests/s',
      'database GiB a year',
      'WAL GiB a year',
      'storage GiB a year',
    ],
    rows,
  };
}

/** How often a firm polls in a second, and in a year. */
function polls(perHour: number): [number, number] {
  return [perHour / 3600, perHour * assumed.hours * 250];
}

/** Simulates how long statements wait in the morning until they are listed, and printed, with so many workers. */
export async function simulateMornings(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const secondsOf = (name: string) =>
    ((costs(name)['worker CPU ms'] ?? 0) * assumed.statementsPerFile) / 1000;
  const whole = secondsOf('statement, in a file of 50');
  const rows = firmCounts.flatMap((firms) => {
    const inTheMorning = firms * statementsPerDay * assumed.inTheMorning;
    const files = inTheMorning / assumed.statementsPerFile;
    const arrivals = arriveInTheMorning(files, assumed.morningSeconds);
    const least = Math.ceil((files * whole) / assumed.morningSeconds);
    const workerCounts = new Set([1, 1.5, 2].map((times) => Math.ceil(least * times)));
    return [...workerCounts].map((workers) => {
      const listed = simulateWorkers(arrivals, workers, whole - secondsOf('PDF of a statement'));
      const printed = simulateWorkers(arrivals, workers, whole);
      return [firms, workers, ...[listed, printed].map((waits) => percentile(waits, 95))].map(
        number,
      );
    });
  });
  return { head: ['firms', 'workers', 'until listed s', 'until printed s'], rows };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Two digits are all that such an estimate has. */
function number(value: number): string {
  return value >= 100
    ? Number(value.toPrecision(2)).toLocaleString('en')
    : `${Number(value.toPrecision(2))}`;
}
