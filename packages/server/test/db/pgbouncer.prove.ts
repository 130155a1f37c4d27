import { expect, onTestFinished, test } from 'vitest';
import { printResult } from '../../../../test/proofs/print-result.js';
import { eventually } from '../../../../test/support/eventually.js';
import { createKnex } from '../../src/db/knex.js';
import { openDatabase } from '../../src/db/open-database.js';
import { runPrepared } from '../../src/db/prepared-statements.js';
import { SettingsError } from '../../src/db/session-settings.js';
import { createJobsDatabase, notes } from '../jobs/jobs-database.js';
import { createTestDatabase } from '../support/database.js';
import { startPgBouncer } from '../support/pgbouncer.js';

async function startBefore(url: string) {
  const { stop, ...started } = await startPgBouncer(url);
  onTestFinished(stop);
  return started;
}

test('L-09 D-68 behind PgBouncer in transaction mode, statements on partitions run on any connection; from 1.21 on they are prepared, with one plan for all values', async () => {
  const database = await createTestDatabase({ partitions: { count: 4 } });
  const { url, version, keepsNames } = await startBefore(database.url);
  const knex = createKnex(url, { poolSize: 6 });
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
  const plans = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { rows } = await knex.raw(
        `select pg_backend_pid() as pid, sum(generic_plans)::int as generic,
                sum(custom_plans)::int as custom, current_setting('plan_cache_mode') as mode
           from pg_prepared_statements where statement = 'select $1::int as value'`,
      );
      return [rows[0].pid, rows[0]] as const;
    }),
  );
  const ofEach = [...new Map(plans).values()];
  const total = (of: 'generic' | 'custom') => ofEach.reduce((sum, each) => sum + each[of], 0);
  expect([total('generic'), total('custom')]).toEqual([keepsNames ? 200 : 0, 0]);
  expect(new Set(plans.map(([, { mode }]) => mode))).toEqual(new Set(['auto']));
  printResult({ pooler: `PgBouncer ${version}`, calls: answers.length, prepared: keepsNames });
});

test('D-67 behind PgBouncer in transaction mode, jobs run although no notification arrives', async () => {
  const { url: direct, startWorker, enqueue, untilEmpty } = await createJobsDatabase();
  const { url, version } = await startBefore(direct);
  const { calls, note } = notes();
  await eventually(() => startWorker({ note }, { databaseUrl: url, concurrency: 4 }));
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  for (const number of numbers) {
    await enqueue({ key: `note:${number}`, payload: { number } });
    if (number % 5 === 4) await untilEmpty();
  }
  expect(calls).toEqual(expect.arrayContaining(numbers.map((number) => ({ number }))));
  expect(calls).toHaveLength(numbers.length);
  printResult({ pooler: `PgBouncer ${version}`, jobs: calls.length });
});

test('D-61 behind PgBouncer, the settings that statements rely on are named until the role has them', async () => {
  const database = await createTestDatabase();
  const direct = createKnex(database.url, { poolSize: 1 });
  onTestFinished(async () => {
    await direct.destroy();
    await database.release();
  });
  const open = async () => {
    const { url: databaseUrl } = await startBefore(database.url);
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
