import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { cachedBuild } from '../support/cached-build.js';
import { repository } from '../support/run-command.js';

/** Builds a folder with the text of an input and a number that differs each time. */
async function build(input: string, commands = `cat "${input}"`): Promise<string> {
  const folder = await cachedBuild({
    name: 'tested',
    inputs: [input],
    commands: `mkdir out && { ${commands}; echo $$; } > out/built`,
    output: 'out',
  });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return readFileSync(join(folder, 'built'), 'utf8');
}

function newInput(): { readonly path: string; readonly write: (text: string) => void } {
  const path = join(mkdtempSync(join(inject('runFolder'), 'input-')), 'text');
  const write = (text: string) => writeFileSync(path, text);
  write('one\n');
  return { path: relative(repository, path), write };
}

test('house: a build is kept until one of its inputs or commands changes', async () => {
  const { path, write } = newInput();
  const first = await build(path);
  expect(first).toMatch(/^one\n\d+\n$/);
  expect(await build(path)).toBe(first);
  expect(await build(path, 'echo other')).toMatch(/^other\n/);
  write('two\n');
  expect(await build(path)).toMatch(/^two\n/);
  write('one\n');
  expect(await build(path)).toBe(first);
});

test('house: of builds that are asked for at once, all get the same complete one', async () => {
  const { path } = newInput();
  const built = await Promise.all([1, 2].map(() => build(path, 'sleep 0.2')));
  expect(new Set(built).size).toBe(1);
  const left = readdirSync(join(repository, 'node_modules/.cache'));
  expect(left.filter((name) => name.startsWith('adx-new-tested-'))).toEqual([]);
});

test('house: a build does not see a file that is not one of its inputs', async () => {
  const { path } = newInput();
  await expect(build(path, 'cat README.md')).rejects.toThrow('README.md');
});
