import { startWorker } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';

// A worker as a separate process: it starts jobs of a task, `note` by default, one at a time or
// more, and never finishes one.

const [, , task = 'note', concurrency = '1'] = process.argv;
const databaseUrl = process.env['DATABASE_URL'] ?? '';
await startWorker({
  databaseUrl,
  logger: createLogger('silent'),
  tasks: {
    [task]: { run: () => new Promise<void>(() => process.stdout.write('started\n')) },
  },
  concurrency: Number(concurrency),
});
