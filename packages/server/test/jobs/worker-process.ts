import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';

// A worker as a separate process: it starts jobs of the task `note`, and never finishes one.

const databaseUrl = process.env['DATABASE_URL'] ?? '';
await startWorker({
  databaseUrl,
  logger: createLogger('silent'),
  pools: [
    {
      tasks: { note: () => new Promise(() => process.stdout.write('started\n')) },
      concurrency: 1,
    },
  ],
});
