import { enterpriseNumberOf } from '../../support/numbers.js';
import { customerIdOf } from '../seeds/seed-customers.js';
import { mandateChangedOn } from '../seeds/seed-mandates.js';
import type { Table } from '../table.js';
import { inTurns, medianOf } from '../turns.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import type { ServerUnderLoad } from './server-under-load.js';
import { withServers } from './with-servers.js';

const rounds = Number(process.env['ADX_BENCH_ROUNDS'] ?? 9);

/**
 * Measures the service beside Express 5 handlers with the same SQL, as knex sends it and prepared.
 */
export async function benchRequestPath(): Promise<Table> {
  return withServers(1000, ['bare', 'prepared'], async ({ database, servers, credentials }) => {
    const customers = Array.from({ length: 50 }, (_, index) => index + 1);
    await database.addCodaFiles(customers, 20);
    const requests = [
      prepareRequest('getCustomer', 'GET', `/v1/customers/${customerIdOf(500)}`, credentials),
      prepareRequest('searchCustomers (text)', 'POST', '/v1/customers', credentials, {
        search: 'k-77',
      }),
      prepareRequest('searchCustomers (exact)', 'POST', '/v1/customers', credentials, {
        accountingRef: 'K-77',
      }),
      prepareRequest('searchMandates', 'POST', '/v1/mandates', credentials, {}),
      prepareRequest('searchMandates (poll)', 'POST', '/v1/mandates', credentials, {
        updatedSince: mandateChangedOn(990),
        includeFinished: true,
        sort: 'updatedOn',
        sortDirection: 'asc',
      }),
      prepareRequest('listBanks', 'POST', '/v1/banks', credentials, {}),
      prepareRequest('listCustomers (1000)', 'GET', '/v1/customers', credentials),
      prepareRequest('listCodaFiles (20)', 'POST', '/v1/coda-files', credentials, {
        enterpriseNumber: enterpriseNumberOf(25),
      }),
      prepareRequest('listCodaFiles (1000)', 'POST', '/v1/coda-files', credentials, {}),
    ];
    const rows: string[][] = [];
    for (const request of requests) rows.push(await compare(request, servers));
    return {
      head: [
        ...['', 'service/s', 'bare/s', 'ratio', 'prepared/s', 'ratio to prepared'],
        ...['service CPU µs', 'bare CPU µs', 'prepared CPU µs'],
      ],
      rows,
    };
  });
}

async function compare(
  request: PreparedRequest,
  servers: readonly ServerUnderLoad[],
): Promise<string[]> {
  const turns = await inTurns(servers, { rounds, warmUps: 3 }, (server) =>
    measureCalls(server, request),
  );
  const middle = (value: (turn: readonly MeasuredCalls[]) => number | undefined) =>
    medianOf(turns, value);
  const perSecond = (server: number) => middle((turn) => turn[server]?.perSecond).toFixed(0);
  const cpu = (server: number) => middle((turn) => turn[server]?.cpuMicros).toFixed(0);
  const ratioTo = (server: number) =>
    middle((turn) => (turn[0]?.perSecond ?? 0) / (turn[server]?.perSecond ?? 0)).toFixed(2);
  return [
    request.name,
    ...[perSecond(0), perSecond(1), ratioTo(1), perSecond(2), ratioTo(2)],
    ...[cpu(0), cpu(1), cpu(2)],
  ];
}

interface MeasuredCalls {
  readonly perSecond: number;
  /** The CPU time of its process for each call, in µs. */
  readonly cpuMicros: number;
}

/** Calls a server over eight connections for one and a half seconds, and measures it. */
async function measureCalls(
  server: ServerUnderLoad,
  request: PreparedRequest,
): Promise<MeasuredCalls> {
  const before = await server.usage();
  const started = performance.now();
  const { length: count } = await load(server.port, request, { connections: 8, durationMs: 1_500 });
  const seconds = (performance.now() - started) / 1_000;
  const after = await server.usage();
  return {
    perSecond: count / seconds,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / count,
  };
}
