import { setMaxListeners } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { openSocket } from '../db/socket.js';

/** How long statements under way may take at the end, in ms, until they are cut. */
const CLOSE_MS = 3_000;

/** A worker's own connections: those of the service are not held up by it. */
export interface QueueConnections {
  readonly pool: pg.Pool;
  /** Breaks all of them, as when the database has fallen silent; the next use opens new ones. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens up to so many connections, each when it is needed. */
export function openQueueConnections(url: string, size: number, logger: Logger): QueueConnections {
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
  const lost = (error: Error) => logger.debug({ err: error }, 'a connection for jobs was lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
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
