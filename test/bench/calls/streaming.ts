import type { Table } from '../table.js';
import { benchDatabase } from './bench-database.js';
import { load, prepareRequest } from './load.js';
import { startServer } from './server-under-load.js';

const customers = Number(process.env['ADX_BENCH_CUSTOMERS'] ?? 50_000);

/** Measures by how much the memory of the service grows while it lists 50,000 customers. */
export async function benchStreaming(): Promise<Table> {
  const database = await benchDatabase(customers);
  const service = await startServer('service', { DATABASE_URL: database.url });
  try {
    const credentials = await database.signIn(service.port);
    const one = prepareRequest('hello', 'GET', '/v1/hello-world', credentials);
    await load(service.port, one, { connections: 4, durationMs: 500 });
    const before = (await service.usage()).rss;
    let highest = before;
    const listing = load(
      service.port,
      prepareRequest('listCustomers', 'GET', '/v1/customers', credentials),
      { connections: 1, durationMs: 1 },
    );
    let done = false;
    const finished = listing.finally(() => {
      done = true;
    });
    while (!done) {
      highest = Math.max(highest, (await service.usage()).rss);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [ms = Number.NaN] = await finished;
    return {
      head: ['listCustomers of', 'ms', 'resident MiB before', 'highest'],
      rows: [
        [
          customers.toLocaleString('en'),
          ms.toFixed(0),
          (before / 2 ** 20).toFixed(0),
          (highest / 2 ** 20).toFixed(0),
        ],
      ],
    };
  } finally {
    service.stop();
    await database.drop();
  }
}
