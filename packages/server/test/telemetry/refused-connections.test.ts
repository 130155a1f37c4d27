import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { freePort } from '../../../../test/support/free-port.js';
import { createJobsDatabase } from '../jobs/jobs-database.js';
import { startAdxServer } from '../operator/adx-server.js';
import { createLimitedRole } from '../support/limited-role.js';
import { processSettings } from '../support/process-settings.js';

test('D-55 connections that PostgreSQL refuses are counted, those for jobs too, and it sees who holds which', async () => {
  const { url, knex } = await createJobsDatabase();
  const role = await createLimitedRole(url, knex);
  const port = await freePort();
  const child = startAdxServer(['worker'], {
    ...(await processSettings(role.url)),
    METRICS_PORT: String(port),
  });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const holders = async (): Promise<string[]> =>
    knex('pg_stat_activity')
      .distinct()
      .whereRaw(`datname = current_database() and application_name like 'adx-server %'`)
      .orderBy('application_name')
      .pluck('application_name');
  await eventually(holders, ({ length }) => length === 2);
  expect(await holders()).toEqual(['adx-server worker', 'adx-server worker (jobs)']);
  const refused = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(
      /^adx_database_connection_failures_total\{code="53300"\} (\d+)$/m.exec(metrics)?.[1],
    );
  };
  expect(await refused()).toBe(0);
  await role.refuseMore();
  // Only the connections for jobs are lost: those that are left go on.
  const end = () =>
    knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'adx-server worker (jobs)'`,
    );
  await end();
  await eventually(refused, (count) => count > 0);
  await role.accept();
  await eventually(holders, ({ length }) => length === 2);
  await role.refuse();
  const before = await refused();
  await eventually(refused, (count) => count > before);
});
