import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Writes a file so that it is either complete or absent, also after a power failure: under a temporary
 * name in the same folder, synced, renamed, with the folder synced. A file that exists with the same
 * content is kept. A process that is killed may leave a hidden file that ends in `.part`.
 *
 * @param content returns the content; called once, before anything is written
 * @throws {TypeError} if the path is no string
 * @throws {Error} with code `EEXIST` if the file exists with another content
 */
export async function saveFile(path: string, content: () => Promise<Uint8Array>): Promise<void> {
  if (typeof path !== 'string') throw new TypeError('save takes the path of the file to write');
  const bytes = await content();
  const folder = dirname(path);
  if (!(await hasContent(path, bytes))) {
    const temporary = join(folder, `.${basename(path)}.${crypto.randomUUID()}.part`);
    await writeSynced(temporary, bytes);
    try {
      await moveFile(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
  await syncFolder(folder);
}

/** Returns whether the file exists with this content. */
async function hasContent(path: string, bytes: Uint8Array): Promise<boolean> {
  const stored = await readFile(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (stored === undefined) return false;
  if (stored.equals(bytes)) return true;
  throw Object.assign(new Error(`${path} exists with another content`), { code: 'EEXIST', path });
}

/**
 * Writes a new file and returns when it is on the disk. Nothing is left if that fails.
 *
 * @param mode the permissions, less the umask of the process
 * @throws {Error} of the file system, also if the file exists
 */
export async function writeSynced(
  path: string,
  content: Uint8Array | string,
  mode = 0o666,
): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  await file.close();
}

/** How often, and after how many ms, a file is tried again that another program of Windows has open. */
const attempts = 50;
const pauseMs = 200;

/**
 * Renames a file, over one that exists. On Windows this is refused while another program has one of them open, such
 * as a virus scanner a new one. It is tried again for 10 seconds.
 */
export async function moveFile(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const isBusy = process.platform === 'win32' && hasCode(error, 'EPERM', 'EACCES', 'EBUSY');
      if (!isBusy || attempt === attempts) throw error;
      await pause(pauseMs);
    }
  }
}

/** Waits until the names in a folder are on the disk. Windows and some network drives do so themselves. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } catch (error) {
    if (!hasCode(error, 'EINVAL', 'ENOTSUP')) throw error;
  } finally {
    await folder.close();
  }
}

/** Returns true for an error of the file system with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
