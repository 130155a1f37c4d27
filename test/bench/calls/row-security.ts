import { createKnex } from '@adx/server';
import pg from 'pg';
import { customerIdOf } from '../seeds/seed-customers.js';
import type { Table } from '../table.js';
import { inTurns, medianOf } from '../turns.js';
import { cpuOfFamily, parentOf } from '../uploads/process-usage.js';
import { type BenchDatabase, benchDatabase } from './bench-database.js';
import { type PreparedRequest, prepareRequest } from './load.js';
import { type MeasuredCalls, measureCalls } from './measure-calls.js';
import { type ServerUnderLoad, startServer } from './server-under-load.js';

/** The role of the service that owns no table, so that policies hold for it. */
const walledRole = 'adx_walled';

/**
 * Statements that give the role what the service needs, and let it see customers and their links of
 * one firm only.
 */
const rowSecurity = `
create role ${walledRole};
grant all on all tables in schema public to ${walledRole};
grant all on all sequences in schema public to ${walledRole};
alter table customers enable row level security;
create policy firm on customers using (firm_id = current_setting('adx.firm_id'));
alter table bank_accounts enable row level security;
create policy firm on bank_accounts using (exists (select from customers c where c.id = customer_id));
alter table customer_payroll_providers enable row level security;
create policy firm on customer_payroll_providers using (exists (select from customers c where c.id = customer_id));
`;

/**
 * How the firm of a call is set: for a transaction, or for the connection until the next call. Both
 * are sent with the statement in one round trip, or before it.
 */
const waysToSet = [
  'transaction',
  'connection',
  'transaction, one round trip',
  'connection, one round trip',
] as const;

export type WayToSet = (typeof waysToSet)[number];

interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
}

interface Client {
  pipeline: boolean;
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
  query(statement: Statement | string, ...rest: unknown[]): unknown;
}

/**
 * Makes all connections of this process set the firm before each prepared statement that reads
 * customers.
 */
export function setFirmOfStatements(firmId: string, way: WayToSet): void {
  const prototype = pg.Client.prototype as unknown as Client;
  const { query } = prototype;
  const done = () => {};
  const send = (client: Client, statement: Statement, rest: readonly unknown[]): unknown => {
    if (way.startsWith('connection')) {
      const text = "select set_config('adx.firm_id', $1, false)";
      query.call(client, { name: 'adx_firm', text, values: [firmId] }, done);
      return query.call(client, statement, ...rest);
    }
    query.call(client, `begin; select set_config('adx.firm_id', '${firmId}', true)`, done);
    const result = query.call(client, statement, ...rest);
    query.call(client, 'commit', done);
    return result;
  };
  prototype.query = function (statement, ...rest) {
    const isWalled =
      typeof statement === 'object' &&
      statement.name !== undefined &&
      statement.text.includes('customers c');
    if (!isWalled) return query.call(this, statement, ...rest);
    const { stream } = this.connection;
    this.pipeline = way.endsWith('one round trip');
    stream.cork();
    const result = send(this, statement, rest);
    stream.uncork();
    return result;
  };
}

/**
 * How often all servers are started anew: how well a process is compiled differs from one to the
 * next.
 */
const starts = 3;
const rounds = Number(process.env['ADX_BENCH_ROUNDS'] ?? 5);

/**
 * Compares `getCustomer` of the whole service with that of a service whose role sees the customers
 * of one firm only, in turn (D-57).
 */
export async function benchRowSecurity(): Promise<Table> {
  const database = await benchDatabase(1_000);
  const knex = createKnex(database.url, { poolSize: 1 });
  try {
    const { rows } = await knex.raw('select pg_backend_pid() as pid');
    const postgres = await parentOf(rows[0].pid);
    await knex.raw(rowSecurity);
    const turns: Measurement[][] = [];
    for (let start = 0; start < starts; start += 1)
      turns.push(...(await compare(database, postgres)));
    const middle = (server: number, value: (one: Measurement, without: Measurement) => number) =>
      medianOf(turns, (turn) => {
        const [one, without] = [turn[server], turn[0]];
        return one && without && value(one, without);
      });
    return {
      head: [
        ...['firm set for a', 'calls/s', 'service CPU µs', 'database CPU µs'],
        ...['CPU of both, ratio'],
      ],
      rows: ['without policies', ...waysToSet].map((name, server) => [
        name,
        middle(server, ({ perSecond }) => perSecond).toFixed(0),
        middle(server, ({ cpuMicros }) => cpuMicros).toFixed(0),
        middle(server, ({ databaseMicros }) => databaseMicros).toFixed(0),
        middle(server, (one, without) => cpuOf(one) / cpuOf(without)).toFixed(2),
      ]),
    };
  } finally {
    await knex.destroy();
    await database.drop();
  }
}

/**
 * Starts all servers and measures them in turn. Returns the turns, with that of the service without
 * policies first.
 */
async function compare(database: BenchDatabase, postgres: string): Promise<Measurement[][]> {
  const url = new URL(database.url);
  url.searchParams.set('options', `-c role=${walledRole}`);
  const walled = { DATABASE_URL: url.href };
  const without = await startServer('service', { DATABASE_URL: database.url });
  const servers = [without];
  try {
    for (const way of waysToSet) {
      servers.push(await startServer('walled', walled, database.firmId, way));
    }
    const credentials = await database.signIn(without.port);
    const path = `/v1/customers/${customerIdOf(500)}`;
    const request = prepareRequest('getCustomer', 'GET', path, credentials);
    return await inTurns(servers, { rounds, warmUps: 3 }, (server) =>
      measure(server, request, postgres),
    );
  } finally {
    for (const server of servers) server.stop();
  }
}

const cpuOf = ({ cpuMicros, databaseMicros }: Measurement) => cpuMicros + databaseMicros;

/** The CPU time of a service and of the processes of its database. */
interface Measurement extends MeasuredCalls {
  readonly databaseMicros: number;
}

async function measure(
  server: ServerUnderLoad,
  request: PreparedRequest,
  postgres: string,
): Promise<Measurement> {
  const before = await cpuOfFamily(postgres);
  const calls = await measureCalls(server, request);
  const seconds = (await cpuOfFamily(postgres)) - before;
  return { ...calls, databaseMicros: (seconds * 1e6) / calls.count };
}
