import { type Logger, pino } from 'pino';
import { recordedTraceId } from './tracing/spans.js';

/**
 * Creates the log of the process: one JSON object per line on standard output.
 *
 * A line has the `traceId` of the request or job that it belongs to, if there are traces (D-55).
 *
 * Secrets are never passed to the log. Removing fields with the names of secrets is a second
 * safeguard.
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
 * Sends the console output of libraries to the log, such as the traces of graphile-worker: a
 * program that reads the log expects JSON, and the objects that libraries print may contain
 * personal data. Errors are logged as everywhere else, and of other values only texts.
 */
export function logConsole(logger: Logger): void {
  const send =
    (level: 'warn' | 'debug') =>
    (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      const texts = values.filter((value) => typeof value === 'string');
      logger[level](err === undefined ? {} : { err }, ['console:', ...texts].join(' '));
    };
  const [warn, debug] = [send('warn'), send('debug')];
  Object.assign(console, { error: warn, warn, info: debug, log: debug, debug, trace: debug });
}

/**
 * Returns the properties of an error that are logged. Errors of libraries have others that contain
 * personal data: SQL statements, their values, and rows that violate a constraint.
 */
export function describeError(error: unknown): unknown {
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
