import { customerIdOf } from '../seeds/seed-customers.js';
import { mandateChangedOn } from '../seeds/seed-mandates.js';
import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { inTurns, medianOf } from '../turns.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import { type BenchServers, withServers } from './with-servers.js';

const rounds = 7;
const few = 1000;
const many = Number(process.env['ADX_BENCH_CUSTOMERS'] ?? 1_000_000);

/** Measures calls of a firm with 1,000 customers, alone and among a thousand firms of that size. */
export function benchGrowth(): Promise<Table> {
  return withServers(few, [], (small) =>
    withServers(few, [], async (large) => {
      await large.database.addOtherFirms(many - few, few);
      const rows: string[][] = [];
      for (const [name, prepare] of Object.entries(requests)) {
        rows.push([name, ...(await compare(name, prepare, [small, large]))]);
      }
      return { head: ['median ms', 'of 1,000', `of ${many.toLocaleString('en')}`, 'ratio'], rows };
    }),
  );
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

async function compare(name: string, prepare: Prepare, both: readonly BenchServers[]) {
  const turns = await inTurns(both, { rounds }, async ({ service, credentials }) => {
    const once = { connections: 1, durationMs: 1_000 };
    return median(await load(service.port, prepare(name, credentials), once));
  });
  const ofSmall = medianOf(turns, ([small]) => small);
  const ofLarge = medianOf(turns, ([, large]) => large);
  return [ofSmall.toFixed(3), ofLarge.toFixed(3), (ofLarge / ofSmall).toFixed(2)];
}
