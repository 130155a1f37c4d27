import { enterpriseNumberOf } from '../../support/numbers.js';
import { customerIdOf } from '../seeds/seed-customers.js';
import { mandateChangedOn } from '../seeds/seed-mandates.js';
import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { benchDatabase } from './bench-database.js';
import { type PreparedRequest, prepareRequest } from './load.js';
import { type MeasuredCalls, measureCalls } from './measure-calls.js';
import { type ServerUnderLoad, startServer } from './server-under-load.js';

const rounds = Number(process.env['ADX_BENCH_ROUNDS'] ?? 9);
/** Rounds that are not counted, in which the code is compiled. */
const warmUps = 3;

/**
 * Compares the whole service with bare Express 5 handlers that run the same SQL: sent as knex does,
 * and prepared as the service does. All get the same requests in turn, so that other load on the
 * machine affects all.
 */
export async function benchRequestPath(): Promise<Table> {
  const database = await benchDatabase(1000);
  await database.addCodaFiles(
    Array.from({ length: 50 }, (_, index) => index + 1),
    20,
  );
  const settings = { DATABASE_URL: database.url };
  const servers = await Promise.all(
    (['service', 'bare', 'prepared'] as const).map((kind) =>
      startServer(kind, settings, database.firmId, database.userId),
    ),
  );
  try {
    const credentials = await database.signIn(servers[0]?.port ?? 0);
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
  } finally {
    for (const server of servers) server.stop();
    await database.drop();
  }
}

async function compare(
  request: PreparedRequest,
  servers: readonly ServerUnderLoad[],
): Promise<string[]> {
  const measured: MeasuredCalls[][] = [];
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    const turn: MeasuredCalls[] = [];
    for (const server of servers) turn.push(await measureCalls(server, request));
    if (round > 0) measured.push(turn);
  }
  const middle = (value: (turn: readonly MeasuredCalls[]) => number | undefined) =>
    median(measured.map((turn) => value(turn) ?? Number.NaN));
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
