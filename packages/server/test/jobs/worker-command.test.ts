import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { runAdxServer, startAdxServer } from '../operator/adx-server.js';
import { createTestDatabase } from '../support/database.js';
import { createLimitedRole } from '../support/limited-role.js';
import { processSettings } from '../support/process-settings.js';
import { insertApiKey, insertFirm, insertUser } from '../support/rows.js';
import { createJobsDatabase } from './jobs-database.js';

/** Returns the entries of a log about the end of a process. */
function endIn(log: string) {
  const entries = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg?: string });
  return entries.filter(({ msg }) => msg?.startsWith('stop'));
}

test('jobs: adx-server worker registers itself, unregisters on SIGTERM, and logs that it stops', async () => {
  const { url, knex } = await createJobsDatabase();
  const child = startAdxServer(['worker'], {
    ...(await processSettings(url)),
    LOG_LEVEL: 'info',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('No pipes');
  const said = Promise.all([text(stdout), text(stderr)]);
  await eventually(async () => (await knex('job_workers')).length > 0);
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  const [lines, errors] = await said;
  const entries = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { version?: string });
  expect(entries.find(({ version }) => version !== undefined)).toMatchObject({
    ...{ level: 'info', version: expect.stringMatching(/^\d+\./) },
    msg: 'The worker of the Accounting Data Exchange is running',
  });
  expect(endIn(lines)).toMatchObject([
    { level: 'info', msg: 'stopping', signal: 'SIGTERM' },
    { level: 'info', msg: 'stopped' },
  ]);
  expect(errors).toBe('');
  expect(await knex('job_workers')).toEqual([]);
});

test('jobs: while PostgreSQL refuses connections, the log of a worker is JSON in plain words, and standard error is empty, also when it stops on SIGINT', async () => {
  const { url, knex } = await createJobsDatabase();
  const role = await createLimitedRole(url, knex);
  const child = startAdxServer(['worker'], {
    ...(await processSettings(role.url)),
    LOG_LEVEL: 'info',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += chunk));
  child.stderr?.on('data', (chunk) => (output.stderr += chunk));
  const logged = (text: string) => eventually(async () => output.stdout.includes(text));
  await logged('is running');
  // A job is running when the connections are lost, so that its end cannot be recorded.
  await knex.transaction(async (trx) => {
    await trx.raw('lock table audit_seals');
    await waitUntilBlocked(knex);
    await role.refuse();
  });
  await logged('jobs: the database is unreachable, retrying');
  await logged('could not be recorded; its worker is replaced');
  await role.accept();
  await logged('jobs: the database is reachable again');
  child.kill('SIGINT');
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  expect(endIn(output.stdout)).toMatchObject([{ signal: 'SIGINT' }, { msg: 'stopped' }]);
  expect(await knex('job_workers')).toEqual([]);
  const lines = output.stdout.trimEnd().split('\n');
  const messages = lines.map((line) => JSON.parse(line).msg);
  expect(messages.filter((each) => /seppuku|go wrong|Worker exited|console:/.test(each))).toEqual(
    [],
  );
  expect(output.stdout).toContain('"code":"53300"');
  expect(output.stderr).toBe('');
});

test('jobs: adx-server worker does not start on a database with pending migrations', async () => {
  const { url, release } = await createTestDatabase({ empty: true });
  onTestFinished(release);
  const result = await runAdxServer(['worker'], await processSettings(url));
  expect(result).toMatchObject({ exitCode: 1, stdout: '' });
  expect(result.stderr).toContain('run `adx-server migrate` first');
});

test('D-23 D-41 D-43 a worker has exactly the jobs of the guide running-in-production, and deletes old windows of rate limits, counts of calls and answers', async () => {
  const { url, knex } = await createJobsDatabase();
  const [api_key_id, firm_id] = [await insertApiKey(knex), await insertFirm(knex)];
  const user_id = await insertUser(knex, firm_id);
  const hash = knex.raw(`sha256('')`);
  const old = {
    rate_limit_windows: { caller: 'Tests', number: 1, drawn: 1 },
    api_usage: {
      ...{ day: '2020-01-01', api_key_id, operation: 'listBanks', field: '', value: '', calls: 1 },
    },
    idempotent_answers: {
      ...{ api_key_id, user_id, firm_id, key_hash: hash, fingerprint: hash },
      ...{ answer: '{}', created_on: '2020-01-01' },
    },
  };
  for (const [table, row] of Object.entries(old)) await knex(table).insert(row);
  const child = startAdxServer(['worker'], await processSettings(url));
  onTestFinished(() => void child.kill('SIGKILL'));
  for (const table of Object.keys(old)) {
    expect(await eventually(() => knex(table), isEmpty)).toEqual([]);
  }
  const guide = new URL('../../../../docs/guides/running-in-production.md', import.meta.url);
  const [, table = ''] =
    /\n\| Job .*\n\| -.*\n((?:\|.*\n)+)/.exec(readFileSync(guide, 'utf8')) ?? [];
  const described = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  const known = () => knex('graphile_worker._private_tasks').pluck('identifier');
  await expect.poll(async () => (await known()).sort()).toEqual(described.sort());
});

const isEmpty = ({ length }: readonly unknown[]) => length === 0;
