import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { oneIn } from '../../../test/support/rounds.js';
import { type InstalledSandbox, installSandbox } from './installed-sandbox.js';
import { newDataFolder, newFolder } from './postgres-folder.js';

let installed: InstalledSandbox;
/** A data folder for tests that work with a new or an existing database. */
let sharedDataDir: string;
let removeData: () => Promise<void>;
beforeAll(async () => {
  installed = await installSandbox();
  sharedDataDir = await newDataFolder((remove) => {
    removeData = remove;
  });
});
afterAll(() => removeData());
afterAll(() => installed.remove());

const freePorts = ['--port', '0', '--storage-port', '0'];
const ready = /"event":"ready".*\n/;

describe('adx-sandbox start', () => {
  test('D-34 sandbox: Ctrl+C before it has started says at once that it waits, and stops', {
    tags: 'long',
  }, async () => {
    const parameters = ['start', '--empty', '--data', sharedDataDir, ...freePorts];
    const sandbox = await installed.start(parameters, /Starting PostgreSQL/);
    expect(await sandbox.stop('SIGINT')).toBe(0);
    const [, second] = sandbox.printed().split('\n');
    expect(second).toContain('Stopping: waiting until the sandbox has started …');
    expect(existsSync(join(sharedDataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  test('D-34 sandbox: a demo is refused with a mail server, because it reads its messages from a folder', async () => {
    const parameters = ['start', '--data', sharedDataDir, ...freePorts];
    const smtp = { SMTP_URL: 'smtp://127.0.0.1:9' };
    await expect(installed.start(parameters, ready, smtp)).rejects.toThrow(
      'error: The demo reads its messages from a folder: unset SMTP_URL, or start with --empty',
    );
  });

  test('D-34 sandbox: in a container it listens on all addresses, so that its ports can be published', {
    tags: 'long',
  }, async () => {
    const parameters = ['start', '--empty', '--data', sharedDataDir, ...freePorts];
    const sandbox = await installed.start([...parameters, '--host', '0.0.0.0'], ready);
    const url = /"url":"(.+?)"/.exec(sandbox.printed())?.[1] ?? expect.fail();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const storage = readFileSync(join(sharedDataDir, 'sandbox.json'), 'utf8');
    for (const address of [url, JSON.parse(storage).settings.S3_ENDPOINT]) {
      // Any address of the machine would do; Linux has the whole block for itself.
      const elsewhere = address.replace(
        '127.0.0.1',
        process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1',
      );
      expect((await fetch(elsewhere)).status).toBeGreaterThanOrEqual(200);
    }
    expect(await sandbox.stop('SIGINT')).toBe(0);
  });

  test('D-34 sandbox: a taken port is refused in one sentence', { tags: 'long' }, async () => {
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

  test('D-34 sandbox: PORT is the port of the interface, unless --port names another', {
    tags: 'long',
  }, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const taken = String((other.address() as AddressInfo).port);
    const parameters = ['start', '--empty', '--data', sharedDataDir, '--storage-port', '0'];
    const start = (PORT: string, ...more: string[]) =>
      installed.start([...parameters, ...more], ready, { PORT });
    await expect(start(taken)).rejects.toThrow(`error: The port ${taken} is taken`);
    await expect(start('eighty')).rejects.toThrow("value 'eighty' from env 'PORT' is invalid");
    const sandbox = await start(taken, '--port', '0');
    expect(await sandbox.stop('SIGTERM')).toBe(0);
  });

  test.each(
    oneIn<[string[], RegExp]>(3, [
      [['start', '--port', 'eighty'], /It is not a port/],
      [['start', '--prot', '80'], /unknown option '--prot'/],
      [['database', 'more'], /too many arguments/],
    ]),
  )('D-34 sandbox: %j is refused in one sentence', async (parameters, sentence) => {
    const { exitCode, stdout, stderr } = await installed.run(...parameters);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
  });
});

test('D-34 sandbox: its help names the operator commands, which also run with --data=<folder>', async () => {
  for (const parameters of oneIn(2, [['--help'], ['help']])) {
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

  test('D-34 sandbox: with --temporary, a part ends when its standard input is closed, and leaves nothing', {
    tags: 'long',
  }, async () => {
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

  test('D-34 sandbox: a storage whose port is taken leaves no PostgreSQL behind', {
    tags: 'long',
  }, async () => {
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
