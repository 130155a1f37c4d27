import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, moveFile, syncFolder, writeSynced } from '@adx/client/save-file';
import { WrongUse } from '../failure.js';

/** The sign-in that `adx login` stores (D-51). The password is never stored. */
export interface Profile {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly apiKey: string;
  readonly username: string;
  /** Absent if the password is in a file. */
  readonly refreshToken?: string | undefined;
  /** The absolute path of a file with the password. */
  readonly passwordFile?: string | undefined;
  /** The instant of the sign-in by the clock of the service, ISO 8601. */
  readonly signedInOn: string;
}

const fields = ['url', 'apiKey', 'username', 'signedInOn'];

export function profilePath(folder: string, name: string): string {
  // A name is a part of a path.
  if (!/^[a-z\d][a-z\d_-]{0,63}$/i.test(name)) {
    throw new WrongUse('The name of a profile has letters, digits, - and _.');
  }
  return join(folder, `${name}.json`);
}

/** @throws WrongUse if the file is not a profile */
export async function readProfile(folder: string, name: string): Promise<Profile | undefined> {
  const path = profilePath(folder, name);
  try {
    const profile = JSON.parse(await readFile(path, 'utf8'));
    if (fields.every((field) => typeof profile[field] === 'string')) return profile;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new WrongUse(`${path} is not a profile. Delete it, then run \`adx login\`.`);
}

/** Writes a profile that only its owner can read. On Windows, its folder is private to the user. */
export async function writeProfile(folder: string, name: string, profile: Profile): Promise<void> {
  const path = profilePath(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${randomUUID()}`);
  await writeSynced(temporary, `${JSON.stringify(profile, null, 2)}\n`, 0o600);
  try {
    await moveFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Removes a profile. Returns false if there is none. */
export async function removeProfile(folder: string, name: string): Promise<boolean> {
  try {
    await rm(profilePath(folder, name));
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/**
 * Returns true if users other than the owner can read a file; of a file of root, its group may, as
 * with keys of PostgreSQL: containers get secrets so. Windows has no such modes.
 */
export async function isReadableByOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  // The error of a file that does not exist is that of reading it.
  const { mode, uid } = await stat(path).catch(() => ({ mode: 0, uid: 0 }));
  return (mode & (uid === 0 && process.getuid?.() !== 0 ? 0o007 : 0o077)) !== 0;
}

/**
 * Returns false for a file of another user, and on a read-only file system, such as that of the
 * secrets of a container.
 */
export async function canChangeMode(path: string): Promise<boolean> {
  try {
    const { mode } = await stat(path);
    // It stays the same: only the attempt shows every reason why it could not be changed.
    await chmod(path, mode & 0o7777);
    return true;
  } catch {
    return false;
  }
}

/** The advice on a file that others can read, if its mode cannot be changed. */
export const fixedMode = 'but its mode cannot be changed here: set it where the file comes from';
