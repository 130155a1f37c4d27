import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative } from 'node:path';
import type { FileSet } from './emit/emit-files.js';
import { type RuntimeTexts, runtimeSources } from './emit/runtime-files.js';
import { header, otherHeader } from './emit/text/comment.js';

export interface Drift {
  readonly kind: 'changed' | 'missing' | 'extra';
  readonly path: string;
}

/** Compares sets of files, so that one that is no longer generated is found too. */
export async function findDrift(
  root: string,
  folders: readonly string[],
  expected: FileSet,
): Promise<Drift[]> {
  const present = await readFolders(root, folders, /\.gen\.(ts|json)$/);
  const paths = [...new Set([...expected.keys(), ...present.keys()])].sort();
  return paths.flatMap((path): Drift[] => {
    const text = present.get(path);
    if (!expected.has(path)) return isOurs(path, text ?? '') ? [{ kind: 'extra', path }] : [];
    if (text === undefined) return [{ kind: 'missing', path }];
    return text === expected.get(path) ? [] : [{ kind: 'changed', path }];
  });
}

/** Other programs have files such as `routeTree.gen.ts`, maybe in the same folders. */
function isOurs(path: string, text: string): boolean {
  const isJson = ['openapi.gen.json', 'openapi-lines.gen.json'].includes(basename(path));
  return isJson || [header, otherHeader].some((line) => text.startsWith(line));
}

/** Returns the files of folders whose names match, by their paths. */
export async function readFolders(
  root: string,
  folders: readonly string[],
  pattern: RegExp,
): Promise<FileSet> {
  const sets = await Promise.all(
    folders.map(async (folder) => {
      const names = (await listFolder(join(root, folder))).filter((name) => pattern.test(name));
      return Promise.all(
        names.map(async (name) => {
          const path = posix.join(folder, name.replaceAll('\\', '/'));
          return [path, await readFile(join(root, path), 'utf8')] as const;
        }),
      );
    }),
  );
  return new Map(sets.flat());
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Ends the drift: writes missing and changed files, removes extra ones. */
export async function writeFiles(
  root: string,
  files: FileSet,
  drift: readonly Drift[],
): Promise<void> {
  await Promise.all(
    drift.map(async ({ kind, path }) => {
      const target = join(root, path);
      if (kind === 'extra') return rm(target);
      await makeFolder(dirname(target));
      // A program that reads the file meanwhile, such as a watching compiler, gets the old or the
      // new one.
      const temporary = `${target}.${process.pid}.tmp`;
      await writeFile(temporary, files.get(path) ?? '');
      await rename(temporary, target);
    }),
  );
}

/** The option `recursive` of `mkdir` never ends where the system has no folders, as in `/proc`. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Returns the files that are the same for every spec. */
export async function readRuntime(): Promise<RuntimeTexts> {
  // The same from here and from the bundle in codegen/dist.
  const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
  return new Map(
    await Promise.all(runtimeSources.map(async (path) => [path, await read(path)] as const)),
  );
}
