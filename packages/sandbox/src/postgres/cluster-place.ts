import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, mkdir, rmdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canEnter, isPrivate } from './account.js';

/** The folders in which there may be a folder outside the data folder. */
export const parents = [
  ...new Set(['/var/lib', '/var/tmp', '/tmp', tmpdir(), join(homedir(), '.cache')]),
];

/** Returns the paths of folders outside the data folder; their name is the hash of its path. */
function outsidePaths(dataDir: string): string[] {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return parents.map((parent) => join(parent, `adx-sandbox-${name}`));
}

/**
 * Returns true if this user made a folder. That of another one is never used, and refuses no start.
 */
function isOurs(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** Returns why a folder of this user is not used, as the end of a sentence, or undefined. */
function refusalOf(place: string, account: Account | undefined): string | undefined {
  if (!isPrivate(undefined, place)) {
    return 'it is a link, or other users can change it or a folder above it';
  }
  return canEnter(account, place) ? undefined : 'the user of PostgreSQL cannot enter it';
}

/** Returns true if a folder has a cluster of the sandbox. */
export const hasCluster = (place: string) => existsSync(join(place, 'postgres'));

/**
 * Returns the folder outside the data folder that has its cluster, or undefined.
 *
 * @throws Error if that folder may not be used any more
 */
export function keptPlace(dataDir: string, account: Account | undefined): string | undefined {
  const place = outsidePaths(dataDir).find((each) => isOurs(each) && hasCluster(each));
  const refusal = place && refusalOf(place, account);
  if (refusal) throw new Error(`The database is in ${place}, but ${refusal}`);
  return place;
}

/**
 * Yields folders outside the data folder that the account of PostgreSQL can enter and nobody else
 * can change. A new one is removed again when the caller asks for the next.
 */
export async function* outsidePlaces(
  dataDir: string,
  account: Account | undefined,
): AsyncGenerator<string> {
  for (const place of outsidePaths(dataDir)) {
    const isNew = await mkdir(place).then(
      () => true,
      () => false,
    );
    // Independently of the umask.
    if (isNew) await chmod(place, 0o755);
    if (isOurs(place) && refusalOf(place, account) === undefined) yield place;
    // One that was there before may be the place of something else.
    if (isNew) await rmdir(place).catch(() => {});
  }
}
