import { ConfigError } from '../config.js';
import { isUnavailable } from '../db/unavailable.js';
import { OperatorFailure } from './operator-context.js';

/** SQLSTATEs of a wrong user, password or database. Their messages contain no secrets. */
const REFUSED_LOGIN = /^(28...|3D000)$/;

/** Explanations of outages in which PostgreSQL still answers, by SQLSTATE. */
const outages: Readonly<Record<string, string>> = {
  '25006': 'The database is read-only.',
  '53100': 'The disk of the database is full.',
  '53300': 'The database accepts no more connections.',
};

/** Explains an error in one sentence, without a stack trace or the values of a query. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An error of the AWS SDK, which may be an AggregateError.
  if ('$metadata' in error && isUnavailable(error)) {
    const reason = 'code' in error ? error.code : error.message;
    return `The object storage cannot be reached (${reason}).`;
  }
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0]);
  const isOurs = error instanceof OperatorFailure || error instanceof ConfigError;
  if (isOurs) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined && REFUSED_LOGIN.test(code)) {
    return `The database refused the connection: ${error.message}.`;
  }
  if (isUnavailable(error)) {
    return outages[code ?? ''] ?? `The database cannot be reached (${code ?? error.message}).`;
  }
  // An error of PostgreSQL, whose message knex prefixes with the whole query.
  if ('severity' in error) return `The database refused the command (SQLSTATE ${code}).`;
  return error.message;
}
