import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCoda } from '@adx/statements';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type InstalledSandbox, installSandbox, type RunningSandbox } from './installed-sandbox.js';
import { pasteIntoShell } from './paste-into-shell.js';
import { isAlive, newFolder, serversBelow } from './postgres-folder.js';

let installed: InstalledSandbox;
/** A data folder for tests that work with a new or an existing database. Creating one takes a second of CPU time. */
const sharedDataDir = mkdtempSync(join(tmpdir(), 'adx-sandbox-'));
chmodSync(sharedDataDir, 0o711);
beforeAll(async () => {
  installed = await installSandbox();
});
afterAll(() => installed.remove());
afterAll(() => {
  for (const pid of serversBelow(sharedDataDir)) process.kill(pid, 'SIGKILL');
  rmSync(sharedDataDir, { recursive: true, maxRetries: 5 });
});

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

/** Returns the processes that a sandbox has started: the service and the worker. */
function childrenOf({ pid }: RunningSandbox): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number));
  return processes.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
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
  test('sandbox: the demo is complete, works as printed, and continues after a restart, an interruption and a kill; it ends if its service dies', async () => {
    const dataDir = join(newFolder(), 'sand box');
    const data = ['--data', dataDir];
    const first = await installed.start(['start', ...data, ...freePorts], /The demo is complete/);
    const call = firstCall(first.printed());
    const customers: { id: string }[] = JSON.parse(await pasteIntoShell(call));
    expect(customers).toHaveLength(30);
    await expectDemo(call);

    // Contacts are reminded, renewals are offered, and some mandates are signed without the others.
    const listed = await installed.run(...data, 'mandate', 'list', '--json');
    const triggersOf = async (name: string) => {
      const triggers: string[] = [];
      for (const { id, customerName } of JSON.parse(listed.stdout)) {
        if (customerName !== name) continue;
        const { stdout } = await installed.run(...data, 'mandate', 'show', id, '--json');
        triggers.push(
          ...JSON.parse(stdout).history.map((each: { trigger: string }) => each.trigger),
        );
      }
      return triggers;
    };
    for (const [name, triggers] of [
      ['Webatelier Pixelkroon', ['reminded']],
      ['Cabinet dentaire Sourirelles', ['renewalOffered']],
      ['Elektro Vonkelaar', ['signed', 'declined']],
    ] as const) {
      await expect
        .poll(() => triggersOf(name), { timeout: 60_000 })
        .toEqual(expect.arrayContaining([...triggers]));
    }

    const users = await installed.run(...data, 'user', 'list', '--json');
    expect(JSON.parse(users.stdout)).toHaveLength(5);
    const [archived] = customers;
    await pasteIntoShell(
      call.replace(/\/v1\/customers /, `/v1/customers/${archived?.id} -X DELETE `),
    );
    // A second sandbox on the same folder.
    const again = await installed.run('start', ...data, ...freePorts);
    expect(again).toMatchObject({ exitCode: 1 });
    expect(again.stderr).toMatch(/^error: Another sandbox is using .*: stop it, or choose another/);
    first.closeOutput();
    expect(await first.stop('SIGINT')).toBe(0);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
    expect(await installed.run(...data, 'user', 'list')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`No sandbox is running on ${dataDir}`),
    });

    const demoFile = join(dataDir, 'demo.json');
    const state = JSON.parse(readFileSync(demoFile, 'utf8'));
    // The state of a sandbox that was killed just before its demo was complete.
    writeFileSync(demoFile, JSON.stringify({ ...state, isComplete: false }));
    const second = await installed.start(['start', ...data, ...freePorts], /The demo is complete/);
    for (const fact of ['apiKey', 'login', 'password']) {
      expect(factsIn(second.printed())[fact]).toBe(factsIn(first.printed())[fact]);
    }
    const kept = await pasteIntoShell(firstCall(second.printed()));
    expect(JSON.parse(kept)).toHaveLength(29);
    expect(statSync(demoFile).mode & 0o777).toBe(0o600);

    const children = childrenOf(second);
    expect(children.map(isAlive)).toEqual([true, true]);
    await second.stop('SIGKILL');
    await expect.poll(() => children.map(isAlive)).toEqual([false, false]);
    // The state of a sandbox that was killed while it created the demo's firms.
    writeFileSync(demoFile, JSON.stringify({ ...state, isCreated: false }));
    const unfinished = await installed.run('start', ...data, ...freePorts);
    expect(unfinished).toMatchObject({
      exitCode: 1,
      stderr: `error: The demo in ${dataDir} was interrupted while it was created: delete the folder, or choose another with --data\n`,
    });
    const third = await installed.start(['start', '--empty', ...data, ...freePorts], ready);
    const [service = expect.fail()] = childrenOf(third);
    process.kill(service, 'SIGKILL');
    expect(await third.ended).toBe(1);
    const log = join(dataDir, 'service.log');
    expect(third.errors()).toBe(`error: adx-server serve has ended (SIGKILL): see ${log}\n`);
    expect(factsIn(third.printed())).toMatchObject({ log });
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  test('sandbox: Ctrl+C before it has started says at once that it waits, and stops', async () => {
    const parameters = ['start', '--empty', '--data', sharedDataDir, ...freePorts];
    const sandbox = await installed.start(parameters, /Starting PostgreSQL/);
    expect(await sandbox.stop('SIGINT')).toBe(0);
    const [, second] = sandbox.printed().split('\n');
    expect(second).toContain('Stopping: waiting until the sandbox has started …');
    expect(existsSync(join(sharedDataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  test('sandbox: a demo is refused with a mail server, because it reads its messages from a folder', async () => {
    const parameters = ['start', '--data', sharedDataDir, ...freePorts];
    const smtp = { SMTP_URL: 'smtp://127.0.0.1:9' };
    await expect(installed.start(parameters, ready, smtp)).rejects.toThrow(
      'error: The demo reads its messages from a folder: unset SMTP_URL, or start with --empty',
    );
  });

  test('sandbox: a taken port is refused in one sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    for (const [option, free] of [
      ['--port', '--storage-port'],
      ['--storage-port', '--port'],
    ] as const) {
      const ports = [option, port, free, '0'];
      const { exitCode, stdout, stderr } = await installed.run(
        'start',
        '--data',
        sharedDataDir,
        ...ports,
      );
      expect(exitCode).toBe(1);
      expect(stderr).toBe(`error: The port ${port} is taken: choose another with ${option}\n`);
      expect(stdout).not.toContain('curl');
    }
    // 3001 is the default port of the storage.
    const same = await installed.run('start', '--data', sharedDataDir, '--port', '3001');
    expect(same).toMatchObject({
      exitCode: 1,
      stderr: 'error: --port and --storage-port are both 3001: choose another for one of them\n',
    });
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

test('sandbox: its help names the operator commands, which also run with --data=<folder>', async () => {
  for (const parameters of [['--help'], ['help']]) {
    const { exitCode, stdout } = await installed.run(...parameters);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('adx-sandbox --data <folder> firm list');
  }
  const dataDir = newFolder();
  expect(await installed.run(`--data=${dataDir}`, 'firm', 'list')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`No sandbox is running on ${dataDir}`),
  });
});

describe('adx-sandbox database and storage', () => {
  test('D-34 sandbox: each part prints the settings that point the service to it, and stops on a signal', async () => {
    const database = await installed.start(
      ['database', '--data', sharedDataDir],
      /^DATABASE_URL=\S+\n/,
    );
    database.closeInput();
    const [, url = ''] = /^DATABASE_URL=(\S+)\n$/.exec(database.printed()) ?? [];
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    expect(await database.stop('SIGTERM')).toBe(0);

    const storage = await installed.start(
      ['storage', '--data', sharedDataDir, '--port', '0', '--json'],
      /\}\n$/,
      { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/adx' },
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
    expect(await storage.stop('SIGTERM')).toBe(0);
    expect(existsSync(join(sharedDataDir, 'postgres/postmaster.pid'))).toBe(false);
    const names = ['postgres-password', 'sandbox-secret'];
    for (const name of names)
      expect(readFileSync(join(sharedDataDir, name), 'utf8')).toMatch(/^[\w-]{43}$/);
  });

  test('D-34 sandbox: with --temporary, a part ends when its standard input is closed, and leaves nothing', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o700);
    const database = await installed.start(['database', '--temporary'], /^DATABASE_URL=\S+\n/, {
      TMPDIR: folder,
    });
    const client = new pg.Client({ connectionString: database.printed().trim().slice(13) });
    await client.connect();
    const { rows } = await client.query('show data_directory');
    await client.end();
    const { data_directory: cluster } = rows[0];
    expect(existsSync(cluster)).toBe(true);
    database.closeInput();
    expect(await database.ended).toBe(0);
    expect(existsSync(dirname(cluster))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('D-34 sandbox: a malformed URL of the storage database is refused, and the message does not repeat it', async () => {
    const environment = { STORAGE_DATABASE_URL: 'http://adx:geheim@127.0.0.1:9/adx' };
    const started = installed.start(['storage', '--temporary'], /S3_ENDPOINT/, environment);
    const error = await started.catch((reason: unknown) => String(reason));
    expect(error).toContain('error: --database is not the URL of a PostgreSQL server');
    expect(error).not.toContain('geheim');
  });

  test('D-34 sandbox: a storage whose port is taken leaves no PostgreSQL behind', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    const { exitCode, stderr } = await installed.run(
      'storage',
      '--data',
      sharedDataDir,
      '--port',
      port,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toBe(`error: The port ${port} is taken: choose another with --port\n`);
    expect(existsSync(join(sharedDataDir, 'postgres/postmaster.pid'))).toBe(false);
  });
});
