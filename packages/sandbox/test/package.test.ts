import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newFolder } from './postgres-folder.js';

const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const libraries = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Installs the package in a folder with a space in its name, with the libraries that it names and no others. */
async function install(): Promise<string> {
  const folder = join(newFolder(), 'empty folder');
  const place = join(folder, 'node_modules/@adx/sandbox');
  mkdirSync(place, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: packageFolder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', place]);
  const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(libraries, name), link);
  }
  return folder;
}

describe('sandbox: the package', () => {
  beforeAll(() => run(process.execPath, ['build.mjs'], { cwd: packageFolder }));

  test('sandbox: packed and installed in an empty folder, it starts, and operator commands work', async () => {
    const folder = await install();
    const program = join(folder, 'node_modules/@adx/sandbox/bin/adx-sandbox.mjs');
    const child = spawn(
      process.execPath,
      [program, 'start', '--empty', '--port', '0', '--storage-port', '0'],
      { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    let output = '';
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk;
          if (/listens on/.test(output)) resolve();
        });
      }
      closed.then(() => reject(new Error(output)));
    });
    const firm = ['firm', 'create', '--name', 'Kantoor', '--json'];
    const { stdout } = await run(process.execPath, [program, ...firm], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Kantoor' });
    child.kill('SIGINT');
    await closed;
    expect(child.exitCode).toBe(0);
  });
});
