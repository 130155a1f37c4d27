import pg from 'pg';

/**
 * The SQLSTATEs of an outage: connection failures, too many connections, shutdown and start-up,
 * ended idle sessions and transactions, statement and lock timeouts, full memory or disk, read-only
 * after a failover, a database that is missing while another takes its place, and deadlocks and
 * serialization failures, after which the same call succeeds.
 */
const outageStates = /^(08...|3D000|53[123]00|57P0[1235]|57014|55P03|25P03|25006|40P01|40001)$/;
const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Messages of knex and pg without a code. Knex prefixes them with the statement and a dash. */
const outageMessages =
  /(?:^|- )(?:Connection terminated|Knex: Timeout acquiring a connection|timeout expired|Client .* is not queryable)/;

/** Returns true if an error means that the database is temporarily unavailable (503). */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    outageStates.test(code) ||
    networkCodes.has(code) ||
    isMissingSocket(error, code) ||
    outageMessages.test(error.message)
  );
}

/** Returns true if the Unix socket of the database is missing. Any other missing file is a bug. */
function isMissingSocket(error: Error, code: string): boolean {
  return code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
}

/** SQLSTATEs of a database that can be read, but is read-only or has a full disk. */
const readOnlyStates: ReadonlySet<string | undefined> = new Set(['25006', '53100']);

/** Ignores that nothing can be written because the database is read-only; throws other errors. */
export function ignoreReadOnly(error: unknown): void {
  if (!(error instanceof pg.DatabaseError && readOnlyStates.has(error.code))) throw error;
}
