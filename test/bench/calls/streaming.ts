import type { Table } from '../table.js';
import { benchDatabase } from './bench-database.js';
import { load, prepareRequest } from './load.js';
import { startServer, whileWatched } from './server-under-load.js';

const customers = Number(process.env['ADX_BENCH_CUSTOMERS'] ?? 50_000);

/** Measures by how much the memory of the service grows while it lists 50,000 customers, and a tenth of them. */
export async function benchStreaming(): Promise<Table> {
  const rows: string[][] = [];
  for (const count of [customers / 10, customers]) rows.push(await measure(count));
  return { head: ['listCustomers of', 'ms', 'resident MiB before', 'highest'], rows };
}

async function measure(count: number): Promise<string[]> {
  const database = await benchDatabase(count);
  const service = await startServer('service', { DATABASE_URL: database.url });
  try {
    const credentials = await database.signIn(service.port);
    const one = prepareRequest('hello', 'GET', '/v1/hello-world', credentials);
    await load(service.port, one, { connections: 4, durationMs: 500 });
    const before = (await service.usage()).rss;
    const request = prepareRequest('listCustomers', 'GET', '/v1/customers', credentials);
    const { result, highest } = await whileWatched(service, () =>
      load(service.port, request, { connections: 1, durationMs: 1 }),
    );
    const [ms = Number.NaN] = result;
    return [
      count.toLocaleString('en'),
      ms.toFixed(0),
      ...[before, highest].map((bytes) => (bytes / 2 ** 20).toFixed(0)),
    ];
  } finally {
    service.stop();
    await database.drop();
  }
}
