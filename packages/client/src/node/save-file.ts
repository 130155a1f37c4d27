import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Writes a file so that it is either complete or absent, also after a power failure: under a
 * temporary name in the same folder, synced, renamed, with the folder synced. A file that exists
 * with the same content is kept. One with another content is kept too, and this one gets its id in
 * its name, as with `adx` (D-51). A process that is killed may leave a hidden file that ends in
 * `.part`.
 *
 * @param content returns the content; called once, before anything is written
 * @returns the path of the file
 * @throws {TypeError} if the path is no string
 * @throws {Error} with code `EEXIST` if another content has the name with the id too
 */
export async function saveFile(
  path: string,
  id: string,
  content: () => Promise<Uint8Array>,
): Promise<string> {
  if (typeof path !== 'string') throw new TypeError('save takes the path of the file to write');
  const bytes = await content();
  const { dir, name, ext } = parse(path);
  for (const place of [path, join(dir, `${name}-${id}${ext}`)]) {
    const stored = await contentOf(place);
    if (stored && !stored.equals(bytes)) continue;
    if (!stored) await writeRenamed(place, bytes);
    await syncFolder(dirname(place));
    return place;
  }
  throw Object.assign(new Error(`${path} exists with another content`), { code: 'EEXIST', path });
}

/** Returns the content of a file, or undefined if there is none. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/** Writes a file under a temporary name and renames it. */
async function writeRenamed(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.part`);
  await writeSynced(temporary, bytes);
  try {
    await moveFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
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

/**
 * How often, and after how many ms, a file is tried again that another program of Windows has open.
 */
const attempts = 50;
const pauseMs = 200;

/**
 * Renames a file, over one that exists. On Windows this is refused while another program has one of
 * them open, such as a virus scanner a new one. It is tried again for 10 seconds.
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

/**
 * Waits until the names in a folder are on the disk. Windows and some network drives do so
 * themselves.
 */
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
