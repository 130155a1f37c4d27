import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { usualPulse } from './heartbeat.js';

export interface WatchOptions {
  readonly knex: Knex;
  readonly logger: Logger;
  /** How often to look, in ms. */
  readonly everyMs?: number;
}

/** Looks until it is stopped. */
export interface Watch {
  stop(): Promise<void>;
}

/**
 * Warns, in a process that leaves jobs to others, while jobs wait for over a minute and no worker is
 * running anywhere: nothing else fails then, and no message is sent.
 */
export function watchForWorkers({ knex, logger, everyMs = 60_000 }: WatchOptions): Watch {
  async function look(): Promise<void> {
    try {
      const waiting = await countUnattended(knex);
      if (waiting > 0) logger.warn({ waiting }, 'jobs wait: no worker is running');
    } catch (error) {
      // An outage of the database shows in the answers of the service.
      logger.debug({ err: error }, 'jobs: could not look whether they wait');
    }
  }
  const timer = setInterval(look, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
    },
  };
}

/** How many jobs have waited for over a minute; none while a worker lives. */
async function countUnattended(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { waiting: number }[] }>(
    `select count(*) as waiting from graphile_worker.jobs
      where run_at < now() - interval '1 minute' and attempts < max_attempts
        and not exists (select from job_workers where beat_on > now() - ? * interval '1 ms')`,
    [usualPulse.silentMs],
  );
  return rows[0]?.waiting ?? 0;
}
