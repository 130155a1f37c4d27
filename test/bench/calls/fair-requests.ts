import { createFirmStore, createKnex, createUserStore, hashPassword } from '@adx/server';
import { createdFirm, createdUser } from '../../../packages/server/test/support/users.js';
import { seedCustomers } from '../seeds/seed-customers.js';
import { percentile } from '../statistics.js';
import type { Table } from '../table.js';
import { type BenchDatabase, benchDatabase } from './bench-database.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import { startServer } from './server-under-load.js';

const rounds = Number(process.env['ADX_BENCH_ROUNDS'] ?? 5);
const customers = Number(process.env['ADX_BENCH_CUSTOMERS'] ?? 50_000);
const connections = 30;
const durationMs = 3_000;
const password = 'een-lang-wachtwoord-voor-metingen';

/**
 * Measures the search of a small firm while a large firm with 50,000 customers floods the service over 30
 * connections, against the same search before each flood (D-39). Goal: its 95th percentile at most
 * three times as long.
 */
export async function benchFairRequests(): Promise<Table> {
  const database = await benchDatabase(customers);
  const server = await startServer('service', { DATABASE_URL: database.url });
  try {
    const large = await database.signIn(server.port);
    const users = await addUsers(database, connections);
    const small = await signIn(server.port, large['x-api-key'] ?? '', users.ofSmallFirm);
    const search = prepareRequest('searchCustomers', 'POST', '/v1/customers', small, {});
    const rows: string[][] = [];
    for (const [name, flood] of floods(large, users.ofLargeFirm)) {
      rows.push([name, ...(await compare(server.port, search, flood))]);
    }
    return {
      head: ['flood', 'idle p95 ms', 'flooded p95 ms', 'ratio', 'answered/s', 'refused/s'],
      rows,
    };
  } finally {
    server.stop();
    await database.drop();
  }
}

/** Returns the requests of each flood, one per connection. */
function floods(
  credentials: Readonly<Record<string, string>>,
  usernames: readonly string[],
): [string, PreparedRequest[]][] {
  const offset = customers - 1_000;
  const page = { limit: 200, offset };
  const at = offset.toLocaleString('en');
  const search = (path: string, body: object) =>
    usernames.map(() => prepareRequest('flood', 'POST', path, credentials, { ...page, ...body }));
  const { 'x-api-key': apiKey = '' } = credentials;
  return [
    [`customers at offset ${at}`, search('/v1/customers', {})],
    [`customers by text at ${at}`, search('/v1/customers', { search: 'customer' })],
    [`mandates at offset ${at}`, search('/v1/mandates', { includeFinished: true })],
    ['sign-ins', usernames.map((username) => signInRequest(apiKey, username))],
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
    // The last calls of the flood take longer than the search.
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

/** Adds a firm with 1,000 customers and a user, and users to the large firm. Returns their usernames. */
async function addUsers({ url, firmId }: BenchDatabase, count: number) {
  const knex = createKnex(url, { poolSize: 2, statementTimeoutMs: 0 });
  try {
    const passwordHash = await hashPassword(password);
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

function signInRequest(apiKey: string, username: string): PreparedRequest {
  const body = { username, password: Buffer.from(password).toString('base64') };
  return prepareRequest('sign-in', 'POST', '/v1/token', { 'x-api-key': apiKey }, body);
}

/** Signs a user in, and returns the headers of a call. */
async function signIn(port: number, apiKey: string, username: string) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/token`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: Buffer.from(password).toString('base64') }),
  });
  const { idToken } = (await response.json()) as { idToken: string };
  return { 'x-api-key': apiKey, Authorization: `Bearer ${idToken}` };
}
