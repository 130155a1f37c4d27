import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
 * Copies the repository to a temporary folder that is removed when the test ends. Its packages
 * depend on each other's copies; all other dependencies are those of this repository.
 *
 * @returns the folder
 */
export function copyRepository(): string {
  const root = mkdtempSync(join(tmpdir(), 'adx-copy-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  copyFiles(['.'], root);
  return root;
}

/** Returns the files in a fixed order. */
export function listFiles(paths: readonly string[]): string[] {
  return paths.flatMap(filesBelow).sort();
}

function filesBelow(path: string): string[] {
  const found = lstatSync(join(repository, path));
  if (!found.isDirectory()) return [path];
  return readdirSync(join(repository, path))
    .filter((name) => !left.has(name))
    .flatMap((name) => filesBelow(join(path, name)));
}

/** Copies files and folders of the repository to a folder, and gives them their dependencies. */
export function copyFiles(paths: readonly string[], root: string): void {
  for (const path of listFiles(paths)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(join(repository, path), join(root, path));
  }
  const packages = readdirSync(join(repository, 'packages')).map((name) => `packages/${name}`);
  for (const folder of ['', 'codegen', 'docs', 'test', ...packages]) {
    if (existsSync(join(root, folder)))
      linkDependencies(join(repository, folder), join(root, folder));
  }
}

function linkDependencies(from: string, to: string): void {
  const installed = join(from, 'node_modules');
  if (!existsSync(installed)) return;
  mkdirSync(join(to, 'node_modules'), { recursive: true });
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
