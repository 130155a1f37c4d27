import { createKnex } from '@adx/server';
import pg from 'pg';
import { customerIdOf } from '../seeds/seed-customers.js';
import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { cpuOfFamily, parentOf } from '../uploads/process-usage.js';
import { benchDatabase } from './bench-database.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import { type ServerUnderLoad, startServer } from './server-under-load.js';

/** The role of the service that owns no table, so that policies hold for it. */
export const walledRole = 'adx_walled';

/** Statements that give the role what the service needs, and let it see customers and their links of one firm only. */
export const rowSecurity = `
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

/** How the firm of a call is set: in a transaction, or in one round trip with the statement. */
export type WayToSet = 'transaction' | 'pipeline';

interface Connection {
  parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: string[] }): void;
  execute(portal: object): void;
}

interface PreparedQuery {
  text: string;
  _result: { command: string | null };
  prepare(connection: Connection): void;
  handleDataRow(row: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

/** Makes all connections of this process set the firm with each prepared statement that reads customers. */
export function setFirmOfStatements(firmId: string, way: WayToSet): void {
  if (way === 'transaction') setInTransaction(firmId);
  else setInPipeline(firmId);
}

const isWalled = (text: string) => text.includes('customers c');

function setInTransaction(firmId: string): void {
  const prototype = pg.Client.prototype as unknown as {
    query(statement: { text: string; name?: string } | string, ...rest: unknown[]): unknown;
  };
  const { query } = prototype;
  prototype.query = function (statement, ...rest) {
    if (typeof statement === 'string' || statement.name === undefined || !isWalled(statement.text))
      return query.call(this, statement, ...rest);
    // The client sends them one after the other.
    const done = () => {};
    query.call(this, `begin; select set_config('adx.firm_id', '${firmId}', true)`, done);
    const result = query.call(this, statement, ...rest);
    query.call(this, 'commit', done);
    return result;
  };
}

/** Without `begin`, the statements up to the next `Sync` are a transaction. */
function setInPipeline(firmId: string): void {
  const prototype = pg.Query.prototype as unknown as PreparedQuery;
  const { prepare, handleDataRow, handleCommandComplete } = prototype;
  /** The queries whose firm is being set. */
  const setting = new WeakSet<PreparedQuery>();
  const name = 'adx_firm';
  prototype.prepare = function (connection) {
    if (isWalled(this.text)) {
      if (connection.parsedStatements[name] === undefined) {
        const text = "select set_config('adx.firm_id', $1, true)";
        connection.parse({ name, text });
        connection.parsedStatements[name] = text;
      }
      connection.bind({ statement: name, values: [firmId] });
      connection.execute({});
      setting.add(this);
    }
    prepare.call(this, connection);
  };
  prototype.handleDataRow = function (row) {
    if (!setting.has(this)) handleDataRow.call(this, row);
  };
  prototype.handleCommandComplete = function (message, connection) {
    if (setting.has(this)) setting.delete(this);
    else handleCommandComplete.call(this, message, connection);
  };
}

const rounds = Number(process.env['ADX_BENCH_ROUNDS'] ?? 9);
const warmUps = 3;
const lane = { connections: 8, durationMs: 1_500 };

/**
 * Compares `getCustomer` of the whole service with that of a service whose role sees the customers of one firm only,
 * in turn (D-57).
 */
export async function benchRowSecurity(): Promise<Table> {
  const database = await benchDatabase(1_000);
  const knex = createKnex(database.url, { poolSize: 1 });
  const url = new URL(database.url);
  url.searchParams.set('options', `-c role=${walledRole}`);
  const settings = { DATABASE_URL: database.url };
  const walled = { DATABASE_URL: url.href };
  try {
    const { rows } = await knex.raw('select pg_backend_pid() as pid');
    const postgres = await parentOf(rows[0].pid);
    await knex.raw(rowSecurity);
    const servers = new Map([
      ['without', await startServer('service', settings)],
      [
        'in a transaction',
        await startServer('walled', walled, database.firmId, 'transaction' satisfies WayToSet),
      ],
      [
        'in one round trip',
        await startServer('walled', walled, database.firmId, 'pipeline' satisfies WayToSet),
      ],
    ]);
    const credentials = await database.signIn(servers.get('without')?.port ?? 0);
    const path = `/v1/customers/${customerIdOf(500)}`;
    const request = prepareRequest('getCustomer', 'GET', path, credentials);
    const measured = new Map<string, Measurement[]>();
    for (let round = 1 - warmUps; round <= rounds; round += 1) {
      for (const [name, server] of servers) {
        const one = await measure(server, request, postgres);
        if (round > 0) measured.set(name, [...(measured.get(name) ?? []), one]);
      }
    }
    for (const server of servers.values()) server.stop();
    const middle = (name: string, value: (one: Measurement) => number) =>
      median((measured.get(name) ?? []).map(value));
    const cpu = (name: string) =>
      middle(name, ({ serviceMicros, databaseMicros }) => serviceMicros + databaseMicros);
    return {
      head: [
        ...['row-level security', 'calls/s', 'service CPU µs', 'database CPU µs'],
        ...['of the CPU time without'],
      ],
      rows: [...servers.keys()].map((name) => [
        name,
        middle(name, ({ perSecond }) => perSecond).toFixed(0),
        middle(name, ({ serviceMicros }) => serviceMicros).toFixed(0),
        middle(name, ({ databaseMicros }) => databaseMicros).toFixed(0),
        (cpu(name) / cpu('without')).toFixed(2),
      ]),
    };
  } finally {
    await knex.destroy();
    await database.drop();
  }
}

interface Measurement {
  readonly perSecond: number;
  readonly serviceMicros: number;
  readonly databaseMicros: number;
}

async function measure(
  server: ServerUnderLoad,
  request: PreparedRequest,
  postgres: string,
): Promise<Measurement> {
  const before = await server.usage();
  const databaseBefore = await cpuOfFamily(postgres);
  const started = performance.now();
  const times = await load(server.port, request, lane);
  const seconds = (performance.now() - started) / 1_000;
  const after = await server.usage();
  return {
    perSecond: times.length / seconds,
    serviceMicros: (after.cpuMicros - before.cpuMicros) / times.length,
    databaseMicros: (((await cpuOfFamily(postgres)) - databaseBefore) * 1e6) / times.length,
  };
}
