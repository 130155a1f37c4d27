import { setMaxListeners } from 'node:events';
import { Logger as QueueLogger } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import { openSocket } from '../db/knex.js';
import { prepareNothing } from '../db/prepared-statements.js';
import {
  defaultTimeouts,
  endedState,
  onError,
  readOnlyState,
  setSettings,
  stalePlanState,
} from '../db/session-settings.js';

/** How long running statements may take when the pool is closed, in ms. */
const CLOSE_MS = 3_000;

/**
 * The connections of a worker, apart from those of the service so that neither waits for the other.
 */
interface QueueConnections {
  readonly pool: pg.Pool;
  /**
   * Breaks all connections, for example when the database no longer responds. The next use opens
   * new ones.
   */
  cut(): void;
  close(): Promise<void>;
}

interface QueueConnectionOptions {
  readonly url: string;
  /** The maximum number of connections, each of which is opened when it is first needed. */
  readonly size: number;
  /** The name of the connections in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Called with the error of each connection that breaks. */
  readonly onLost: (error: Error) => void;
  /** Called with the error of each connection that could not be opened. */
  readonly onConnectionFailure: (error: unknown) => void;
}

/** Opens a pool of connections. */
export function openQueueConnections({
  url,
  size,
  applicationName,
  onLost,
  onConnectionFailure,
}: QueueConnectionOptions): QueueConnections {
  let broken = newCut();
  const cut = () => {
    broken.abort();
    broken = newCut();
  };
  const dropped = new WeakSet<pg.ClientBase>();
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: applicationName,
    Client: reportingClient(onConnectionFailure),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    stream: () => openSocket(0, broken.signal),
    // The library types a promise as no result, and waits for it.
    onConnect: async (client) => {
      for (const state of [readOnlyState, endedState, stalePlanState]) {
        onError(client, state, () => dropped.add(client));
      }
      // A pooler may keep the statement of a former release, and a new connection would not help.
      const { pooling } = await setSettings(client, defaultTimeouts);
      if (pooling !== 'direct') prepareNothing(client);
    },
  });
  // The server may not be the primary any more, or has ended it, or a newer release added a column
  // to the jobs, all of whose columns graphile-worker reads: the next use opens a new connection.
  pool.on('release', (_error, client) => {
    if (dropped.has(client)) void client.end();
  });
  // Users of a lost connection get the error. Without a listener the event would end the process.
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return {
    pool,
    cut,
    async close() {
      const timer = setTimeout(cut, CLOSE_MS);
      await pool.end();
      clearTimeout(timer);
    },
  };
}

/**
 * Returns a class of clients that report when they cannot connect, for which the pool has no event.
 */
function reportingClient(onFailure: (error: unknown) => void): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const report = (error: Error | null) => {
        if (error) onFailure(error);
      };
      if (callback === undefined) {
        const connected = super.connect();
        connected.catch(report);
        return connected;
      }
      super.connect((error: Error) => {
        report(error);
        callback(error);
      });
      return undefined;
    }
  };
}

function newCut(): AbortController {
  const controller = new AbortController();
  // Every connection adds a listener; the size of the pool limits them.
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Sends the log of graphile-worker to ours. Its errors are lost connections, from which it
 * recovers, so they become warnings; everything else is for debugging. Outcomes of jobs are left
 * out, since the worker pool logs them. Of the metadata only the error is taken, because the rest
 * holds payloads.
 */
export function createQueueLog(logger: Logger): QueueLogger {
  return new QueueLogger(({ workerId }) => (level, message, meta) => {
    if (meta?.['failure'] || meta?.['success']) return;
    const error = meta?.['error'] ?? meta?.['fatalError'];
    const isWarning = (level === 'error' || level === 'warning') && !repeatsFatalError(message);
    logger[isWarning ? 'warn' : 'debug'](
      { workerId, ...(error !== undefined && { err: error }) },
      `jobs: ${meta?.['fatalError'] === undefined ? message : inPlainWords(message)}`,
    );
  });
}

/**
 * Says that the end of a job could not be recorded: our worker then replaces the pool, and releases
 * the job.
 */
function inPlainWords(message: string): string {
  const [, jobId] = /^Failed to release job '(\d+)'/.exec(message) ?? [];
  if (jobId === undefined) return message;
  return `the end of job ${jobId} could not be recorded; its worker is replaced`;
}

/**
 * Returns true for the two messages that follow each failure to record the end of a job, and say no
 * more.
 */
function repeatsFatalError(message: string): boolean {
  return /^Worker exited(,| with error:)/.test(message);
}
