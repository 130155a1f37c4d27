import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isReplaceable, replaceFolder } from '../../docs/site/site-folder.js';
import { repository, runCommand } from '../support/run-command.js';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-site-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command of `npm run docs`, which must fail, and returns what it prints. */
function failingDocs(...parameters: string[]): Promise<string> {
  const command = ['--conditions=adx-source', '--import', 'tsx', 'docs/build.ts'];
  return runCommand('node', [...command, ...parameters]).then(
    () => {
      throw new Error('The documentation was built.');
    },
    (error: Error) => error.message,
  );
}

test('docs: a folder with anything that an earlier build did not write is refused, and remains', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'index.html'), 'Mine');
  expect(await failingDocs(folder)).toContain(
    `\n${folder} is neither an empty folder nor one that this command has built.\n`,
  );
  expect(await isReplaceable(join(repository, 'releases'))).toBe(false);
  expect(await isReplaceable(join(folder, 'index.html'))).toBe(false);
  expect(await readdir(folder)).toEqual(['index.html']);
});

test('docs: a folder that is missing, empty, or as an earlier build left it can be built again', async () => {
  const folder = await temporaryFolder();
  expect(await isReplaceable(join(folder, 'missing'))).toBe(true);
  expect(await isReplaceable(folder)).toBe(true);
  await replaceFolder(folder, new Map([['reference/index.html', '']]));
  expect(await isReplaceable(folder)).toBe(true);
  // The second file cannot be written, as if the build was interrupted.
  const interrupted = [
    ['a', ''],
    ['a/b', ''],
  ] as const;
  await expect(replaceFolder(folder, new Map(interrupted))).rejects.toThrow();
  expect(await isReplaceable(folder)).toBe(true);
  await mkdir(join(folder, '.git'));
  expect(await isReplaceable(folder)).toBe(false);
});

test('docs: a build leaves nothing of an earlier one, such as a version', async () => {
  const folder = await temporaryFolder();
  await replaceFolder(folder, new Map([['1.0.0/index.html', 'Old']]));
  await replaceFolder(folder, new Map([['1.1.0/index.html', 'New']]));
  const files = await readdir(folder, { recursive: true });
  expect(files.sort()).toEqual(['1.1.0', '1.1.0/index.html', 'built.json']);
});

test('docs: a wrong command line prints the usage', { tags: 'long' }, async () => {
  expect(await failingDocs('--bogus')).toMatch(/\nUnknown option '--bogus'.*\n\nnpm run docs /);
  expect(await failingDocs('--base', 'docs')).toMatch(/\nGive --base a path such as \/partners/);
  expect(await failingDocs('one', 'two')).toMatch(/\nGive one folder only\.\n\nnpm run docs /);
});
