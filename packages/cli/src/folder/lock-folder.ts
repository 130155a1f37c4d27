import { open } from 'node:fs/promises';
import { hasCode } from '@adx/client/save-file';
import { CommandFailure, WrongUse } from '../failure.js';

/**
 * Makes this process the only one that writes into a folder. The kernel releases the lock with the
 * process, and on network drives that support locks it also holds for other machines.
 *
 * @param path the file to lock
 * @returns a function that releases it
 * @throws CommandFailure if another process has the lock, or the drive fails; WrongUse if nothing
 *   can be locked here
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const { tryLock } = await loadLocks();
  const file = await open(path, 'a+');
  try {
    if (tryLock(file.fd)) return () => file.close();
  } catch (cause) {
    // On Windows, EBUSY is a lock of another process.
    if (!hasCode(cause, 'EBUSY')) {
      await file.close();
      throw lockFailure(path, cause);
    }
  }
  await file.close();
  throw new CommandFailure(`Another \`adx pull\` is writing into this folder (${path}).`);
}

/**
 * Returns the failure for an error of the kernel: a network drive may pass again, one without locks
 * never does.
 */
export function lockFailure(path: string, cause: unknown): CommandFailure | WrongUse {
  return hasCode(cause, 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL')
    ? new WrongUse(
        `${path} cannot be locked: the file system has no locks. Pull into a folder on another drive.`,
        { cause },
      )
    : new CommandFailure(`${path} cannot be locked now: ${Object(cause).code}.`, { cause });
}

/** Loads the library here, because it is native and no other command needs it. */
async function loadLocks() {
  try {
    return await import('fs-native-extensions');
  } catch (cause) {
    throw new WrongUse(
      `\`adx pull\` cannot lock folders on this machine (${process.platform}-${process.arch}): fs-native-extensions does not load. It needs Linux with glibc, macOS or Windows, on x64 or arm64.`,
      { cause },
    );
  }
}
