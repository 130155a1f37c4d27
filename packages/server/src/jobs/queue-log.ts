import { Logger as QueueLogger } from 'graphile-worker';
import type { Logger } from 'pino';

/**
 * What graphile-worker has to say, in the log of the process: its errors, which are those of the
 * connection and heal, as warnings, all else for debugging. How jobs end is left out, as the crew
 * logs that itself. Of what hangs on a message only the error is taken: the rest holds payloads.
 */
export function createQueueLog(logger: Logger): QueueLogger {
  return new QueueLogger(({ workerId }) => (level, message, meta) => {
    if (meta?.['failure'] || meta?.['success']) return;
    const error = meta?.['error'] ?? meta?.['fatalError'];
    const isWarning = level === 'error' || level === 'warning';
    logger[isWarning ? 'warn' : 'debug'](
      { workerId, ...(error !== undefined && { err: error }) },
      `jobs: ${message}`,
    );
  });
}
