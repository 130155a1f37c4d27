import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { addDatabaseGauges, type DatabaseGauge } from '../../src/telemetry/database-gauges.js';
import { openTestDatabase } from '../support/knex-for-file.js';

const { knex } = await openTestDatabase(afterAll, { poolSize: 1 });

/** Returns a gauge that reads a statement, and counts how often. */
function countedGauge(name: string, sql: string) {
  const gauge = {
    reads: 0,
    ...{ name, help: name, labels: [] },
    async read(trx) {
      gauge.reads += 1;
      const { rows } = await trx.raw(sql);
      return [{ labels: {}, value: rows[0].value }];
    },
  } satisfies DatabaseGauge & { reads: number };
  return gauge;
}

test('D-55 a gauge that takes long is read seldom, and one that fails keeps no others from being read', async () => {
  const slow = countedGauge('slow', 'select 1 as value, pg_sleep(0.5)');
  const failing = countedGauge('failing', 'select 1 / 0 as value');
  const quick = countedGauge('quick', 'select 2 as value');
  const registry = new Registry();
  const others = [slow, failing, quick];
  const read = addDatabaseGauges(registry, { knex, others, keepMs: 0 });
  for (let scrape = 0; scrape < 3; scrape += 1) {
    await read();
    const text = await registry.metrics();
    expect(text).toContain('slow 1\n');
    expect(text).toContain('quick 2\n');
    expect(text).toContain('adx_job_slots 0\n');
    expect(text).toContain('adx_database_read 0\n');
    expect(text).not.toMatch(/^failing /m);
    // Longer than quick ones are kept.
    await knex.raw('select pg_sleep(3)');
  }
  expect(slow.reads).toBe(1);
  expect(quick.reads).toBeGreaterThan(1);
});

test('D-67 a part of repeated work that no worker takes does not count as a job that waits', async () => {
  const registry = new Registry();
  const read = addDatabaseGauges(registry, { knex, others: [], keepMs: 0 });
  await knex.raw(
    `select graphile_worker.add_job(task, run_at => now() - interval '1 hour', flags => flags)
       from (values ('removeObjects', array['shared']), ('printFile', array['files'])) job (task, flags)`,
  );
  await read();
  const text = await registry.metrics();
  expect(text).toMatch(/^adx_oldest_job_age_seconds\{task="printFile"\} 36\d\d/m);
  expect(text).not.toContain('adx_oldest_job_age_seconds{task="removeObjects"}');
});
