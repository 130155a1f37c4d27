import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { traceStatements } from '../tracing/traced-statements.js';
import { planOnce, prepareNothing } from './prepared-statements.js';
import {
  defaultTimeouts,
  endedState,
  onError,
  readOnlyState,
  setSettings,
} from './session-settings.js';

export interface KnexOptions {
  readonly poolSize?: number;
  /**
   * The statement timeout in ms, enforced by the database; a streamed statement ends with its last
   * row. After a grace period, the connection is closed. It is also the idle timeout within
   * transactions, so that a client that is gone releases its locks. 0 disables all timeouts, for
   * migrations.
   */
  readonly statementTimeoutMs?: number;
  /**
   * The lock timeout in ms. Our transactions hold locks only briefly. If one hangs, those that wait
   * for it must not use up the connection pool.
   */
  readonly lockTimeoutMs?: number;
  /** How long to wait for a free or new connection, in ms. */
  readonly connectionTimeoutMs?: number;
  /** Closes all connections immediately when aborted. */
  readonly signal?: AbortSignal;
  /**
   * False if no statement is prepared; by default those of `runPrepared` are, except behind a
   * pooler that loses their names.
   */
  readonly prepares?: boolean;
  /** True if statements have spans (D-55). */
  readonly isTraced?: boolean;
  /** The name of the connections in `pg_stat_activity`, such as `adx-server serve`. */
  readonly applicationName?: string;
  /** Called when the database refuses a connection, or none could be opened. */
  readonly onConnectionFailure?: (error: unknown) => void;
}

/** How long the database may take to report a statement timeout, in ms. */
const ANSWER_GRACE_MS = 2_000;

/**
 * Creates a connection pool. It opens no connection before the first query.
 *
 * Instants are read as `Date`, dates without time as `YYYY-MM-DD`, `bigint` as number.
 */
export function createKnex(url: string, options: KnexOptions = {}): Knex {
  const { poolSize = 10, connectionTimeoutMs = 5_000 } = options;
  const {
    statementTimeoutMs = defaultTimeouts.statement,
    signal,
    prepares = true,
    isTraced = false,
  } = options;
  const lockTimeoutMs = Math.min(statementTimeoutMs, options.lockTimeoutMs ?? defaultTimeouts.lock);
  const timeouts = {
    ...{ statement: statementTimeoutMs, lock: lockTimeoutMs },
    idleInTransaction: statementTimeoutMs,
  };
  const opened = new Set<pg.Client>();
  const sockets = new Set<Socket>();
  /** Drops the open connections: the server that they lead to may not be the primary any more. */
  const dropOpened = () => {
    for (const each of opened) drop(each, 'the server is read-only');
  };
  const idleTimeoutMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + ANSWER_GRACE_MS;
  const created = knex({
    client: 'pg',
    // The oldest that is supported. Otherwise each pool asks for it, before its settings are set.
    version: '14',
    // Errors are logged, so they must not contain the values of a statement.
    compileSqlOnError: false,
    connection: {
      connectionString: url,
      application_name: options.applicationName ?? 'adx-server',
      connectionTimeoutMillis: connectionTimeoutMs,
      keepAlive: true,
      stream() {
        const socket = openSocket(idleTimeoutMs, signal);
        sockets.add(socket);
        return socket.once('close', () => sockets.delete(socket));
      },
      types: { getTypeParser },
    },
    // Knex would print errors that it also throws.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
    acquireConnectionTimeout: connectionTimeoutMs,
    pool: {
      min: 0,
      max: poolSize,
      afterCreate(
        connection: pg.Client,
        done: (error: Error | null, connection: pg.Client) => void,
      ) {
        opened.add(connection);
        connection.once('end', () => opened.delete(connection));
        onError(connection, readOnlyState, dropOpened);
        // The error comes before the end, and the pool would lend the connection in between.
        onError(connection, endedState, () => drop(connection, 'PostgreSQL has ended it'));
        setSettings(connection, timeouts).then(
          ({ pooling, rows }) => {
            if (!prepares || pooling === 'losesNames') prepareNothing(connection);
            // Citus plans for each value, because it has to know the node.
            else if (rows !== 'onNodes')
              planOnce(connection, rows === 'inPartitions' ? 'all' : 'limited');
            if (isTraced) traceStatements(connection);
            done(null, connection);
          },
          (error: Error) => done(error, connection),
        );
      },
    },
  });
  socketsOf.set(created, { sockets, idleTimeoutMs, isClosing: false });
  const { onConnectionFailure } = options;
  if (onConnectionFailure !== undefined) {
    created.client.pool.on('createFail', (_id: number, error: unknown) =>
      onConnectionFailure(error),
    );
  }
  return created;
}

interface OpenSockets {
  readonly sockets: ReadonlySet<Socket>;
  readonly idleTimeoutMs: number;
  isClosing: boolean;
}

const socketsOf = new WeakMap<Knex, OpenSockets>();

/**
 * Closes the connections on which nothing is sent and received for a time in ms, those in use and
 * those that are free. It does nothing while it is at work already.
 */
export async function closeSilent(knex: Knex, ms: number): Promise<void> {
  const state = socketsOf.get(knex);
  if (state === undefined || state.isClosing) return;
  state.isClosing = true;
  const open = [...state.sockets];
  for (const socket of open) socket.setTimeout(ms);
  // They time out first.
  await pause(ms + 100, undefined, { ref: false });
  for (const socket of open) socket.setTimeout(state.idleTimeoutMs);
  state.isClosing = false;
}

export function poolUse({ client }: Knex): { used: number; free: number; waiting: number } {
  // The type of knex says nothing about its pool.
  const pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number } = client.pool;
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}

/** Makes the pool close a connection, and lend it no more. */
function drop(connection: pg.Client, reason: string): void {
  Object.assign(connection, { __knex__disposed: reason });
}

const silent = () => {};
const asText = (text: string) => text;

/** Returns the parser of a type for these connections. Other types keep the parsers of `pg`. */
function getTypeParser(oid: number, format: string) {
  if (oid === pg.types.builtins.INT8) return safeInteger;
  if (oid === pg.types.builtins.DATE) return asText;
  return format === 'binary'
    ? pg.types.getTypeParser(oid, format)
    : pg.types.getTypeParser(oid, 'text');
}

/** Refuses integers from 2^53 on, whose digits would be lost. Counts and sizes are far below. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
  return value;
}

/**
 * Creates a socket that fails with `ETIMEDOUT` after an idle timeout in ms (0 disables it), or when
 * the signal is aborted. The query timeout of `pg` would keep the connection open, and the pool
 * would hand it out again.
 */
export function openSocket(idleTimeoutMs: number, signal?: AbortSignal): Socket {
  const socket = new Socket(signal && { signal });
  return socket.setTimeout(idleTimeoutMs, () =>
    socket.destroy(
      Object.assign(new Error('The database did not respond in time'), { code: 'ETIMEDOUT' }),
    ),
  );
}
