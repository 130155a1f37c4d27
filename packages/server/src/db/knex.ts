import { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import pg from 'pg';

/** How a process uses the database; every part has a default. */
export interface KnexOptions {
  /** Connections kept open at most. */
  readonly poolSize?: number;
  /** What the server shows the connections as. */
  readonly applicationName?: string;
  /**
   * The longest a statement may take, in ms; one that is streamed, until its last row was taken.
   * The database ends it. One that stays silent for longer, as when its machine is gone, loses the
   * connection. The same goes for the silence within a transaction: whoever is gone or stands still
   * in the middle of one holds its locks no longer. 0 is no limit, neither here nor there nor for
   * the wait for a lock: for migrations.
   */
  readonly statementTimeoutMs?: number;
  /** The longest to wait for a connection, a free one or a new one, in ms. */
  readonly connectionTimeoutMs?: number;
  /** Breaks every connection at once when aborted. */
  readonly signal?: AbortSignal;
}

/** How long after its limit, in ms, a statement may still be answered by its end. */
const ANSWER_GRACE_MS = 2_000;

/**
 * The longest to wait for what another transaction holds, in ms. Ours hold rows for moments; where one
 * stands still, those who wait for it would take the connections of all others.
 */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Connects to a database, lazily: nothing is opened before the first query.
 *
 * Instants are read as `Date`, dates without time as `YYYY-MM-DD`, `bigint` as number.
 *
 * @example
 * const knex = createKnex('postgresql://adx@127.0.0.1/adx', { applicationName: 'adx serve' });
 */
export function createKnex(url: string, options: KnexOptions = {}): Knex {
  const { poolSize = 10, applicationName = 'adx', connectionTimeoutMs = 5_000 } = options;
  const { statementTimeoutMs = 30_000, signal } = options;
  const limitMs = Math.trunc(statementTimeoutMs);
  const lockMs = Math.min(limitMs, LOCK_TIMEOUT_MS);
  const silenceMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + ANSWER_GRACE_MS;
  return knex({
    client: 'pg',
    // Errors go to the log; they name the statement, not the values in it.
    compileSqlOnError: false,
    connection: {
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: connectionTimeoutMs,
      keepAlive: true,
      stream: () => openSocket(silenceMs, signal),
      types: { getTypeParser },
    },
    // Knex would print what it throws anyway.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
    acquireConnectionTimeout: connectionTimeoutMs,
    pool: {
      min: 0,
      max: poolSize,
      // Not as a parameter of the connection, which PgBouncer refuses.
      afterCreate(
        connection: pg.Client,
        done: (error: Error | null, connection: pg.Client) => void,
      ) {
        connection.query(
          `set statement_timeout = ${limitMs}; set lock_timeout = ${lockMs}; set idle_in_transaction_session_timeout = ${limitMs}`,
          (error) => done(error, connection),
        );
      },
    },
  });
}

const silent = () => {};
const asText = (text: string) => text;

/** How values are read, for this connection alone; what is not named is read as `pg` reads it. */
function getTypeParser(oid: number, format: string) {
  if (oid === pg.types.builtins.INT8) return safeInteger;
  if (oid === pg.types.builtins.DATE) return asText;
  return format === 'binary'
    ? pg.types.getTypeParser(oid, format)
    : pg.types.getTypeParser(oid, 'text');
}

/** Counts and sizes are far below 2^53; a value that is not would be wrong without a sign of it. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no safe integer`);
  return value;
}

/**
 * A socket that breaks, with the error of a network timeout, when nothing came or went for so many
 * ms (0: never), and when the signal is aborted. The client of the database has a limit for a query
 * too, but would keep the connection: the pool would hand it out again.
 */
export function openSocket(silenceMs: number, signal?: AbortSignal): Socket {
  const socket = new Socket(signal && { signal });
  return socket.setTimeout(silenceMs, () =>
    socket.destroy(
      Object.assign(new Error('The database has not answered in time'), { code: 'ETIMEDOUT' }),
    ),
  );
}
