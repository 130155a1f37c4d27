import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import { z } from 'zod';
import { inTransaction } from '../db/transaction.js';
import type { Readiness } from './readiness.js';

/** What gauges are read from. */
export interface GaugeSources {
  readonly knex: Knex;
  readonly readiness: () => Promise<Readiness>;
  /** Returns the number of missing statements of each kind (D-30). */
  readonly countMissing: (knex: Knex) => Promise<ReadonlyMap<string, number>>;
}

/** How long the numbers from the database are kept, in ms, however often they are asked for. */
const KEEP_MS = 10_000;

/** How long a scrape waits for checks and for the database, in ms: Prometheus waits ten seconds. */
const WAIT_MS = 4_000;

/** A worker that has not beaten for this long, in seconds, is dead; see `jobs/heartbeat`. */
const BEAT_SECONDS = 60;

/** The statement for each gauge that is read from the database. Each row has a label and a value. */
const statements = {
  adx_jobs_due: `select task_identifier as label, count(*)::float8 as value from graphile_worker.jobs
                  where run_at <= now() and attempts < max_attempts group by 1`,
  adx_oldest_job_age_seconds: `select task_identifier as label,
                         extract(epoch from now() - min(run_at))::float8 as value
                    from graphile_worker.jobs
                   where run_at <= now() and attempts < max_attempts group by 1`,
  adx_jobs_given_up: `select task_identifier as label, count(*)::float8 as value
                        from graphile_worker.jobs where attempts >= max_attempts group by 1`,
  adx_workers: `select null as label, count(*)::float8 as value from job_workers
                 where beat_on > now() - ${BEAT_SECONDS} * interval '1 second'`,
  adx_held_deliveries: `select product as label, count(*)::float8 as value from held_deliveries group by 1`,
  adx_requests_waiting_for_budget: `select waits_for as label, count(*)::float8 as value
                                      from signature_requests where waits_for is not null group by 1`,
  // By firm, so that the index of the firm's mandates by status serves it.
  adx_mandates_stuck: `select s.status as label, sum(n.mandates)::float8 as value
                         from (values ('created'), ('error')) s(status) cross join firms f
                        cross join lateral (
                              select count(*) as mandates from mandates m
                               where m.firm_id = f.id and m.status = s.status and m.closed_on is null
                                 and m.updated_on < now() - interval '1 hour') n
                        group by 1`,
} as const;

const help: Readonly<Record<keyof typeof statements | 'adx_missing_statements', string>> = {
  adx_jobs_due: 'Jobs that are due or running',
  adx_oldest_job_age_seconds: 'How long the oldest due job of a task has been due',
  adx_jobs_given_up: 'Jobs that failed in all their attempts',
  adx_workers: 'Workers with a recent heartbeat, in all processes',
  adx_held_deliveries: 'Documents that no signed mandate covers',
  adx_requests_waiting_for_budget: 'Signature requests that wait for a budget of mails, by its owner',
  adx_mandates_stuck: 'Mandates that have been in created or error for over an hour',
  adx_missing_statements: 'Bank statements that never came',
};

/** The name of the label of a gauge. */
const labels: Readonly<Record<keyof typeof help, string | undefined>> = {
  adx_jobs_due: 'task',
  adx_oldest_job_age_seconds: 'task',
  adx_jobs_given_up: 'task',
  adx_workers: undefined,
  adx_held_deliveries: 'product',
  adx_requests_waiting_for_budget: 'owner',
  adx_mandates_stuck: 'status',
  adx_missing_statements: 'kind',
};

/** A pool of knex, whose type has no members. */
const poolShape = z.object({
  numUsed: z.function(),
  numFree: z.function(),
  numPendingAcquires: z.function(),
});

/**
 * Adds the gauges of a process, and returns a function that brings them up to date before a scrape.
 * It never rejects: without the database its gauges are absent, and `adx_database_read` is 0.
 */
export function addGauges(
  registry: Registry,
  { knex, readiness, countMissing }: GaugeSources,
  keepMs = KEEP_MS,
): () => Promise<void> {
  const registers = [registry];
  const gauge = (name: string, text: string, ...labelNames: string[]) =>
    new Gauge({ name, help: text, labelNames, registers });
  const up = gauge('adx_dependency_up', '1 if database or storage respond', 'dependency');
  const pool = gauge('adx_database_connections', 'Connections of the pool of the process', 'state');
  const wasRead = gauge('adx_database_read', '1 if the numbers from the database could be read');
  const fromDatabase = Object.entries(help).map(
    ([name, text]) =>
      [name, gauge(name, text, ...(labelOf(name) === undefined ? [] : [labelOf(name) ?? ''])) ] as const,
  );
  return async () => {};
}
