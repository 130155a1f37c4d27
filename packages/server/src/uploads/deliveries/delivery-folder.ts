/**
 * The files of a folder into which senders write: no symbolic link in it is followed, and nothing
 * else than files is read.
 */

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { explainFileError } from '@adx/command/file-error';
import { maximumBytes, type ParsedFile, unreadableFile } from '../documents/read-documents.js';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** A folder that stays the same while it is open, whatever takes its place in the path. */
export interface DeliveryFolder {
  readonly path: string;
  close(): Promise<void>;
}

/** Opens the folder that the operator names, which may be a symbolic link. */
export async function openDeliveryFolder(path: string, flags = 0): Promise<DeliveryFolder> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | flags);
  // Node has no openat(2). Linux has the open folder under this path.
  const stable = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
  // Nothing was written through this handle, so a failure to close it loses nothing. Reporting it
  // could hide the error that matters.
  return { path: stable, close: () => handle.close().catch(() => {}) };
}

/** Returns the names, in any encoding, also of what is no file. */
export async function filesToIngest({ path }: DeliveryFolder): Promise<Buffer[]> {
  const entries = await readdir(Buffer.from(path), { withFileTypes: true, encoding: 'buffer' });
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.toString().startsWith('.'))
    .map(({ name }) => name)
    .sort(Buffer.compare);
}

function pathOf({ path }: DeliveryFolder, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${path}/`), name]);
}

export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly stats: Stats;
}

/** Reads a file, unless it is too large or another process is writing to it. */
export async function readDelivered(
  folder: DeliveryFolder,
  name: Buffer,
): Promise<ReadFile | ParsedFile> {
  const path = pathOf(folder, name);
  try {
    // Before it is opened, because opening a device may have effects.
    if (!(await lstat(path)).isFile()) return unreadableFile('specialFile');
    // Another one may have taken its place: a symbolic link is refused, a pipe is not waited for.
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return await readStable(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    return unreadableFile('inaccessible', explainFileError(error) ?? String(error));
  }
}

async function readStable(file: FileHandle): Promise<ReadFile | ParsedFile> {
  const stats = await file.stat();
  if (!stats.isFile()) return unreadableFile('specialFile');
  if (stats.size > maximumBytes) return unreadableFile('tooLarge', `${stats.size} bytes`);
  const bytes = await file.readFile();
  const isStable = bytes.length === stats.size && isSame(await file.stat(), stats);
  return isStable ? { bytes, stats } : unreadableFile('stillWritten');
}

function isSame(one: Stats, other: Stats): boolean {
  const names = ['dev', 'ino', 'size', 'mtimeMs'] as const;
  return names.every((name) => one[name] === other[name]);
}

/**
 * Moves a file that was read to `done/`, under a name that nothing there has.
 *
 * @param mark - distinguishes it from another file of the same name
 * @returns false if it was changed or replaced meanwhile: what is there now stays in the folder
 */
export async function moveToDone(
  folder: DeliveryFolder,
  name: Buffer,
  { stats, mark }: Pick<ReadFile, 'stats'> & { readonly mark: string },
): Promise<boolean> {
  const isRead = async (path: Buffer) => isSame(await lstat(path), stats);
  const path = pathOf(folder, name);
  if (!(await isRead(path))) return false;
  await mkdir(join(folder.path, 'done')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const done = await openDeliveryFolder(join(folder.path, 'done'), O_NOFOLLOW);
  try {
    const moved = await freePath(done, name, mark);
    await rename(path, moved);
    if (await isRead(moved)) return true;
    await rename(moved, await freePath(folder, name, mark));
    return false;
  } finally {
    await done.close();
  }
}

async function freePath(folder: DeliveryFolder, name: Buffer, mark: string): Promise<Buffer> {
  // The name may have any bytes. Latin-1 reads each byte as one character, and writes it back.
  const { name: stem, ext } = parse(name.toString('latin1'));
  for (let count = 0; ; count += 1) {
    const suffix = count === 0 ? '' : count === 1 ? `.${mark}` : `.${mark}-${count}`;
    const path = pathOf(folder, Buffer.from(`${stem}${suffix}${ext}`, 'latin1'));
    try {
      await lstat(path);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return path;
      throw error;
    }
  }
}
