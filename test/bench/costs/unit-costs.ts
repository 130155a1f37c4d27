import { setTimeout as wait } from 'node:timers/promises';
import { enqueuePrinting } from '../../../packages/server/src/files/enqueue-printing.js';
import { load, prepareRequest } from '../calls/load.js';
import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { bankStatement, bankStatements } from '../uploads/bank-statement.js';
import { untilPrinted, untilRead } from '../uploads/upload-service.js';
import { type ActiveFirm, type Installation, startInstallation } from './installation.js';
import { history } from './seed-firms.js';
import { signMandates } from './sign-mandates.js';
import { hasNoPart, type Resource, resources, units } from './unit-table.js';

/** How often each is measured. The medians count. */
const rounds = 3;
const singles = 20;
const statementsPerFile = 50;
const files = 2;
const mandatesOfRound = 30;
const idleMs = 60_000;
/** The time after which a connection that is idle has reported the rows that it wrote, in ms. */
const reportMs = 10_500;

export async function benchUnitCosts(): Promise<Table> {
  const installation = await startInstallation();
  try {
    const { worker, firms } = installation;
    await uploadFirst(firms);
    await untilPrinted(worker);
    const measured = new Map<string, Measured[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const [unit, work] of Object.entries(workOf(installation, round))) {
        measured.set(unit, [...(measured.get(unit) ?? []), await measure(installation, work)]);
      }
    }
    // This comes late: a process that has just started compiles, a busy one collects garbage.
    await wait(idleMs);
    const minute = await measure(installation, async () => {
      await wait(idleMs);
      return 1;
    });
    const rows = [...measured].map(([unit, each]) =>
      toRow(unit, (resource) => median(each.map((one) => costOf(one, minute, resource)))),
    );
    const idle = toRow(units.idle, (resource) => minute.used[resource] / minute.seconds);
    return { head: ['each', ...resources], rows: [idle, ...rows] };
  } finally {
    await installation.stop();
  }
}

function toRow(unit: string, costOf: (resource: Resource) => number): string[] {
  const cells = resources.map((resource) => {
    if (hasNoPart(unit, resource)) return '–';
    const digits = resource.endsWith('CPU ms') ? 2 : 1;
    return costOf(resource)
      .toFixed(digits)
      .replace(/^-(0\.0+)$/, '$1');
  });
  return [unit, ...cells];
}

/** How long some work took in seconds, how much it used meanwhile, and how many units it was. */
interface Measured {
  readonly seconds: number;
  readonly used: Readonly<Record<Resource, number>>;
  readonly count: number;
}

/** Returns the cost of a unit, without that of the same time when there is no work. */
function costOf(work: Measured, idle: Measured, resource: Resource): number {
  const usedAnyway = (work.seconds * idle.used[resource]) / idle.seconds;
  return (work.used[resource] - usedAnyway) / work.count;
}

async function measure(
  { knex, used }: Installation,
  work: () => Promise<number>,
): Promise<Measured> {
  // It frees the space of replaced rows, as autovacuum does on a running installation.
  await knex.raw('vacuum');
  await knex.raw('checkpoint');
  const before = await used();
  const started = performance.now();
  const count = await work();
  await wait(reportMs);
  const seconds = (performance.now() - started) / 1000;
  const after = await used();
  for (const resource of resources) after[resource] -= before[resource];
  return { seconds, used: after, count };
}

async function uploadFirst(firms: readonly ActiveFirm[]): Promise<void> {
  for (const { uploads } of firms) {
    await uploads.upload('first.cod', bankStatement(uploads.ibans[0] ?? '', history + 1));
  }
  await untilAllRead(firms);
}

async function untilAllRead(firms: readonly ActiveFirm[]): Promise<void> {
  await Promise.all(firms.map(({ uploads }) => untilRead(uploads)));
}

function workOf(
  { database, knex, firms, service, worker, mail }: Installation,
  round: number,
): Record<string, () => Promise<number>> {
  const number = history + round;
  const news = () =>
    knex('files').whereNotNull('upload_id').where({ statement_number: number }).select('id');

  async function callOften(path: string, body?: object): Promise<number> {
    let calls = 0;
    for (const { credentials } of firms) {
      const request = prepareRequest(path, 'POST', path, credentials, body);
      calls += (await load(service.port, request, { connections: 2, durationMs: 1_000 })).length;
    }
    return calls;
  }

  async function untilPrintedAll(): Promise<void> {
    await untilAllRead(firms);
    await untilPrinted(worker);
  }

  return {
    async [units.single]() {
      for (const { uploads } of firms) {
        for (const iban of uploads.ibans.slice(1, 1 + singles)) {
          await uploads.upload(`${iban}-${number}.cod`, bankStatement(iban, number));
        }
      }
      await untilPrintedAll();
      return firms.length * singles;
    },
    async [units.statement]() {
      for (let file = 0; file < files; file += 1) {
        const first = 1 + singles + file * statementsPerFile;
        for (const { uploads } of firms) {
          const ibans = uploads.ibans.slice(first, first + statementsPerFile);
          await uploads.upload(`${file}-${number}.cod`, bankStatements(ibans, number));
        }
      }
      await untilPrintedAll();
      const missing = await knex('missing_statements').whereNot({ kind: 'overdue' });
      if (missing.length > 0) throw new Error('The statements do not continue each other');
      return firms.length * files * statementsPerFile;
    },
    async [units.pdf]() {
      const files: { id: string; firm_id: string }[] = await knex('files').whereIn('id', news());
      await knex('unprinted_files').insert(
        files.map(({ id, firm_id }) => ({ file_id: id, firm_id })),
      );
      const printed = files.map(
        ({ id, firm_id }) => [id, { firmId: firm_id, bytes: new Uint8Array() }] as const,
      );
      await knex.transaction((trx) => enqueuePrinting(trx, new Map(printed)));
      await untilPrinted(worker);
      return files.length;
    },
    async [units.listed]() {
      const { length } = await news();
      return ((await callOften('/v1/coda-files', { includePdf: true })) * length) / firms.length;
    },
    async [units.acknowledged]() {
      const path = '/v1/coda-files/acknowledgements';
      let count = 0;
      for (const { id, credentials } of firms) {
        const fileIds = await news().where({ firm_id: id }).pluck('id');
        for (let first = 0; first < fileIds.length; first += 100) {
          const body = { fileIds: fileIds.slice(first, first + 100) };
          const request = prepareRequest(path, 'POST', path, credentials, body);
          await load(service.port, request, { connections: 1, durationMs: 0 });
        }
        count += fileIds.length;
      }
      return count;
    },
    [units.filePoll]: () => callOften('/v1/coda-files', { includePdf: true }),
    [units.mandatePoll]: () =>
      callOften('/v1/mandates', {
        updatedSince: new Date().toISOString(),
        includeFinished: true,
      }),
    async [units.signIn]() {
      for (let count = 0; count < 200; count += 1) await database.signIn(service.port);
      return 200;
    },
    async [units.refresh]() {
      const refresh = await database.startRefreshing(service.port);
      for (let count = 0; count < 300; count += 1) await refresh();
      return 300;
    },
    [units.credentials]: () => callOften('/v1/coda-files/upload-credentials'),
    [units.mandate]: () =>
      signMandates({
        ...{ port: service.port, credentials: firms[0]?.credentials ?? {}, mail },
        ...{ first: 5_000_000 + round * mandatesOfRound, count: mandatesOfRound },
      }),
  };
}
