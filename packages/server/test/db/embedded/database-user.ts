import { startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.js';

// A process that uses the database of a data folder; what it does then it reads, line by line.

const [dataDir = ''] = process.argv.slice(2);
const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
process.stdout.write('using\n');
for await (const line of process.stdin) {
  const command = String(line).trim();
  if (command === 'stop') {
    await postgres.stop();
    process.stdout.write('stopped\n');
    break;
  }
  if (command === 'exit') process.exit(0);
  if (command === 'throw') throw new Error('thrown on purpose');
}
