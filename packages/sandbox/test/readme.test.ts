// @module-tag long
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readCodeBlocks } from '../../../test/partners/code-blocks.js';
import { installPackage } from '../../../test/support/installed-package.js';
import { accountFor } from '../src/postgres/account.js';
import { outsidePlaces } from '../src/postgres/cluster-place.js';
import { installSandbox } from './installed-sandbox.js';
import { isRoot } from './postgres-folder.js';

test('D-34 sandbox: the test of the README gets a sandbox of its own, and removes it', async () => {
  const { folder, remove } = await installSandbox();
  onTestFinished(remove);
  const project = await installPackage('client');
  onTestFinished(() => rmSync(project, { recursive: true }));
  const modules = join(folder, 'node_modules');
  symlinkSync(join(project, 'node_modules/@adx/client'), join(modules, '@adx/client'));
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../@adx/sandbox/bin/adx-sandbox.mjs', join(modules, '.bin/adx-sandbox'));
  const [block] = readCodeBlocks('packages/sandbox/README.md').filter(
    ({ language }) => language === 'js',
  );
  writeFileSync(join(folder, 'sandbox.test.mjs'), block?.source ?? expect.fail());
  const TMPDIR = join(folder, 'tmp');
  mkdirSync(TMPDIR);
  const { PATH, HOME } = process.env;
  const running = promisify(execFile)(process.execPath, ['--test'], {
    cwd: folder,
    env: { PATH, HOME, TMPDIR },
  });
  const made = () => readdirSync(TMPDIR).filter((name) => name.startsWith('sandbox-'));
  await expect.poll(made, { timeout: 10_000 }).toHaveLength(1);
  const [name = ''] = made();
  // PostgreSQL of root has a folder elsewhere, because nobody else can enter this one.
  onTestFinished(async () => {
    if (!isRoot) return;
    const places = outsidePlaces(join(TMPDIR, name), accountFor({ uid: 0, gid: 0 }));
    for await (const place of places) rmSync(place, { recursive: true });
  });
  expect((await running).stdout).toMatch(/^# pass 1$|^ℹ pass 1$/m);
  expect(made()).toEqual([]);
});
