import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataFolder } from '../../../src/db/embedded/data-folder.js';

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'adx-data-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('db: the data folder is made with those above it, also by several processes at once', async () => {
  const path = join(await temporaryFolder(), 'a/b/c');
  const made = await Promise.all(Array.from({ length: 5 }, () => makeDataFolder(path)));
  expect(new Set(made)).toEqual(new Set([path]));
  expect((await stat(path)).mode & 0o066).toBe(0);
  expect(await makeDataFolder(path)).toBe(path);
});

test('db: a data folder at or below a file is refused in one sentence', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  for (const path of [file, join(file, 'data')]) {
    await expect(makeDataFolder(path)).rejects.toThrow(
      new RegExp(
        `^The data folder ${path} cannot be made \\((EEXIST|ENOTDIR)\\): set ADX_DATA_DIR`,
      ),
    );
  }
});

// Node's own recursive mkdir would never end there.
test.runIf(existsSync('/proc/self'))('db: a data folder below /proc is refused', async () => {
  await expect(makeDataFolder('/proc/adx/data')).rejects.toThrow(/cannot be made \(E/);
});
