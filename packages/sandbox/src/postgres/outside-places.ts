import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, rmdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canEnter } from './account.js';

const parents = new Set(['/var/lib', '/var/tmp', '/tmp', tmpdir(), join(homedir(), '.cache')]);

/**
 * Yields folders outside the data folder for what the account of PostgreSQL cannot use in it. Each is the
 * same at the next start, and only this user can have prepared it.
 */
export async function* outsidePlaces(
  dataDir: string,
  account: Account | undefined,
): AsyncGenerator<string> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  for (const parent of parents) {
    const place = join(parent, `adx-sandbox-${name}`);
    const isNew = await mkdir(place).then(
      () => true,
      () => false,
    );
    // Independently of the umask.
    if (isNew) await chmod(place, 0o755);
    // Without following a link: another user could have planted one that leads to a folder of this user.
    const found = await lstat(place).catch(() => undefined);
    const isSafe =
      found?.isDirectory() === true && found.uid === process.getuid?.() && !(found.mode & 0o022);
    if (isSafe && canEnter(account, place)) yield place;
    // Reached only if it was not suitable. One that was there may be the place of something else.
    if (isNew) await rmdir(place).catch(() => {});
  }
}
