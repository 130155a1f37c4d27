import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseAccount } from '../../../src/db/embedded/unprivileged-account.js';
import {
  ask,
  dataDirsForFile,
  isAlive,
  newFolder,
  removeInUse,
  servingPid,
  spawnUser,
  start,
  startUser,
  untilStopped,
} from './embedded-folder.js';

const newDataDir = dataDirsForFile();

test('embedded PostgreSQL: what is stored is there at the next start', async () => {
  const dataDir = join(newFolder(), 'data');
  const first = await start(dataDir);
  await ask(first.url, 'create table kept as select 42 as value');
  await first.stop();
  expect(servingPid(first.dataPath)).toBeUndefined();
  const second = await start(dataDir);
  expect(await ask(second.url, 'select value from kept')).toBe(42);
});

test('embedded PostgreSQL: it is durable unless asked otherwise', async () => {
  const dataDir = await newDataDir();
  const durable = await start(dataDir, { durable: true });
  expect(await ask(durable.url, 'show fsync')).toBe('on');
  await durable.stop();
  const forgetful = await start(dataDir);
  expect(await ask(forgetful.url, 'show fsync')).toBe('off');
});

test('embedded PostgreSQL: UTF-8, UTC and English messages; nobody but this machine, with the password', async () => {
  const dataDir = await newDataDir();
  const { url } = await start(dataDir);
  expect(await ask(url, 'show server_encoding')).toBe('UTF8');
  expect(await ask(url, 'show timezone')).toBe('UTC');
  expect(await ask(url, 'show lc_messages')).toBe('C');
  expect(await ask(url, `select lower('ÉŒ' collate "und-x-icu")`)).toBe('éœ');

  expect(await ask(url, 'show listen_addresses')).toBe('127.0.0.1');
  const openDoors = `select count(*)::int from pg_hba_file_rules where auth_method <> 'scram-sha-256'`;
  expect(await ask(url, openDoors)).toBe(0);
  const other = new URL(url);
  other.password = 'guessed';
  await expect(ask(other.href, 'select 1')).rejects.toThrow('password authentication failed');

  const { password } = new URL(url);
  expect(password.length).toBeGreaterThanOrEqual(32);
  const holding = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ name }) => readFileSync(join(dataDir, name), 'utf8').includes(password));
  expect(holding.map(({ name }) => name)).toEqual(['embedded-postgres.json']);
  expect(statSync(join(dataDir, 'embedded-postgres.json')).mode & 0o777).toBe(0o600);
});

test('embedded PostgreSQL: a path that is long and full of odd characters', async () => {
  const dataDir = join(newFolder(), 'x'.repeat(150), `it's a "folder" of $HOME & Zoë`);
  const { url } = await start(dataDir);
  expect(await ask(url, 'select 1')).toBe(1);
});

test('embedded PostgreSQL: processes that start at once share one, and the last to leave stops it', async () => {
  const dataDir = newFolder();
  const dataPath = join(dataDir, 'postgres');
  const users = await Promise.all([startUser(dataDir), startUser(dataDir), startUser(dataDir)]);
  const pid = servingPid(dataPath);
  expect(pid).toBeDefined();
  for (const user of users.slice(0, -1)) {
    await user.tell('stop');
    expect(servingPid(dataPath)).toBe(pid);
  }
  await users.at(-1)?.tell('stop');
  await untilStopped(dataPath);
});

test('embedded PostgreSQL: who started it may leave before who attached', async () => {
  const dataDir = await newDataDir();
  const command = await startUser(dataDir);
  const { url } = await start(dataDir);
  await command.tell('stop');
  expect(await ask(url, 'select 1')).toBe(1);
});

test('embedded PostgreSQL: two starts within a process are two uses', async () => {
  const dataDir = await newDataDir();
  const [one, two] = await Promise.all([start(dataDir), start(dataDir)]);
  expect(two.url).toBe(one.url);
  await one.stop();
  await one.stop();
  expect(await ask(two.url, 'select 1')).toBe(1);
  await two.stop();
  expect(servingPid(two.dataPath)).toBeUndefined();
});

test('embedded PostgreSQL: a killed process leaves it running; the next attaches and stops it', async () => {
  const dataDir = await newDataDir();
  const user = await startUser(dataDir);
  const pid = servingPid(join(dataDir, 'postgres'));
  await user.signal('SIGKILL');
  const next = await start(dataDir);
  expect(servingPid(next.dataPath)).toBe(pid);
  await next.stop();
  expect(servingPid(next.dataPath)).toBeUndefined();
});

test.each(['exit', 'throw'] as const)(
  'embedded PostgreSQL: it does not outlive a process that ends without stopping it (%s)',
  async (end) => {
    const dataDir = await newDataDir();
    const user = await startUser(dataDir);
    await user.tell(end);
    await untilStopped(join(dataDir, 'postgres'));
  },
);

test('embedded PostgreSQL: it outlives a process that ends while another uses it', async () => {
  const dataDir = await newDataDir();
  const user = await startUser(dataDir);
  const { url } = await start(dataDir);
  await user.tell('exit');
  expect(await ask(url, 'select 1')).toBe(1);
});

test('embedded PostgreSQL: killed itself, it recovers what was committed', async () => {
  const dataDir = await newDataDir();
  const first = await start(dataDir, { durable: true });
  await ask(first.url, 'create table kept as select 42 as value');
  process.kill(servingPid(first.dataPath) ?? 0, 'SIGKILL');
  await untilStopped(first.dataPath);
  const second = await start(dataDir);
  expect(await ask(second.url, 'select value from kept')).toBe(42);
});

test('embedded PostgreSQL: what a crash left is in nobody’s way, naming another process by now or nothing', async () => {
  // Of the same account, or PostgreSQL sees for itself that it cannot be one of its own.
  const other = spawn('sleep', ['60'], { ...databaseAccount({ uid: 0, gid: 0 }), cwd: '/' });
  onTestFinished(() => void other.kill());
  const dataDir = await newDataDir();
  const { dataPath, stop } = await start(dataDir);
  const file = join(dataPath, 'postmaster.pid');
  const left = readFileSync(file, 'utf8');
  await stop();
  for (const text of [left.replace(/^\d+/, String(other.pid)), '']) {
    writeFileSync(file, text);
    const next = await start(dataDir);
    expect(await ask(next.url, 'select 1')).toBe(1);
    await next.stop();
  }
});

test('embedded PostgreSQL: the port stays the same while it is free, and gives way where it is not', async () => {
  const dataDir = await newDataDir();
  const port = async () => {
    const { url, stop } = await start(dataDir);
    await stop();
    return Number(new URL(url).port);
  };
  const first = await port();
  expect(await port()).toBe(first);
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(first, '127.0.0.1', resolve));
  onTestFinished(() => void squatter.close());
  expect(await port()).not.toBe(first);
});

test('embedded PostgreSQL: a start that fails says why, in the words of its log', async () => {
  const dataDir = await newDataDir();
  await expect(start(dataDir, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
    /did not start in .*postgres.*invalid value for parameter "shared_buffers": "plenty"/s,
  );
  const { url } = await start(dataDir);
  expect(await ask(url, 'select 1')).toBe(1);
});

test('embedded PostgreSQL: what a process leaves that is killed while making it is not taken for a database', async () => {
  const dataDir = newFolder();
  const names = () =>
    readdirSync(dataDir).filter((name) => !/\.(json|log)$|\.lock\.\d+$/.test(name));
  const killed = spawnUser(dataDir);
  await expect.poll(names, { interval: 5 }).toContainEqual(expect.stringMatching(/^postgres/));
  killed.kill('SIGKILL');
  const { url } = await start(dataDir);
  expect(await ask(url, 'select 1')).toBe(1);
  expect(names()).toEqual(['postgres']);
});

test('embedded PostgreSQL: a database whose password is lost is not overwritten', async () => {
  const dataDir = await newDataDir();
  rmSync(join(dataDir, 'embedded-postgres.json'));
  await expect(start(dataDir)).rejects.toThrow(
    'embedded-postgres.json with its password is missing',
  );
});

test('embedded PostgreSQL: a data folder that moved, and a copy of a running one, are databases of their own', async () => {
  const dataDir = await newDataDir();
  const original = await start(dataDir);
  await ask(original.url, 'create table kept as select 42 as value');
  await ask(original.url, 'checkpoint');
  execFileSync('cp', ['-a', dataDir, `${dataDir}-copy`]);
  renameSync(`${dataDir}-copy`, `${dataDir}-moved`);
  const copy = await start(`${dataDir}-moved`);
  await ask(copy.url, 'update kept set value = 7');
  expect(await ask(copy.url, 'select value from kept')).toBe(7);
  expect(await ask(original.url, 'select value from kept')).toBe(42);
});

test('embedded PostgreSQL: stopping after the data folder was removed leaves nothing running', async () => {
  const dataDir = await newDataDir();
  const postgres = await start(dataDir);
  const pid = servingPid(postgres.dataPath) ?? 0;
  await removeInUse(dataDir);
  await postgres.stop();
  await expect.poll(() => isAlive(pid)).toBe(false);
});
