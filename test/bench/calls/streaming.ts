import { customerIdOf } from '../seeds/seed-customers.js';
import type { Table } from '../table.js';
import { load, prepareRequest } from './load.js';
import { type ServerUnderLoad, whileWatched } from './server-under-load.js';
import { withServers } from './with-servers.js';

const customers = Number(process.env['ADX_BENCH_CUSTOMERS'] ?? 50_000);

/** Measures the memory of a list of customers, beside a handler that collects it first. */
export async function benchStreaming(): Promise<Table> {
  const rows: string[][] = [];
  for (const count of [customers / 10, customers]) rows.push(...(await measureBoth(count)));
  return { head: ['listCustomers of', 'server', 'ms', 'resident MiB before', 'highest'], rows };
}

function measureBoth(count: number): Promise<string[][]> {
  return withServers(count, ['bare'], async ({ servers, credentials }) => {
    const rows: string[][] = [];
    for (const server of servers) {
      rows.push([count.toLocaleString('en'), server.kind, ...(await measure(server, credentials))]);
    }
    return rows;
  });
}

async function measure(
  server: ServerUnderLoad,
  credentials: Readonly<Record<string, string>>,
): Promise<string[]> {
  const one = prepareRequest('one', 'GET', `/v1/customers/${customerIdOf(1)}`, credentials);
  await load(server.port, one, { connections: 4, durationMs: 500 });
  const before = (await server.usage()).rss;
  const request = prepareRequest('listCustomers', 'GET', '/v1/customers', credentials);
  const { result, highest } = await whileWatched(server, () =>
    load(server.port, request, { connections: 1, durationMs: 1 }),
  );
  const [ms = Number.NaN] = result;
  return [ms.toFixed(0), ...[before, highest].map((bytes) => (bytes / 2 ** 20).toFixed(0))];
}
