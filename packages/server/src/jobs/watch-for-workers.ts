import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { defaultHeartbeat } from './heartbeat.js';

interface WatchOptions {
  readonly knex: Knex;
  readonly logger: Logger;
  /** Interval between checks, in ms. */
  readonly everyMs?: number;
}

/**
 * Logs a warning while jobs have waited for over a minute and no worker is running. It runs in
 * processes that leave jobs to workers, because nothing else would show that uploads and messages
 * are stuck.
 */
export function watchForWorkers({ knex, logger, everyMs = 60_000 }: WatchOptions) {
  async function look(): Promise<void> {
    try {
      const waiting = await countUnattended(knex);
      if (waiting > 0) logger.warn({ waiting }, 'jobs are waiting, but no worker is running');
    } catch (error) {
      // The service's 503 responses already show a database outage.
      logger.debug({ err: error }, 'jobs: failed to count the waiting ones');
    }
  }
  const timer = setInterval(look, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
    },
  };
}

/** Returns how many jobs have waited for over a minute, and 0 while any worker is alive. */
async function countUnattended(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { waiting: number }[] }>(
    `select count(*) as waiting from graphile_worker.jobs
      where run_at < now() - interval '1 minute' and attempts < max_attempts
        and not exists (select from job_workers where beat_on > now() - ? * interval '1 ms')`,
    [defaultHeartbeat.timeoutMs],
  );
  return rows[0]?.waiting ?? 0;
}
