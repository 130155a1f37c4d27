import { customerIdOf } from '../seeds/seed-customers.js';
import { mandateChangedOn } from '../seeds/seed-mandates.js';
import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { type BenchDatabase, benchDatabase } from './bench-database.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import { startServer } from './server-under-load.js';

const rounds = 7;
const few = 1000;
const many = Number(process.env['ADX_BENCH_CUSTOMERS'] ?? 1_000_000);

/**
 * Measures the response times of a firm with 1,000 customers, in a service with 1,000 and with
 * 1,000,000 customers. Each customer has a mandate; the other customers belong to other firms of
 * the same size.
 */
export async function benchGrowth(): Promise<Table> {
  const small = await benchDatabase(few);
  const large = await benchDatabase(few);
  try {
    await large.addOtherFirms(many - few, few);
    const times = await measureInTurn(small, large);
    return {
      head: ['median ms', 'of 1,000', `of ${many.toLocaleString('en')}`, 'ratio'],
      rows: times.map(({ name, ofSmall, ofLarge }) => [
        name,
        ofSmall.toFixed(3),
        ofLarge.toFixed(3),
        (ofLarge / ofSmall).toFixed(2),
      ]),
    };
  } finally {
    await small.drop();
    await large.drop();
  }
}

type Prepare = (name: string, credentials: Readonly<Record<string, string>>) => PreparedRequest;

const requests: Readonly<Record<string, Prepare>> = {
  getCustomer: (name, credentials) =>
    prepareRequest(name, 'GET', `/v1/customers/${customerIdOf(500)}`, credentials),
  searchCustomers: (name, credentials) =>
    prepareRequest(name, 'POST', '/v1/customers', credentials, { search: 'k-77' }),
  searchMandates: (name, credentials) =>
    prepareRequest(name, 'POST', '/v1/mandates', credentials, {}),
  'searchMandates (poll)': (name, credentials) =>
    prepareRequest(name, 'POST', '/v1/mandates', credentials, {
      updatedSince: mandateChangedOn(990),
      includeFinished: true,
      sort: 'updatedOn',
      sortDirection: 'asc',
    }),
};

async function measureInTurn(small: BenchDatabase, large: BenchDatabase) {
  const servers = await Promise.all(
    [small, large].map(async (database) => {
      const server = await startServer('service', { DATABASE_URL: database.url });
      return { server, credentials: await database.signIn(server.port) };
    }),
  );
  try {
    const results = [];
    for (const [name, prepare] of Object.entries(requests)) {
      const times: number[][] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, { server, credentials }] of servers.entries()) {
          const request = prepare(name, credentials);
          const measured = await load(server.port, request, { connections: 1, durationMs: 1000 });
          times[index]?.push(median(measured));
        }
      }
      results.push({ name, ofSmall: median(times[0] ?? []), ofLarge: median(times[1] ?? []) });
    }
    return results;
  } finally {
    for (const { server } of servers) server.stop();
  }
}
