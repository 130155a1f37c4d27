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

/**
 * Yields folders outside the data folder that the account of PostgreSQL can enter and nobody else can change. Their name
 * is that of the data folder, hashed, so that the next start finds them: first the one that has a cluster, although
 * another may have become suitable since. A new one is removed again when the caller asks for the next.
 */
export async function* outsidePlaces(
  dataDir: string,
  account: Account | undefined,
): AsyncGenerator<string> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const places = parents.map((parent) => join(parent, `adx-sandbox-${name}`));
  const hasCluster = (place: string) => Number(existsSync(join(place, 'postgres')));
  for (const place of places.sort((one, other) => hasCluster(other) - hasCluster(one))) {
    const isNew = await mkdir(place).then(
      () => true,
      () => false,
    );
    // Independently of the umask.
    if (isNew) await chmod(place, 0o755);
    const isOurs = lstatSync(place, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (isOurs && isPrivate(undefined, place) && canEnter(account, place)) yield place;
    // One that was there before may be the place of something else.
    if (isNew) await rmdir(place).catch(() => {});
  }
}
