import { open } from 'node:fs/promises';
import { tryLock } from 'fs-native-extensions';
import { CommandFailure } from '../failure.js';

/**
 * Makes this process the only one that writes into a folder. The kernel releases the lock with the process, and
 * on network drives that support locks it also holds for other machines.
 *
 * @param path the file to lock
 * @returns a function that releases it
 * @throws CommandFailure if another process has the lock
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const file = await open(path, 'a+');
  try {
    if (tryLock(file.fd)) return () => file.close();
  } catch (cause) {
    await file.close();
    throw new CommandFailure(`${path} cannot be locked: the file system has no locks.`, { cause });
  }
  await file.close();
  throw new CommandFailure(`Another \`adx pull\` is writing into this folder (${path}).`);
}
