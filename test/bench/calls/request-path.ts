import { enterpriseNumberOf } from '../../support/numbers.js';
import { customerIdOf } from '../seeds/seed-customers.js';
import { mandateChangedOn } from '../seeds/seed-mandates.js';
import type { Table } from '../table.js';
import { inTurns, medianOf } from '../turns.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import { type Call, checkPeers } from './peers/check-peers.js';
import type { ServerUnderLoad } from './server-under-load.js';
import { withServers } from './with-servers.js';

const rounds = Number(process.env['ADX_BENCH_ROUNDS'] ?? 9);
const only = process.env['ADX_BENCH_ONLY']?.split(',');

/** Measures the service beside three other servers with the same prepared statements. */
export async function benchRequestPath(): Promise<Table> {
  const calls = measuredCalls();
  const others = ['fastify', 'usual', 'bare'] as const;
  return withServers(1000, others, async ({ database, servers, credentials }) => {
    const customers = Array.from({ length: 50 }, (_, index) => index + 1);
    await database.addCodaFiles(customers, 20);
    await checkPeers(servers, calls, credentials);
    const rows: string[][] = [];
    for (const { name, method, path, body } of calls) {
      const request = prepareRequest(name, method, path, credentials, body);
      rows.push(await compare(request, servers));
    }
    return {
      head: [
        ...['', 'service/s', 'calls to fastify', 'calls to usual', 'calls to bare'],
        ...['service CPU µs', 'fastify CPU µs', 'usual CPU µs', 'bare CPU µs'],
        ...['CPU to fastify', 'CPU to usual'],
      ],
      rows,
    };
  });
}

/** @throws Error if `ADX_BENCH_ONLY` names an operation that is not measured */
function measuredCalls(): Call[] {
  const post = (name: string, path: string, body: object) =>
    ({ name, method: 'POST', path, body }) as const;
  const all: Call[] = [
    { name: 'getCustomer', method: 'GET', path: `/v1/customers/${customerIdOf(500)}` },
    post('searchCustomers (text)', '/v1/customers', { search: 'k-77' }),
    post('searchCustomers (exact)', '/v1/customers', { accountingRef: 'K-77' }),
    post('searchMandates', '/v1/mandates', {}),
    post('searchMandates (poll)', '/v1/mandates', {
      updatedSince: mandateChangedOn(990),
      includeFinished: true,
      sort: 'updatedOn',
      sortDirection: 'asc',
    }),
    post('listBanks', '/v1/banks', {}),
    { name: 'listCustomers (1000)', method: 'GET', path: '/v1/customers' },
    post('listCodaFiles (20)', '/v1/coda-files', { enterpriseNumber: enterpriseNumberOf(25) }),
    post('listCodaFiles (1000)', '/v1/coda-files', {}),
  ];
  if (only === undefined) return all;
  const wanted = all.filter(({ name }) => only.includes(operationOf(name)));
  const unknown = only.filter((each) => !wanted.some(({ name }) => operationOf(name) === each));
  if (unknown.length > 0) throw new Error(`Not measured here: ${unknown.join(', ')}`);
  return wanted;
}

function operationOf(name: string): string {
  return name.replace(/ .*/, '');
}

async function compare(
  request: PreparedRequest,
  servers: readonly ServerUnderLoad[],
): Promise<string[]> {
  const turns = await inTurns(servers, { rounds, warmUps: 3 }, (server) =>
    measureCalls(server, request),
  );
  const value = (of: keyof MeasuredCalls, server: number) =>
    medianOf(turns, (turn) => turn[server]?.[of]).toFixed(0);
  const ratio = (of: keyof MeasuredCalls, server: number) =>
    medianOf(turns, (turn) => (turn[0]?.[of] ?? 0) / (turn[server]?.[of] ?? 0)).toFixed(2);
  return [
    request.name,
    value('perSecond', 0),
    ...[1, 2, 3].map((server) => ratio('perSecond', server)),
    ...[0, 1, 2, 3].map((server) => value('cpuMicros', server)),
    ...[1, 2].map((server) => ratio('cpuMicros', server)),
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
