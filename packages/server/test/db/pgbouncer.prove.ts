import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { freePort } from '../../../../test/support/free-port.js';
import { requireProgram } from '../../../../test/support/require-program.js';
import { createKnex } from '../../src/db/knex.js';
import { openDatabase } from '../../src/db/open-database.js';
import { runPrepared } from '../../src/db/prepared-statements.js';
import { SettingsError } from '../../src/db/session-settings.js';
import { createTestDatabase } from '../support/database.js';

/** Starts PgBouncer in transaction mode, with two connections to the database. */
async function startPgBouncer(url: string): Promise<string> {
  await requireProgram('pgbouncer', 'pgbouncer', '--version');
  const folder = await mkdtemp(join(tmpdir(), 'adx-pgbouncer-'));
  const { hostname, port, pathname, username, password } = new URL(url);
  const listenPort = await freePort();
  const name = pathname.slice(1);
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
`,
  );
  await chmod(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], {
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    const closed = once(child, 'close');
    child.kill('SIGINT');
    await closed;
    await rm(folder, { recursive: true });
  });
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${listenPort}`;
  return pooled.href;
}

test('L-09 behind PgBouncer in transaction mode, statements run on any connection', async () => {
  const database = await createTestDatabase();
  const knex = createKnex(await startPgBouncer(database.url), { poolSize: 6 });
  onTestFinished(async () => {
    await knex.destroy();
    await database.release();
  });
  await eventually(() => knex.raw('select 1'));
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, value) =>
      runPrepared(knex, { sql: 'select ?::int as value', bindings: [value] }),
    ),
  );
  expect(answers).toEqual(Array.from({ length: 200 }, (_, value) => [{ value }]));
});

test('D-61 behind PgBouncer, the settings that statements rely on are named until the role has them', async () => {
  const database = await createTestDatabase();
  const direct = createKnex(database.url, { poolSize: 1 });
  onTestFinished(async () => {
    await direct.destroy();
    await database.release();
  });
  const open = async () => {
    const databaseUrl = await startPgBouncer(database.url);
    const knex = createKnex(databaseUrl);
    await eventually(() => knex.raw('select 1'));
    await knex.destroy();
    return openDatabase({ databaseUrl, databasePoolSize: 4 });
  };
  await direct.raw("alter database ?? set DateStyle = 'German'", [
    new URL(database.url).pathname.slice(1),
  ]);
  const refusal: unknown = await open().catch((error: unknown) => error);
  if (!(refusal instanceof SettingsError)) throw refusal;
  expect(refusal.found).toMatch(/DateStyle = 'German.*statement_timeout = '0'/);
  await direct.raw(refusal.advice.slice(refusal.advice.indexOf('alter role')));
  const { knex, close } = await open();
  onTestFinished(close);
  // Connections of the pooler do not get what one client sets.
  const others = createKnex(knex.client.connectionSettings.connectionString, {
    statementTimeoutMs: 0,
  });
  onTestFinished(() => others.destroy());
  const read = (run: typeof knex) =>
    run.raw("select current_setting('statement_timeout') as value");
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => read(i % 2 ? knex : others)),
  );
  expect(new Set(answers.flatMap(({ rows }) => rows[0].value))).toEqual(new Set(['30s']));
});
