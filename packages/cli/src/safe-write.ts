import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailure } from './failure.js';

/**
 * Writes a new file and returns when it is on the disk. Nothing is left if that fails.
 *
 * @throws an error of the file system, also if the file exists
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

/** Creates a folder and those above it that are missing, and returns when their names are on the disk. */
export async function makeFolder(path: string): Promise<void> {
  if (!(await isMissing(path))) return;
  const parent = dirname(path);
  // The root of a drive that is not there is its own parent.
  if (parent !== path) await makeFolder(parent);
  // Another process may have created it meanwhile.
  await mkdir(path, { recursive: true });
  await syncFolder(parent);
}

/** Returns true if nothing has this path, not even a link. */
export async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

/** Waits until the names in a folder are on the disk. Windows and some network drives do so themselves. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    if (!hasCode(error, 'EINVAL', 'ENOTSUP')) throw error;
  } finally {
    await folder.close();
  }
}

/** How often, and after how many ms, a file is tried again that another program of Windows has open. */
const attempts = 50;
const pauseMs = 200;

/**
 * Renames a file. On Windows virus scanners open new files for a moment, which refuses the renaming.
 *
 * @throws CommandFailure if the new place is on another drive
 */
export async function moveFile(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (hasCode(error, 'EXDEV')) throw new CommandFailure(onAnotherDrive(from, to));
      const isBusy = process.platform === 'win32' && hasCode(error, 'EPERM', 'EACCES', 'EBUSY');
      if (!isBusy || attempt === attempts) throw error;
      await pause(pauseMs);
    }
  }
}

function onAnotherDrive(from: string, to: string): string {
  return `${dirname(to)} is on another drive than ${dirname(from)}, from where files are moved. Put both on one drive, then run the command again.`;
}

/** Returns true for an error of the file system with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
