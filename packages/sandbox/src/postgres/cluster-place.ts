import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, mkdir, rmdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canEnter, isPrivate } from './account.js';

export const passwordFile = 'postgres-password';

/** The folders in which there may be a folder outside the data folder. */
const parents = [...new Set(['/var/lib', '/var/tmp', '/tmp', tmpdir(), join(homedir(), '.cache')])];

/**
 * Returns the folder for the cluster: the data folder, or one outside if the account cannot enter
 * it, or if PostgreSQL cannot handle its path, which is on one line of the PID file. A cluster that
 * exists stays where it is.
 *
 * @throws Error if there is a cluster in a folder that is not used, or if no folder can be used
 */
export async function placeFor(dataDir: string, account: Account | undefined): Promise<string> {
  const hasUsablePath = !dataDir.includes('\n') && Buffer.byteLength(dataDir) < 900;
  const isUsable = hasUsablePath && canEnter(account, dataDir);
  const isElsewhere = existsSync(join(dataDir, passwordFile)) && !hasCluster(dataDir);
  if (isUsable && !isElsewhere) return dataDir;
  if (hasCluster(dataDir)) {
    throw new Error(`The database is in ${dataDir}, which PostgreSQL cannot enter any more`);
  }
  const kept = keptPlace(dataDir, account);
  if (kept !== undefined || isUsable) return kept ?? dataDir;
  for await (const place of outsidePlaces(dataDir, account)) return place;
  throw new Error(
    `PostgreSQL can use neither ${dataDir} nor a folder of its own in ${parents.join(', ')}: choose another with --data`,
  );
}

function hasCluster(place: string): boolean {
  return existsSync(join(place, 'postgres'));
}

/** @throws Error if the folder outside that has the cluster may not be used any more */
function keptPlace(dataDir: string, account: Account | undefined): string | undefined {
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
    const isNew = (await mkdir(place).catch(() => 'failed')) === undefined;
    // Independently of the umask.
    if (isNew) await chmod(place, 0o755);
    if (isOurs(place) && refusalOf(place, account) === undefined) yield place;
    // One that was there before may be the place of something else.
    if (isNew) await rmdir(place).catch(() => {});
  }
}

/** Returns the folders outside, whose name is the hash of the path of the data folder. */
function outsidePaths(dataDir: string): string[] {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return parents.map((parent) => join(parent, `adx-sandbox-${name}`));
}

/** Returns true for a folder of this user. One of another is never used, and refuses no start. */
function isOurs(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** Returns why a folder cannot be used, as the end of a sentence; undefined if it can. */
function refusalOf(place: string, account: Account | undefined): string | undefined {
  if (!isPrivate(undefined, place)) {
    return 'it is a link, or other users can change it or a folder above it';
  }
  return canEnter(account, place) ? undefined : 'the user of PostgreSQL cannot enter it';
}
