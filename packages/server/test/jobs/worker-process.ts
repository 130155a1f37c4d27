import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';

// A worker as a separate process: it starts jobs of a task, `note` by default, and never finishes one.

const [, , task = 'note'] = process.argv;
const databaseUrl = process.env['DATABASE_URL'] ?? '';
await startWorker({
  databaseUrl,
  logger: createLogger('silent'),
  pools: [
    {
      tasks: { [task]: () => new Promise<void>(() => process.stdout.write('started\n')) },
      concurrency: 1,
    },
  ],
});
