/**
 * SQLSTATE classes and codes that say the database cannot answer now: connection exceptions, too
 * many connections, shutting down, starting up or ending idle sessions and transactions, statement
 * or lock timeout, memory or disk full, read-only after a failover; and those of a transaction that
 * lost against another one, which the same call again settles.
 */
const outageStates = /^(08...|53[123]00|57P0[1235]|57014|55P03|25P03|25006|40P01|40001)$/;
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
/** Errors that knex and pg raise without a code; knex puts the statement and a dash before them. */
const outageMessages =
  /(?:^|- )(?:Connection terminated|Knex: Timeout acquiring a connection|timeout expired|Client .* is not queryable)/;

/** Whether an error means that the database cannot be reached or cannot take the query now (503). */
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

/** Whether the Unix socket of the database is not there; any other missing file is a bug. */
function isMissingSocket(error: Error, code: string): boolean {
  return code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
}
