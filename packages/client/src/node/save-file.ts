import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

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
    try {
      await writeSynced(temporary, bytes);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
  await syncFolder(folder);
}

/** Returns whether the file exists with this content. */
async function hasContent(path: string, bytes: Uint8Array): Promise<boolean> {
  const stored = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stored === undefined) return false;
  if (stored.equals(bytes)) return true;
  throw Object.assign(new Error(`${path} exists with another content`), { code: 'EEXIST', path });
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  await closing(file, async () => {
    await file.writeFile(bytes);
    await file.sync();
  });
}

/** Syncs the names in a folder. Windows and some network drives cannot, and do so themselves. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  await closing(folder, () =>
    folder.sync().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EINVAL' && error.code !== 'ENOTSUP') throw error;
    }),
  );
}

async function closing(file: FileHandle, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await file.close();
  }
}
