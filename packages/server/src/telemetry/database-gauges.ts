import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import { inTransaction, inTransactionOnce } from '../db/transaction.js';
import { defaultHeartbeat } from '../jobs/heartbeat.js';
import { shareFor } from './share-for.js';

interface Reading {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface DatabaseGauge {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Reads the numbers. Without a row for a label, the gauge has no value for it. */
  read(trx: Knex.Transaction): Promise<readonly Reading[]>;
}

/** How long numbers are kept at least, in ms, however often they are asked for. */
const KEEP_MS = 10_000;

/**
 * Numbers are kept for so many times as long as they took to read. Some take longer the more firms
 * there are.
 */
const KEEP_TIMES = 100;

/** So many times, if they could not be read. */
const FAILED_TIMES = 6;

/** How long each statement may take, in ms. */
const STATEMENT_MS = 10_000;

/** Gauges that are the same in all processes: take `max` of them, not the sum. */
const gauges: readonly DatabaseGauge[] = [
  gauge(
    'adx_jobs',
    'Jobs that are due, running, waiting for another attempt (retrying), or givenUp',
    ['task', 'state'],
    `select task_identifier as task, count(*)::float8 as value,
            case when locked_at is not null then 'running' when attempts >= max_attempts then 'givenUp'
                 when run_at > now() then 'retrying' else 'due' end as state
       from graphile_worker.jobs where run_at <= now() or attempts > 0 group by 1, 3`,
  ),
  gauge(
    'adx_oldest_job_age_seconds',
    'How long the oldest job of a task that no worker has taken has been due',
    ['task'],
    // A part that nobody takes means only that the others do its work.
    `select task_identifier as task, extract(epoch from now() - min(run_at))::float8 as value
       from graphile_worker.jobs
      where run_at <= now() and locked_at is null and attempts < max_attempts
        and flags -> 'shared' is null group by 1`,
  ),
  gauge(
    'adx_job_slots',
    'Jobs that workers can run at once, in all processes with a recent heartbeat',
    [],
    `select count(*)::float8 as value from job_workers
      where beat_on > now() - ${defaultHeartbeat.timeoutMs} * interval '1 ms'`,
  ),
  gauge(
    'adx_held_deliveries',
    'Deliveries that no signed mandate covers',
    ['product'],
    'select product, count(*)::float8 as value from held_deliveries group by 1',
  ),
  gauge(
    'adx_requests_waiting_for_budget',
    'Signature requests that wait for a budget of mails, by its owner',
    ['owner'],
    `select m.waits_for as owner, count(*)::float8 as value
       from outgoing_mails m join firms f on f.id = m.firm_id
      where m.waits_for is not null and f.disabled_on is null group by 1`,
  ),
  gauge(
    'adx_mandates_stuck',
    'Mandates that have been in created or error for over an hour',
    ['status'],
    // It joins the firms, so that the index of a firm's mandates by status serves it.
    `select status, sum(mandates)::float8 as value
       from (select m.status, count(*) as mandates
               from firms f join mandates m on m.firm_id = f.id and m.status in ('created', 'error')
              where f.disabled_on is null and m.closed_on is null
                and m.updated_on < now() - interval '1 hour'
              group by m.status
             union all values ('created', 0), ('error', 0)) stuck
      group by status`,
  ),
];

function gauge(name: string, help: string, labels: readonly string[], sql: string): DatabaseGauge {
  return {
    name,
    help,
    labels,
    async read(trx) {
      const { rows } = await trx.raw<{ rows: ({ value: number } & Record<string, unknown>)[] }>(
        sql,
      );
      return rows.map((row) => ({
        labels: Object.fromEntries(labels.map((label) => [label, String(row[label])])),
        value: row.value,
      }));
    },
  };
}

/**
 * Returns a function that reads the gauges with one connection, each at most every ten seconds. It
 * never rejects: a gauge that cannot be read has no values, and `adx_database_read` is 0.
 */
export function addDatabaseGauges(
  registry: Registry,
  options: {
    readonly knex: Knex;
    /** Gauges of features. */
    readonly others: readonly DatabaseGauge[];
    readonly keepMs?: number;
  },
): () => Promise<void> {
  const { knex, others, keepMs = KEEP_MS } = options;
  const registers = [registry];
  const shown = [...gauges, ...others].map((source) => {
    const { name, help, labels: labelNames } = source;
    const values = new Gauge({ name, help, labelNames, registers });
    return { source, values, isRead: false, keptUntil: 0 };
  });
  const isRead = new Gauge({
    name: 'adx_database_read',
    help: '1 if the gauges of the database could be read',
    registers,
  });

  function show({ source, values }: (typeof shown)[number], readings: readonly Reading[]): void {
    values.reset();
    // Without labels, a reset gauge is 0, which would say that no worker runs.
    if (source.labels.length === 0) values.remove();
    for (const { labels, value } of readings) values.set(labels, value);
  }

  async function read(trx: Knex.Transaction): Promise<void> {
    await trx.raw(`set local statement_timeout = ${STATEMENT_MS}`);
    for (const gauge of shown) {
      const started = performance.now();
      if (started < gauge.keptUntil) continue;
      // A savepoint, so that one that takes too long keeps no others from being read.
      const readings = await inTransaction(trx, gauge.source.read).catch(() => undefined);
      gauge.isRead = readings !== undefined;
      show(gauge, readings ?? []);
      const ended = performance.now();
      const times = gauge.isRead ? KEEP_TIMES : FAILED_TIMES;
      gauge.keptUntil = ended + Math.max(keepMs, (ended - started) * times);
    }
  }

  async function readDue(): Promise<void> {
    await inTransactionOnce(knex, read).catch(() => {
      for (const gauge of shown) {
        show(gauge, []);
        Object.assign(gauge, { isRead: false, keptUntil: 0 });
      }
    });
    isRead.set(shown.every((gauge) => gauge.isRead) ? 1 : 0);
  }

  return shareFor(keepMs, readDue);
}
