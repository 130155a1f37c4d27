import { type Logger, pino } from 'pino';

/**
 * The structured log of the process: one JSON object per line on standard output.
 *
 * What could hold a secret is never handed to it; leaving out what is named like one is a second
 * net.
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: ['password', 'refreshToken', 'idToken', 'apiKey.key', 'headers', '*.password'],
      remove: true,
    },
  });
}

/**
 * What is logged of an error, and nothing else of it: libraries hang statements, the values in
 * them and the rows they were refused for on their errors.
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
  };
}
