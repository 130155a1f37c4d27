import { randomBytes, randomUUID } from 'node:crypto';
import {
  chown,
  link,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Creates the data folder. Other users can enter a folder of root, but not list it: PostgreSQL does
 * not run as root.
 *
 * @returns its real path
 * @throws Error in one sentence if it cannot be created
 */
export async function makeDataFolder(path: string): Promise<string> {
  try {
    await makeFolder(path, isRoot() ? 0o711 : 0o700);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    const message = `The data folder ${path} cannot be created${code}: choose another with --data`;
    throw new Error(message, { cause: error });
  }
  return realpath(path);
}

/** Creates one folder at a time, because Node's recursive `mkdir` never ends below /proc. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path), mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

/**
 * Returns a secret of 256 bits, whose file the first call creates. Processes that start at the same
 * time get the same secret.
 *
 * @throws Error if the file is incomplete, for example because the disk was full
 */
export async function keptSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  if ((await readIfPresent(path)) === undefined) {
    await writeTemporary(path, randomBytes(32).toString('base64url'), (temporary) =>
      // Unlike a rename, a link never replaces the secret of a process that was faster.
      link(temporary, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      }),
    );
  }
  const secret = await readFile(path, 'utf8');
  if (/^[\w-]{43}$/.test(secret)) return secret;
  throw new Error(
    `${path} does not contain a secret: restore it from a copy, or choose another folder with --data`,
  );
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Writes a file that only its folder's owner can read. Readers see the old content or the new. */
export async function writePrivate(path: string, content: string): Promise<void> {
  await writeTemporary(path, content, (temporary) => rename(temporary, path));
}

/** Writes a private file under a temporary name, for `publish` to link or rename to the path. */
async function writeTemporary(
  path: string,
  content: string,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    // Synced first: after a power cut, a file has all of its content or does not exist.
    await writeFile(temporary, content, { mode: 0o600, flush: true });
    if (isRoot()) {
      // The owner of the folder must be able to remove the file.
      const { uid, gid } = await stat(dirname(path));
      await chown(temporary, uid, gid);
    }
    await publish(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}
