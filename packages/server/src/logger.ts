import { type Logger, pino } from 'pino';
import { recordedTraceId } from './tracing/spans.js';

/**
 * Creates the log of the process: one JSON object per line on standard output.
 *
 * A line has the `traceId` of the request or job that it belongs to, if there are traces (D-55).
 *
 * Secrets are never passed to the log. Removing fields with the names of secrets is a second safeguard.
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin() {
      const traceId = recordedTraceId();
      return traceId === undefined ? {} : { traceId };
    },
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: ['password', 'refreshToken', 'idToken', 'apiKey.key', 'headers', '*.password'],
      remove: true,
    },
  });
}

/**
 * Returns the properties of an error that are logged. Errors of libraries have others that contain
 * personal data: SQL statements, their values, and rows that violate a constraint.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name: type, message, stack, cause } = error;
  return {
    type,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...('constraint' in error && { constraint: error.constraint }),
    ...(cause !== undefined && { cause: describeError(cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(describeError) }),
  };
}
