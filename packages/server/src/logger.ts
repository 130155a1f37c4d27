import { type Logger, pino } from 'pino';

/**
 * The structured log of the process: one JSON object per line on standard output.
 *
 * What could hold a secret is never handed to it; the paths below are a second net.
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        ...['password', 'refreshToken', 'idToken', 'apiKey.key', 'headers', '*.password'],
        // PostgreSQL repeats the row it refused there.
        ...['err.detail', 'err.where'],
      ],
      remove: true,
    },
  });
}
