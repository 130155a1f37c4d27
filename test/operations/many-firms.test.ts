// @module-tag long
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createKnex } from '@adx/server';
import pLimit from 'p-limit';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../packages/server/src/db/open-database.js';
import { SettingsError } from '../../packages/server/src/db/session-settings.js';
import { createTokenService } from '../../packages/server/src/identity/tokens.js';
import { startPgBouncer } from '../../packages/server/test/support/pgbouncer.js';
import { processSettings } from '../../packages/server/test/support/process-settings.js';
import { printResult } from '../proofs/print-result.js';
import { isProof, rounds } from '../support/rounds.js';
import { createDeployment, type Deployment } from './support/deployment.js';

const firms = rounds({ short: 200, proof: 10_000 });
const services = rounds({ short: 1, proof: 2 });

/** The size of the pool of PgBouncer: far fewer than the processes would open. */
const poolSize = 16;

/** Long enough for every work that is repeated within seconds. */
const idleSeconds = 16;

const publicUrl = 'https://adx.example.org';

/** Adds firms with a customer and an administrator each. */
async function addFirms({ knex }: Deployment): Promise<void> {
  const of = (table: string) => `'${table}' || lpad(to_hex(n), 23, '0')`;
  const statements = [
    `insert into firms (id, name, tenant) select ${of('a')}, 'Firm ' || n, 'firm-' || n`,
    `insert into users (id, firm_id, username, access_level, sees_customers)
     select ${of('b')}, ${of('a')}, n || '@firm.example', 'administrator', 'all'`,
    `insert into customers (id, firm_id, enterprise_number, name, street, zip_code, municipality, country,
                            contact_name, contact_function, contact_email, contact_language)
     select ${of('c')}, ${of('a')}, lpad(n::text, 8, '0') || lpad((97 - n % 97)::text, 2, '0'),
            'Customer ' || n, 'Veldstraat 1', '9000', 'Gent', 'België', 'Jan', 'Zaakvoerder',
            n || '@customer.example', 'nl'`,
  ];
  for (const statement of statements) {
    await knex.raw(`${statement} from generate_series(1, ?::int) n`, [firms]);
  }
  await knex.raw('analyze');
}

/** Starts PgBouncer, and gives its role the settings that the service asks for. */
async function poolConnections({ databaseUrl, knex }: Deployment) {
  const open = async () => {
    const started = await startPgBouncer(databaseUrl, { poolSize, clients: 1_000 });
    onTestFinished(started.stop);
    const first = createKnex(started.url);
    await expect
      .poll(() =>
        first.raw('select 1').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await first.destroy();
    return started;
  };
  const { url } = await open();
  const refusal: unknown = await openDatabase({ databaseUrl: url, databasePoolSize: 1 }).catch(
    (error: unknown) => error,
  );
  if (!(refusal instanceof SettingsError)) throw refusal;
  await knex.raw(refusal.advice.slice(refusal.advice.indexOf('alter role')));
  return open();
}

/** Returns the ID token of the administrator of each firm. */
async function tokensOf({ knex, databaseUrl }: Deployment): Promise<string[]> {
  const { SIGNING_KEY_SECRET: signingKeySecret = '' } = await processSettings(databaseUrl);
  const tokens = createTokenService({ knex, issuer: publicUrl, signingKeySecret });
  const users = await knex('users').whereLike('username', '%@firm.example').select('id', 'firm_id');
  return Promise.all(
    users.map(({ id, firm_id: firmId }) => tokens.issue({ id, firmId, tokenVersion: 1 }, 'Tests')),
  );
}

async function memoryOf({ pid }: { readonly pid: number }): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** Returns what the work that is repeated reads of the tables that have rows of all firms. */
async function readRows({ knex }: Deployment): Promise<{ rows: number; transactions: number }> {
  const { rows } = await knex.raw(
    `select (select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int from pg_stat_user_tables
              where relname in ('firms', 'users', 'customers', 'mandates')) as rows,
            (select xact_commit::int from pg_stat_database where datname = current_database())
              as transactions`,
  );
  return rows[0];
}

test(`D-39 D-67 ${firms} firms poll at once: all are answered, memory stays, and nothing reads all firms again and again`, async () => {
  const deployment = await createDeployment();
  onTestFinished(() => deployment.close());
  await addFirms(deployment);
  const pooler = isProof ? await poolConnections(deployment) : undefined;
  const settings = {
    ...{ PUBLIC_URL: publicUrl, RATE_LIMIT_PER_MINUTE: '600' },
    DATABASE_URL: pooler?.url ?? deployment.databaseUrl,
  };
  const running = await Promise.all(
    Array.from({ length: services }, () => deployment.start(settings)),
  );
  await Promise.all(Array.from({ length: services }, () => deployment.startWorker(settings)));
  const tokens = await tokensOf(deployment);
  const statuses = new Map<number, number>();
  const { apiKey } = deployment;
  async function poll(idToken: string, index: number): Promise<void> {
    const { url } = running[index % running.length] ?? expect.fail();
    for (const [path, body] of [
      ['/coda-files', { includePdf: true }],
      ['/mandates', { updatedSince: new Date().toISOString() }],
    ] as const) {
      const response = await fetch(`${url}/v1${path}`, {
        method: 'POST',
        headers: {
          ...{ 'x-api-key': apiKey, authorization: `Bearer ${idToken}` },
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  }
  const memory: number[] = [];
  for (const _ of ['first', 'second']) {
    await pLimit(50).map(tokens, poll);
    memory.push(Math.max(...(await Promise.all(running.map(memoryOf)))));
  }
  expect([...statuses]).toEqual([[200, 4 * firms]]);
  const [once = 0, twice = 0] = memory;
  expect(twice).toBeLessThan(once * 1.5);
  // Until connections that are idle have reported what they read.
  await pause(12_000);
  const before = await readRows(deployment);
  await pause(idleSeconds * 1_000);
  const after = await readRows(deployment);
  const perSecond = (after.transactions - before.transactions) / idleSeconds;
  // About 4 of the looks for jobs and files; work firm by firm each 10 seconds would be 20.
  expect(perSecond).toBeLessThan(10 * services);
  expect(after.rows - before.rows).toBeLessThan(firms);
  printResult({
    ...{
      firms,
      pooler: pooler === undefined ? 'none' : `PgBouncer ${pooler.version}`,
      calls: 4 * firms,
      memoryMib: memory,
    },
    idle: { transactionsPerSecond: perSecond.toFixed(1), rows: after.rows - before.rows },
  });
});
