import { createFirmStore, createKnex, createUserStore } from '@adx/server';
import { createdFirm, createdUser } from '../../../packages/server/test/support/users.js';
import { seedCustomers } from '../seeds/seed-customers.js';
import { percentile } from '../statistics.js';
import type { Table } from '../table.js';
import { type BenchDatabase, signInBody } from './bench-database.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import { withServers } from './with-servers.js';

const rounds = Number(process.env['ADX_BENCH_ROUNDS'] ?? 5);
const customers = Number(process.env['ADX_BENCH_CUSTOMERS'] ?? 50_000);
const connections = 30;
const durationMs = 3_000;

/**
 * Measures the search of a small firm while a large one floods the service (D-39, D-69): at most
 * three times the time before.
 */
export async function benchFairRequests(): Promise<Table> {
  return withServers(customers, [], async ({ database, service: { port }, credentials }) => {
    const users = await addUsers(database, connections);
    const small = await database.signIn(port, users.ofSmallFirm);
    const search = prepareRequest('searchCustomers', 'POST', '/v1/customers', small, {});
    const rows: string[][] = [];
    for (const [name, flood] of floods(credentials, users.ofLargeFirm, database.password)) {
      rows.push([name, ...(await compare(port, search, flood))]);
    }
    return {
      head: ['flood', 'idle p95 ms', 'flooded p95 ms', 'ratio', 'answered/s', 'refused/s'],
      rows,
    };
  });
}

function floods(
  credentials: Readonly<Record<string, string>>,
  usernames: readonly string[],
  password: string,
): [string, PreparedRequest[]][] {
  const offset = customers - 1_000;
  const page = { limit: 200, offset };
  const at = offset.toLocaleString('en');
  const search = (path: string, body: object) =>
    usernames.map(() => prepareRequest('flood', 'POST', path, credentials, { ...page, ...body }));
  const signIn = (username: string) =>
    prepareRequest(
      'sign-in',
      'POST',
      '/v1/token',
      { 'x-api-key': credentials['x-api-key'] ?? '' },
      signInBody(username, password),
    );
  const refused = (path: string, body: object, changed = {}) =>
    usernames.map(() =>
      prepareRequest('flood', 'POST', path, { ...credentials, ...changed }, body),
    );
  const unknown = Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`f${i}`, 0]));
  const statuses = { status: Array(32_000).fill(1) };
  const forged = `${credentials['Authorization']?.slice(0, -4)}AAAA`;
  const key = `adx_live_${'a'.repeat(43)}`;
  return [
    ['32,000 wrong items', refused('/v1/mandates', statuses)],
    ['6,000 unknown fields', refused('/v1/mandates', unknown)],
    ['forged tokens', refused('/v1/mandates', {}, { Authorization: forged })],
    ['unknown API keys', refused('/v1/mandates', {}, { 'x-api-key': key })],
    [`customers at offset ${at}`, search('/v1/customers', {})],
    [`customers by text at ${at}`, search('/v1/customers', { search: 'customer' })],
    [`mandates at offset ${at}`, search('/v1/mandates', { includeFinished: true })],
    ['sign-ins', usernames.map(signIn)],
  ];
}

async function compare(
  port: number,
  search: PreparedRequest,
  flood: readonly PreparedRequest[],
): Promise<string[]> {
  const measure = () => load(port, search, { connections: 1, durationMs });
  await measure();
  const idle: number[] = [];
  const flooded: number[] = [];
  let [calls, refused, seconds] = [0, 0, 0];
  const onRefused = () => {
    refused += 1;
  };
  for (let round = 0; round < rounds; round += 1) {
    idle.push(percentile(await measure(), 95));
    const started = performance.now();
    const flooding = flood.map((request) =>
      load(port, { ...request, onRefused }, { connections: 1, durationMs }),
    );
    flooded.push(percentile(await measure(), 95));
    calls += (await Promise.all(flooding)).flat().length;
    seconds += (performance.now() - started) / 1000;
  }
  const perSecond = (each: number) => each / seconds;
  const [before, during] = [percentile(idle, 50), percentile(flooded, 50)];
  return [
    before.toFixed(2),
    during.toFixed(2),
    (during / before).toFixed(2),
    ...[calls - refused, refused].map((each) => perSecond(each).toFixed(0)),
  ];
}

/** Adds a firm with 1,000 customers, and users to both firms. */
async function addUsers({ url, firmId, passwordHash }: BenchDatabase, count: number) {
  const knex = createKnex(url, { poolSize: 2, statementTimeoutMs: 0 });
  try {
    const add = async (firm: string, username: string) => {
      const access = { accessLevel: 'administrator', customers: 'all' } as const;
      const user = { firmId: firm, username, passwordHash, ...access };
      createdUser(await createUserStore(knex).create(user));
      return username;
    };
    const small = createdFirm(
      await createFirmStore(knex).create({ name: 'Klein kantoor', codbUpload: false }),
    );
    await seedCustomers(knex, small.id, customers + 1, 1_000);
    await knex.raw('vacuum analyze');
    const ofLargeFirm: string[] = [];
    for (let n = 0; n < count; n += 1) {
      ofLargeFirm.push(await add(firmId, `user${n}@kantoor.example`));
    }
    return { ofSmallFirm: await add(small.id, 'els@klein-kantoor.example'), ofLargeFirm };
  } finally {
    await knex.destroy();
  }
}
