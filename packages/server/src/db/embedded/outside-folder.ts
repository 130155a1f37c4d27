import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecord } from './database-record.js';
import { type Account, canEnter } from './unprivileged-account.js';

/** Where root may keep what the database's account has to reach; what survives a restart first. */
const SYSTEM_FOLDERS = ['/var/lib', '/var/tmp', '/tmp'];
const NAME = 'accounting-data-exchange';
const OWNER_FILE = 'data-folder';

/**
 * A folder outside the data folder for a database whose account cannot enter that one, as under
 * root's home. Only root uses it: it is owned by root, writable for nobody else and no link, so that
 * nobody can have prepared it.
 *
 * @throws Error when no such folder can be made
 */
export async function outsideFolder(
  account: Account,
  candidates: readonly string[] = SYSTEM_FOLDERS,
): Promise<string> {
  for (const candidate of candidates.filter((folder) => existsSync(folder))) {
    const folder = join(candidate, NAME);
    try {
      await mkdir(folder);
      await chmod(folder, 0o755);
    } catch {
      // It stands already, or cannot be made here: what follows tells.
    }
    const found = await lstat(folder).catch(() => undefined);
    const safe = found?.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0;
    if (safe && canEnter(account, folder)) return folder;
  }
  throw new Error(
    'PostgreSQL cannot run as root, and the account it would run under can enter neither the data folder' +
      ` nor any of ${candidates.join(', ')}; choose another data folder, or set DATABASE_URL`,
  );
}

/** A new place for the database of a data folder. */
export async function claimPlace(outside: string, dataDir: string): Promise<string> {
  const place = join(outside, `database-${randomUUID()}`);
  await mkdir(place);
  await chmod(place, 0o755);
  await writeFile(join(place, OWNER_FILE), dataDir);
  return join(place, 'postgres');
}

/**
 * Holds a database outside against the data folder that names it: a data folder that moved takes
 * its database along, one that was copied may not share that of the original.
 *
 * @throws Error for a copied data folder
 */
export async function checkPlace(dataPath: string, dataDir: string): Promise<void> {
  const ownerFile = join(dataPath, '..', OWNER_FILE);
  if (!existsSync(ownerFile)) return;
  const owner = await readFile(ownerFile, 'utf8');
  if (owner === dataDir) return;
  const original = existsSync(owner) ? readRecord(owner) : undefined;
  if (original?.dataPath === dataPath) {
    throw new Error(
      `The data folder ${dataDir} is a copy of ${owner} and names that one's database; ` +
        'remove embedded-postgres.json from the copy to start it with a database of its own',
    );
  }
  await writeFile(ownerFile, dataDir);
}
