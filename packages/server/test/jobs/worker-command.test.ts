import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/operations/eventually.js';
import { runAdxServer, startAdxServer } from '../operator/adx-server.js';
import { newDataDir } from '../storage/open-test-storage.js';
import { createTestDatabase } from '../support/database.js';
import { createJobsDatabase } from './jobs-database.js';

test.each(['SIGTERM', 'SIGINT'] as const)(
  'jobs: adx-server worker signs on, and off when it gets %s',
  async (stop) => {
    const { url, knex } = await createJobsDatabase();
    const child = startAdxServer(['worker'], {
      DATABASE_URL: url,
      ADX_DATA_DIR: newDataDir(),
      STORAGE_PORT: '0',
      LOG_LEVEL: 'warn',
      LINK_SECRET: 'x'.repeat(32),
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('No pipes');
    const said = Promise.all([text(stdout), text(stderr)]);
    await eventually(async () => (await knex('job_workers')).length > 0);
    child.kill(stop);
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    expect(await said).toEqual([
      'The worker of the Accounting Data Exchange looks for jobs.\n',
      '',
    ]);
    expect(await knex('job_workers')).toEqual([]);
  },
);

test('jobs: adx-server worker does not start on a database that lacks migrations', async () => {
  const { url, drop } = await createTestDatabase({ empty: true });
  onTestFinished(drop);
  const result = await runAdxServer(['worker'], { DATABASE_URL: url });
  expect(result).toMatchObject({ exitCode: 1, stdout: '' });
  expect(result.stderr).toContain('run `adx-server migrate` first');
});
