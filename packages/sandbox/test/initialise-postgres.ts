import { startPostgres } from '../src/postgres/start-postgres.js';

// Creates a cluster in the folder of the command line.
const [dataDir = ''] = process.argv.slice(2);
await (await startPostgres({ dataDir, isDurable: false })).stop();
