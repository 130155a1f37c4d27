import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { repository } from './run-command.js';

/** Folders that are not part of the repository: other projects' files, or what commands write. */
const left = new Set([
  '.data',
  '.git',
  '.stryker-tmp',
  '.turbo',
  'dist',
  'node_modules',
  'reports',
]);

/**
 * Copies the repository to a temporary folder that is removed when the test ends. Its packages depend on each
 * other's copies; all other dependencies are those of this repository.
 *
 * @returns the folder
 */
export function copyRepository(): string {
  const root = mkdtempSync(join(tmpdir(), 'adx-copy-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(repository, root, { recursive: true, filter: (path) => !left.has(basename(path)) });
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  for (const folder of ['', 'codegen', 'docs', 'test', ...packages]) {
    linkDependencies(join(repository, folder), join(root, folder));
  }
  return root;
}

function linkDependencies(from: string, to: string): void {
  const installed = join(from, 'node_modules');
  if (!existsSync(installed)) return;
  mkdirSync(join(to, 'node_modules'));
  for (const name of readdirSync(installed)) {
    if (name.startsWith('.')) continue;
    // The links to the packages of the repository are relative.
    if (name === '@adx')
      cpSync(join(installed, name), join(to, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else symlinkSync(join(installed, name), join(to, 'node_modules', name));
  }
}
