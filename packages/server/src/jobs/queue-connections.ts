import { setMaxListeners } from 'node:events';
import { Logger as QueueLogger } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import { openSocket } from '../db/knex.js';

/** How long statements under way may take at the end, in ms, until they are cut. */
const CLOSE_MS = 3_000;

/** A worker's own connections: those of the service are not held up by it. */
interface QueueConnections {
  readonly pool: pg.Pool;
  /** Breaks all of them, as when the database has fallen silent; the next use opens new ones. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * Opens up to so many connections, each when it is needed.
 *
 * @param onLost called with the error of each connection that breaks
 */
export function openQueueConnections(
  url: string,
  size: number,
  onLost: (error: Error) => void,
): QueueConnections {
  let broken = newCut();
  const cut = () => {
    broken.abort();
    broken = newCut();
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: 'adx jobs',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    stream: () => openSocket(0, broken.signal),
  });
  // Whoever uses a lost connection gets the error; the event alone must not end the process.
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

function newCut(): AbortController {
  const controller = new AbortController();
  // Every connection listens, and the pool says how many there are.
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * What graphile-worker has to say, in the log of the process: its errors, which are those of the
 * connection and heal, as warnings, all else for debugging. How jobs end is left out, as the crew
 * logs that itself. Of what hangs on a message only the error is taken: the rest holds payloads.
 */
export function createQueueLog(logger: Logger): QueueLogger {
  return new QueueLogger(({ workerId }) => (level, message, meta) => {
    if (meta?.['failure'] || meta?.['success']) return;
    const error = meta?.['error'] ?? meta?.['fatalError'];
    const isWarning = level === 'error' || level === 'warning';
    logger[isWarning ? 'warn' : 'debug'](
      { workerId, ...(error !== undefined && { err: error }) },
      `jobs: ${message}`,
    );
  });
}
