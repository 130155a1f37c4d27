/**
 * SQLSTATE classes and codes that say the database cannot answer now: connection exceptions,
 * too many connections, shutting down or starting up, statement timeout.
 */
const outageStates = /^(08...|53300|57P0[1-3]|57014)$/;
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Errors that knex and pg raise without a code; knex puts the statement and a dash before them. */
const outageMessages =
  /(?:^|- )(?:Connection terminated|Knex: Timeout acquiring a connection|timeout expired)/;

/** Whether an error means that the database cannot be reached or cannot take the query now (503). */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return outageStates.test(code) || networkCodes.has(code) || outageMessages.test(error.message);
}
