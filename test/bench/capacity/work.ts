import { PRINTED_AT_ONCE } from '../../../packages/server/src/files/print-files.js';
import { assumed } from './assumptions.js';
import type { Costs, Resource, Unit } from './unit-table.js';

/** The numbers of firms that the tables are for. */
export const firmCounts = [100, 1_000, 10_000];

/** How often a firm does something at the peak of the morning, and in a year. */
interface Frequency {
  readonly perSecond: number;
  readonly perYear: number;
}

const { accounts, statementsPerFile, workingDays } = assumed;

/** The work of a firm. */
const work: readonly (readonly [unit: Unit, frequency: Frequency])[] = [
  ['statement', onEachDay(accounts)],
  ['listed', onEachDay(accounts)],
  ['acknowledged', onEachDay(accounts)],
  ['credentials', onEachDay(accounts / statementsPerFile)],
  ['signIn', onEachDay(assumed.signIns)],
  ['refresh', inEachHour(assumed.refreshesPerHour)],
  ['filePoll', inEachHour(assumed.filePollsPerHour)],
  ['mandatePoll', inEachHour(assumed.mandatePollsPerHour)],
  ['mandate', inEachHour(assumed.mandatesPerYear / workingDays / assumed.hours)],
];

/** Returns the frequency of work that is done `times` times a day, mostly in the morning. */
function onEachDay(times: number): Frequency {
  const { inTheMorning, peak, morningSeconds } = assumed;
  return {
    perSecond: (times * inTheMorning * peak) / morningSeconds,
    perYear: times * workingDays,
  };
}

function inEachHour(times: number): Frequency {
  return { perSecond: times / 3_600, perYear: times * assumed.hours * workingDays };
}

/** Returns the time that a worker needs to list a statement, in ms. */
export function listMsOf(costs: Costs): number {
  return costs('statement', 'worker CPU ms') - costs('pdf', 'worker CPU ms');
}

/** Returns the time that a worker needs to print a statement, in ms: it waits for several at once. */
export function printMsOf(costs: Costs): number {
  return Math.max(costs('pdf', 'worker CPU ms'), printAloneMsOf(costs) / PRINTED_AT_ONCE);
}

/** Returns the time until one statement is printed, in ms. */
export function printAloneMsOf(costs: Costs): number {
  return costs('pdf', 'worker CPU ms') + costs('pdf', 'storage requests') * assumed.storageMs;
}

/** Returns what all firms use in a second of the peak. */
function perSecond(costs: Costs, resource: Resource, firms: number): number {
  return firms * sum(work.map(([unit, { perSecond: times }]) => times * costs(unit, resource)));
}

export function gibibytesPerYear(costs: Costs, resource: Resource, firms: number): number {
  return (
    (firms * sum(work.map(([unit, { perYear }]) => perYear * costs(unit, resource)))) / 2 ** 20
  );
}

/** Returns the number of processes, of one core each, and what else firms need. Idle workers use the database too. */
export function needsOf(costs: Costs, firms: number) {
  const available = 1_000 * assumed.busy;
  const processes = (ms: number, idleMs: number) =>
    Math.max(assumed.processes, Math.ceil(ms / (available - idleMs)));
  const statements = firms * onEachDay(accounts).perSecond;
  const services = processes(
    perSecond(costs, 'service CPU ms', firms),
    costs('idle', 'service CPU ms'),
  );
  const waiting = printMsOf(costs) - costs('pdf', 'worker CPU ms');
  const workers = processes(
    perSecond(costs, 'worker CPU ms', firms) + statements * waiting,
    costs('idle', 'worker CPU ms'),
  );
  const database = 'database CPU ms';
  const databaseMs = perSecond(costs, database, firms) + workers * costs('idle', database);
  const connections = services * assumed.connections.service + workers * assumed.connections.worker;
  const { memory } = assumed;
  return {
    services,
    workers,
    databaseCores: databaseMs / available,
    connections,
    memoryGibibytes:
      ((services + workers) * memory.process + connections * memory.connection) / 1024,
    storageRequestsPerSecond:
      perSecond(costs, 'storage requests', firms) + statements * assumed.downloads,
    walMebibytesPerSecond: perSecond(costs, 'WAL KiB', firms) / 1024,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Two digits are all that such an estimate has, but processes and firms are counted. */
export function formatNumber(value: number): string {
  const shown = Number.isInteger(value) ? value : Number(value.toPrecision(2));
  return shown.toLocaleString('en', { maximumSignificantDigits: 12 });
}
