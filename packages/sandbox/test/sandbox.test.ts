import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readCoda } from '@adx/statements';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type InstalledSandbox, installSandbox } from './installed-sandbox.js';
import { pasteIntoShell } from './paste-into-shell.js';
import { newFolder } from './postgres-folder.js';

let installed: InstalledSandbox;
beforeAll(async () => {
  installed = await installSandbox();
});
afterAll(() => installed.remove());

const freePorts = ['--port', '0', '--storage-port', '0'];
const ready = /"event":"ready".*\n/;

/** Returns the facts that a sandbox prints when it is ready. */
function factsIn(printed: string): Record<string, string> {
  const lines = printed.split('\n').filter((line) => line.includes('"event":"ready"'));
  return JSON.parse(lines[0] ?? expect.fail(printed));
}
const firstCall = (printed: string) => factsIn(printed)['firstCall'] ?? expect.fail(printed);

/** Sends a POST request of the demo's administrator, as a variant of the printed call. */
async function ask(call: string, path: string, body: object) {
  const json = `-H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return JSON.parse(await pasteIntoShell(call.replace('/v1/customers ', `/v1/${path} ${json} `)));
}

/** Expects mandates in every status, and statements that can be downloaded. */
async function expectDemo(call: string): Promise<void> {
  const { records } = await ask(call, 'mandates', { limit: 100, includeFinished: true });
  const statuses = new Set(records.map(({ status }: { status: string }) => status));
  expect([...statuses].sort()).toEqual([
    ...['confirmedByBank', 'created', 'error', 'expired', 'finished', 'rejectedByBank'],
    ...['rejectedByPayrollProvider', 'rejectedBySigner', 'renewalRequired', 'unsupportedBank'],
    ...['unsupportedPayrollProvider', 'waitingForBank', 'waitingForPayrollProvider'],
    'waitingForSigner',
  ]);
  const groups: { ibans: { iban: string; files: { urls: { coda: string } }[] }[] }[] = await ask(
    call,
    'coda-files',
    {},
  );
  const [account] = groups.flatMap(({ ibans }) => ibans);
  const response = await fetch(account?.files[0]?.urls.coda ?? expect.fail());
  const statements = [];
  for await (const read of readCoda(new Uint8Array(await response.arrayBuffer()))) {
    statements.push(read);
  }
  expect(statements[0]?.statement?.account.iban).toBe(account?.iban);
  const today = new Date().toISOString().slice(0, 10);
  const newest = statements[0]?.statement?.newBalance?.date ?? expect.fail();
  expect(newest < today, `${newest} is not in the future`).toBe(true);
  expect((await ask(call, 'codb-files', {})).length).toBeGreaterThan(3);
}

describe('adx-sandbox start', () => {
  // One test, because the demo takes long to set up.
  test('sandbox: the printed call works, commands work, and the demo has every status and its statements; a restart keeps everything; after a kill no service is left, and it can start again', async () => {
    const dataDir = join(newFolder(), 'sand box');
    const data = ['--data', dataDir];
    const first = await installed.start(['start', ...data, ...freePorts], /The demo is complete/);
    const call = firstCall(first.printed());
    const customers: { id: string }[] = JSON.parse(await pasteIntoShell(call));
    expect(customers).toHaveLength(30);
    await expectDemo(call);

    const users = await installed.run(...data, 'user', 'list', '--json');
    expect(JSON.parse(users.stdout)).toHaveLength(5);
    const [archived] = customers;
    await pasteIntoShell(
      call.replace(/\/v1\/customers /, `/v1/customers/${archived?.id} -X DELETE `),
    );
    // A second sandbox on the same folder.
    const again = await installed.run('start', ...data, ...freePorts);
    expect(again).toMatchObject({ exitCode: 1 });
    expect(again.stderr).toMatch(
      /^error: Another sandbox .* is using .*: stop it, or choose another/,
    );
    expect(await first.stop('SIGINT')).toBe(0);
    expect(await installed.run(...data, 'user', 'list')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`No sandbox is running on ${dataDir}`),
    });

    const second = await installed.start(['start', ...data, ...freePorts], ready);
    for (const fact of ['apiKey', 'login', 'password']) {
      expect(factsIn(second.printed())[fact]).toBe(factsIn(first.printed())[fact]);
    }
    const kept = await pasteIntoShell(firstCall(second.printed()));
    expect(JSON.parse(kept)).toHaveLength(29);
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);

    const { url } = factsIn(second.printed());
    const service = () =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => 'gone',
      );
    expect(await service()).toBe(200);
    await second.stop('SIGKILL');
    await expect.poll(service).toBe('gone');
    const third = await installed.start(['start', '--empty', ...data, ...freePorts], ready);
    expect(await third.stop('SIGTERM')).toBe(0);
  });

  test('sandbox: a taken port is refused in one sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    const dataDir = newFolder();
    for (const [option, free] of [
      ['--port', '--storage-port'],
      ['--storage-port', '--port'],
    ] as const) {
      const ports = [option, port, free, '0'];
      const { exitCode, stdout, stderr } = await installed.run(
        'start',
        '--data',
        dataDir,
        ...ports,
      );
      expect(exitCode).toBe(1);
      expect(stderr).toBe(`error: The port ${port} is taken: choose another with ${option}\n`);
      expect(stdout).not.toContain('curl');
    }
  });

  test.each([
    [['start', '--port', 'eighty'], /It is not a port/],
    [['start', '--prot', '80'], /unknown option '--prot'/],
    [['database', 'more'], /too many arguments/],
  ])('sandbox: %j is refused in one sentence', async (parameters, sentence) => {
    const { exitCode, stdout, stderr } = await installed.run(...parameters);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
  });
});

describe('adx-sandbox database and storage', () => {
  test('D-34 sandbox: each part prints the settings that point the service to it, and stops on a signal', async () => {
    const dataDir = newFolder();
    const database = await installed.start(['database', '--data', dataDir], /^DATABASE_URL=\S+\n/);
    const [, url = ''] = /^DATABASE_URL=(\S+)\n$/.exec(database.printed()) ?? [];
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    expect(await database.stop('SIGTERM')).toBe(0);

    const storage = await installed.start(
      ['storage', '--data', dataDir, '--port', '0', '--json'],
      /\}\n$/,
    );
    expect(JSON.parse(storage.printed())).toEqual({
      S3_ENDPOINT: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      S3_ACCESS_KEY_ID: expect.any(String),
      S3_SECRET_ACCESS_KEY: expect.any(String),
      S3_BUCKET_FILES: 'adx-files',
      S3_BUCKET_CODA_UPLOADS: 'adx-coda-uploads',
      S3_BUCKET_CODB_UPLOADS: 'adx-codb-uploads',
      STS_ROLE_ARN: expect.stringMatching(/^arn:/),
    });
    expect(await storage.stop('SIGINT')).toBe(0);
    const names = ['postgres-password', 'sandbox-secret'];
    for (const name of names)
      expect(readFileSync(join(dataDir, name), 'utf8')).toMatch(/^[\w-]{43}$/);
  });

  test('D-34 sandbox: a storage whose port is taken leaves no PostgreSQL behind', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    const dataDir = newFolder();
    const { exitCode, stderr } = await installed.run('storage', '--data', dataDir, '--port', port);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(port);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });
});
