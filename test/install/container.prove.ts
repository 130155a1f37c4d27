import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/server/test/support/database.js';
import { processSettings } from '../../packages/server/test/support/process-settings.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { repository } from '../support/run-command.js';
import { packServer } from './installed-server.js';

const deploy = join(repository, 'packages/server/deploy/container');
const image = 'adx-server-test';

/** An image with Node and npm, such as one from `debootstrap`. */
const base = process.env['TEST_CONTAINER_BASE'];

/** The container, run without an engine: in its root, as its user, with its environment. */
let container: string;
let database: TestDatabase;
const started: ChildProcess[] = [];

const buildah = (...parameters: string[]) =>
  execFileSync('buildah', parameters, {
    encoding: 'utf8',
    env: { STORAGE_DRIVER: 'vfs', ...process.env },
    maxBuffer: 1 << 26,
  }).trim();

beforeAll(async () => {
  if (base === undefined) {
    throw new Error('Set TEST_CONTAINER_BASE to an image with Node and npm, and install buildah.');
  }
  database = await createTestDatabase({ empty: true });
  const { folder, remove } = await packServer();
  cpSync(join(deploy, 'Containerfile'), join(folder, 'Containerfile'));
  const build = ['bud', '--isolation', 'chroot', '--format', 'docker', '--tag', image];
  buildah(...build, '--build-arg', `BASE=${base}`, folder);
  await remove();
  container = buildah('from', image);
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  if (container !== undefined) buildah('rm', container);
  await database?.release();
});

const [node, program] = ['node', '/opt/adx/node_modules/@adx/server/bin/adx-server.mjs'];

function inContainer(settings: Readonly<Record<string, string>>, command: readonly string[]) {
  const environment = Object.entries(settings).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ]);
  return ['run', '--isolation', 'chroot', ...environment, container, '--', ...command];
}

test('D-61 the user of the container is not root, and can write nothing of the installation', () => {
  const run = (...command: string[]) => buildah(...inContainer({}, command));
  expect(run('id', '-u')).toBe('10001');
  expect(run('find', '/opt', '/usr', '-writable', '-not', '-type', 'l')).toBe('');
});

test('D-61 the container migrates, serves, is healthy, and stops on SIGTERM', async () => {
  const port = await freePort();
  const settings = { ...(await processSettings(database.url)), PORT: String(port) };
  buildah(...inContainer(settings, [node, program, 'migrate']));
  const [, health = ''] =
    /"-e", "(.+)"\]/.exec(
      execFileSync('cat', [join(deploy, 'Containerfile')], { encoding: 'utf8' }),
    ) ?? [];
  const isHealthy = () => buildah(...inContainer(settings, [node, '-e', health]));
  expect(isHealthy).toThrow();
  const child = spawn('buildah', inContainer(settings, [node, program, 'serve']), {
    env: { STORAGE_DRIVER: 'vfs', ...process.env },
    stdio: 'ignore',
  });
  started.push(child);
  const ended = once(child, 'close');
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  isHealthy();
  expect((await fetch(`http://127.0.0.1:${port}/docs/`)).status).toBe(200);
  const pids = execFileSync('pgrep', ['-u', '10001', '-f', `^\\S*node ${program} serve$`], {
    encoding: 'utf8',
  });
  for (const pid of pids.trim().split('\n')) process.kill(Number(pid), 'SIGTERM');
  expect((await ended)[0]).toBe(0);
});
