import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { runAdxServer, startAdxServer } from '../operator/adx-server.js';
import { createTestDatabase } from '../support/database.js';
import { processSettings } from '../support/process-settings.js';
import { createJobsDatabase } from './jobs-database.js';

test.each(['SIGTERM', 'SIGINT'] as const)(
  'jobs: adx-server worker registers itself, and unregisters on %s',
  async (stop) => {
    const { url, knex } = await createJobsDatabase();
    const child = startAdxServer(['worker'], {
      ...(await processSettings(url)),
      LOG_LEVEL: 'warn',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('No pipes');
    const said = Promise.all([text(stdout), text(stderr)]);
    await eventually(async () => (await knex('job_workers')).length > 0);
    child.kill(stop);
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    expect(await said).toEqual(['The worker of the Accounting Data Exchange is running.\n', '']);
    expect(await knex('job_workers')).toEqual([]);
  },
);

test('jobs: adx-server worker does not start on a database with pending migrations', async () => {
  const { url, drop } = await createTestDatabase({ empty: true });
  onTestFinished(drop);
  const result = await runAdxServer(['worker'], await processSettings(url));
  expect(result).toMatchObject({ exitCode: 1, stdout: '' });
  expect(result.stderr).toContain('run `adx-server migrate` first');
});
