import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/server/test/support/database.js';
import { createTestKnex } from '../../packages/server/test/support/knex-for-file.js';
import { processSettings } from '../../packages/server/test/support/process-settings.js';
import { printResult } from '../proofs/print-result.js';
import { repository } from '../support/run-command.js';
import { createBalancer } from './balancer.js';
import { checkOutFormerRelease, type FormerRelease } from './former-release.js';
import { startPartnerLoad } from './partner-load.js';
import { type Release, releaseIn } from './release-processes.js';

const publicUrl = 'http://adx.example';
/** The tests of the former release that use its database. */
const suites = [
  ...['packages/client/', 'packages/server/', 'test/browser/', 'test/conformance/', 'test/fuzz/'],
  ...['test/generated-clients/', 'test/isolation/', 'test/mandates/', 'test/operations/'],
];
/** It has to fail: doctor names the migrations of the new release. */
const doctor = 'packages/server/test/operator/commands/doctor.test.ts';

let checkout: FormerRelease;
let database: TestDatabase;
let mailFolder: string;
let former: Release;
let present: Release;
beforeAll(async () => {
  checkout = await checkOutFormerRelease();
  database = await createTestDatabase({ empty: true });
  mailFolder = await mkdtemp(join(tmpdir(), 'adx-mails-'));
  const { SMTP_URL: _, ...settings } = await processSettings(database.url);
  const own = {
    ...{ ...settings, PUBLIC_URL: publicUrl, MAIL_FOLDER: mailFolder, LOG_LEVEL: 'warn' },
    ...{ RATE_LIMIT_PER_MINUTE: '1000000', JOBS_CONCURRENCY: '0' },
  };
  former = releaseIn(checkout.folder, own);
  present = releaseIn(repository, own);
});
afterAll(async () => {
  former?.close();
  present?.close();
  await database?.drop();
  await checkout?.remove();
  await rm(mailFolder, { recursive: true, force: true });
});

test('D-64 two releases run side by side under load, with 0 failed calls', async () => {
  await former.command('migrate');
  const { id: firmId = '' } = await former.command('firm', 'create', '--name', 'Kantoor Peeters');
  const username = 'an@kantoor-peeters.example';
  const user = ['--firm', firmId, '--username', username, '--access', 'administrator'];
  const { password = '' } = await former.command('user', 'create', ...user);
  const key = ['--partner', 'Tests', '--scopes', 'all'];
  const { key: apiKey = '' } = await former.command('api-key', 'issue', ...key);

  const balancer = createBalancer(publicUrl);
  const { fetch } = balancer;
  const begin = async (name: string, release: Release) => {
    const service = await release.serve();
    balancer.add(name, service);
    return service;
  };
  const olds = [await begin('former', former), await begin('former', former)];
  const oldWorker = await former.work();
  const target = { publicUrl, apiKey, username, password, fetch, mailFolder };
  const load = startPartnerLoad(target, 6, 2);
  /** How many customers had their statement at the end of each phase. */
  const listed: Record<string, number> = {};
  const phase = async (name: string, seconds: number) => {
    await wait(seconds * 1000);
    listed[name] = load.listed.length;
  };
  await phase('the former release', 15);
  await present.command('migrate');
  await phase('the former release on the new schema', 15);
  const young = await begin('new', present);
  const worker = await present.work();
  await phase('both releases', 25);
  for (const [place, service] of olds.entries()) {
    await balancer.remove(service);
    olds[place] = await begin('former, restarted', former);
  }
  expect(await oldWorker.stop()).toBe(0);
  const restartedWorker = await former.work();
  await phase('both releases, after a restart of the former one', 25);
  for (const service of olds) await balancer.remove(service);
  expect(await restartedWorker.stop()).toBe(0);
  await phase('the new release', 15);
  await load.stop();
  await balancer.remove(young);
  expect(await worker.stop()).toBe(0);

  const calls = Object.fromEntries(balancer.calls);
  printResult({ former: checkout.commit, calls, listed, shownAgain: load.shownAgain() });
  expect([...new Set([...balancer.failures, ...load.failures])]).toEqual([]);
  expect(Object.keys(calls)).toEqual(['former', 'new', 'former, restarted']);
  // A job that failed once and succeeded later has left no trace in the database.
  const lines = [former, present].flatMap((release) => release.output().split('\n'));
  expect(lines.filter((line) => line.includes('job failed'))).toEqual([]);
  const knex = createTestKnex(database.url, { poolSize: 2 });
  try {
    const listed = await knex('files').pluck<string[]>('iban');
    expect(listed.sort()).toEqual([...load.listed].sort());
    const unsigned = ['created', 'waitingForSigner', 'error'];
    expect(await knex('mandates').whereIn('status', unsigned).pluck('id')).toEqual([]);
    const failed = knex('graphile_worker.jobs').whereNotNull('last_error');
    expect(await failed.select('task_identifier', 'last_error')).toEqual([]);
  } finally {
    await knex.destroy();
  }
});

test('D-64 the suites of the former release pass on the new schema', async () => {
  await checkout.edit(
    'packages/server/test/support/sandbox-parts.ts',
    '      await migrate(knex);\n',
    `      await migrate(knex);
      const { execFileSync } = await import('node:child_process');
      const env = { ...process.env, DATABASE_URL: templateUrl.href };
      execFileSync(process.execPath, ${JSON.stringify([...present.program, 'migrate'])}, { env });
`,
  );
  const { code, output } = await checkout.npm('test', '--', ...suites, '--exclude', doctor);
  const [, passed] = /^(\d+) passed, 0 failed$/m.exec(output) ?? [];
  expect(code, output.slice(-10_000)).toBe(0);
  printResult(`${passed} tests of ${checkout.commit} passed on the new schema`);
  expect(Number(passed)).toBeGreaterThan(1000);
});
