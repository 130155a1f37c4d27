import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { startTestService } from '../support/test-service.js';
import { expectedStatuses, filledCollection } from './collection.js';

const install = 'install --no-save --no-audit --no-fund --ignore-scripts'.split(' ');
/** Writes the collection in the format of Bruno, with the code by which Bruno imports it. */
const importIntoBruno = `
const { mkdirSync, readFileSync } = require('node:fs');
const { createCollectionFromBrunoObject } = require('@usebruno/cli/src/utils/collection.js');
const { postmanToBruno } = require('@usebruno/converters');
mkdirSync('bruno');
postmanToBruno(JSON.parse(readFileSync('postman.json', 'utf8'))).then(({ collection }) =>
  createCollectionFromBrunoObject(collection, 'bruno', { format: 'bru' }),
);
`;

let folder: string;
let settings: Readonly<Record<string, string>>;
beforeEach(async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const user = await service.createUser({
    firmId: await service.createFirm('Kantoor Maes', { codbUpload: true }),
  });
  const { key: apiKey } = await service.issueApiKey();
  folder = await mkdtemp(join(tmpdir(), 'adx-collection-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'package.json'), '{}');
  const { username, password } = user;
  settings = { baseUrl: service.baseUrl, apiKey, username, password };
  const filled = filledCollection(settings);
  await writeFile(join(folder, 'postman.json'), JSON.stringify(filled));
});

test('D-54 in Postman the collection signs in by itself and makes each call', async () => {
  expect(await runInPostman()).toEqual(expectedStatuses);
});

test('D-54 in Postman the collection signs in with the values of an environment', async () => {
  const others = { baseUrl: 'http://127.0.0.1:1/v1', username: 'nobody', signedInAs: 'nobody' };
  const signInAgainAt = String(Date.now() + 3_600_000);
  const collection = { ...others, idToken: 'of nobody', signInAgainAt };
  await writeFile(join(folder, 'postman.json'), JSON.stringify(filledCollection(collection)));
  const values = Object.entries(settings).flatMap(([key, value]) => [
    '--env-var',
    `${key}=${value}`,
  ]);
  expect(await runInPostman(...values)).toEqual(expectedStatuses);
});

test('D-54 in Postman the collection signs in again after a token that is refused', async () => {
  await writeRefusedToken();
  expect(await runInPostman()).toEqual({ ...expectedStatuses, 'Hello world': 401 });
});

/** Writes a collection that has signed in to a sandbox which was made anew. */
async function writeRefusedToken(): Promise<void> {
  const { baseUrl, apiKey, username, password = '' } = settings;
  const signedInAs = [baseUrl, apiKey, username, Buffer.from(password).toString('base64')].join(
    ' ',
  );
  const signInAgainAt = String(Date.now() + 3_600_000);
  const filled = filledCollection({ ...settings, signedInAs, signInAgainAt, idToken: 'of before' });
  await writeFile(join(folder, 'postman.json'), JSON.stringify(filled));
}

async function runInPostman(...options: readonly string[]) {
  await runCommand('npm', [...install, 'newman@6.2.2'], { cwd: folder });
  const report = '--reporters cli,json --reporter-json-export report.json'.split(' ');
  const run = ['newman', 'run', 'postman.json', ...report, ...options];
  expect(await runCommand('npx', run, { cwd: folder })).not.toContain('deprecated');
  const { run: made } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  const answers = made.executions.map(({ item, response }: NewmanExecution) => [
    item.name,
    response.code,
  ]);
  return Object.fromEntries(answers);
}

test('D-54 in Bruno the collection signs in by itself and makes each call', async () => {
  expect(await runInBruno()).toEqual(expectedStatuses);
});

test('D-54 in Bruno the collection signs in again after a token that is refused', async () => {
  await writeRefusedToken();
  expect(await runInBruno()).toEqual({ ...expectedStatuses, 'Hello world': 401 });
});

async function runInBruno() {
  const packages = ['@usebruno/cli@4.1.0', '@usebruno/converters@0.23.0'];
  await runCommand('npm', [...install, ...packages], { cwd: folder });
  await writeFile(join(folder, 'import.cjs'), importIntoBruno);
  await runCommand(process.execPath, ['import.cjs'], { cwd: folder });
  const report = ['--reporter-json', '../report.json'];
  await runCommand('npx', ['bru', 'run', '-r', ...report], { cwd: join(folder, 'bruno') });
  const [{ results }] = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  const answers = results.map(({ name, response }: BrunoResult) => [name, response.status]);
  return Object.fromEntries(answers);
}

// Bruno imports the setting too, but the code by which its command creates a collection drops it.
test('D-20 in Postman the collection follows no redirect, which would send the key to another host', async () => {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    if (!['/token', '/elsewhere'].includes(url))
      response.writeHead(302, { location: '/elsewhere' });
    response.end('{"idToken":"token"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const filled = filledCollection({ ...settings, baseUrl: `http://127.0.0.1:${port}` });
  await writeFile(join(folder, 'postman.json'), JSON.stringify(filled));
  await runInPostman();
  expect(paths).toContain('/hello-world');
  expect(paths).not.toContain('/elsewhere');
});

interface NewmanExecution {
  readonly item: { readonly name: string };
  readonly response: { readonly code: number };
}

interface BrunoResult {
  readonly name: string;
  readonly response: { readonly status: number };
}
