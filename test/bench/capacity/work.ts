import { defaultConcurrency } from '../../../packages/server/src/config.js';
import { PRINTED_AT_ONCE } from '../../../packages/server/src/files/print-files.js';
import { FIRMS_AT_ONCE } from '../../../packages/server/src/files/print-turns.js';
import { PUTS } from '../../../packages/server/src/uploads/process-documents.js';
import { BATCH_UPLOADS } from '../../../packages/server/src/uploads/reading/read-turn.js';
import { assumed } from './assumptions.js';
import type { Stage } from './simulate-workers.js';
import type { Costs, Resource, Unit } from './unit-table.js';

/** The numbers of firms that the tables are for. */
export const firmCounts = [100, 1_000, 10_000];

/** How often a firm does something at the peak of the morning, and in a year. */
interface Frequency {
  readonly perSecond: number;
  readonly perYear: number;
}

const { accounts, inTheMorning, statementsPerFile, workingDays } = assumed;

/** The number of files that a firm uploads in a morning. */
export const filesOfMorning = Math.round((accounts * inTheMorning) / statementsPerFile);

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
  const { peak, morningSeconds } = assumed;
  return {
    perSecond: (times * inTheMorning * peak) / morningSeconds,
    perYear: times * workingDays,
  };
}

function inEachHour(times: number): Frequency {
  return { perSecond: times / 3_600, perYear: times * assumed.hours * workingDays };
}

/**
 * Returns what a worker does with a file. The waiting for commits, and for the network, is left out, and so is that
 * firms share the places of the printer: with a storage as near as assumed, the core is what they wait for.
 */
export function stagesOf(costs: Costs): { readonly listing: Stage; readonly printing: Stage } {
  const listed = (resource: Resource) => costs('statement', resource) - costs('pdf', resource);
  const seconds = (msOfStatement: number) => (msOfStatement * statementsPerFile) / 1_000;
  const storageSeconds = assumed.storageMs / 1_000;
  const listingBusy = seconds(listed('worker CPU ms'));
  const printingBusy = seconds(costs('pdf', 'worker CPU ms'));
  const printingWaits =
    seconds(costs('pdf', 'database CPU ms')) +
    statementsPerFile * costs('pdf', 'storage requests') * storageSeconds;
  // The file is read, its statements are stored, and it is looked up and removed.
  const requests = 1 + Math.ceil(statementsPerFile / PUTS) + 2;
  return {
    listing: {
      busySeconds: listingBusy,
      aloneSeconds: listingBusy + seconds(listed('database CPU ms')) + requests * storageSeconds,
      filesAtOnce: BATCH_UPLOADS,
      firmsAtOnce: defaultConcurrency,
    },
    printing: {
      busySeconds: printingBusy,
      // Eight of its PDFs wait for the storage at the same time.
      aloneSeconds: printingBusy + printingWaits / PRINTED_AT_ONCE,
      filesAtOnce: 1,
      firmsAtOnce: FIRMS_AT_ONCE,
    },
  };
}

/** Returns how long a worker needs for a file if many firms have uploaded, in seconds: it lists while it waits. */
export function secondsPerFile(costs: Costs): number {
  const { listing, printing } = stagesOf(costs);
  const cpuSeconds = listing.busySeconds + printing.busySeconds;
  const waits = printing.aloneSeconds - printing.busySeconds;
  return Math.max(cpuSeconds, waits + printing.busySeconds / PRINTED_AT_ONCE);
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
  const workers = processes(
    Math.max(
      perSecond(costs, 'worker CPU ms', firms),
      (statements / statementsPerFile) * secondsPerFile(costs) * 1_000,
    ),
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
    auditEntriesPerSecond: perSecond(costs, 'audit entries', firms),
    uploadsPerSecond: statements / statementsPerFile,
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
