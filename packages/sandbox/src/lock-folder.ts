import { once } from 'node:events';
import { constants, open, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

// Ours, because the locks on the npm registry are files. A killed process leaves them behind, and
// two others that find one can both take it over. The kernel releases these locks with their
// process.

/** `O_EXLOCK` of macOS, for which Node has no name: opens a file and locks it. */
const exclusiveLock = 0x20;

/**
 * @returns a function that releases the folder
 * @throws Error in one sentence if another sandbox is using it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  try {
    return await (process.platform === 'linux' ? listenFor(folder) : openLocked(folder));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code !== 'EADDRINUSE' && code !== 'EAGAIN') throw cause;
    throw new Error(
      `Another sandbox is using ${folder}: stop it, or choose another folder with --data`,
      { cause },
    );
  }
}

/** Linux has no `O_EXLOCK`. Its abstract sockets can be listened on once, and are not files. */
async function listenFor(folder: string): Promise<() => Promise<void>> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const server = createServer().unref();
  await once(server.listen(`\0adx-sandbox-${dev}-${ino}`), 'listening');
  return async () => {
    await once(server.close(), 'close');
  };
}

async function openLocked(folder: string): Promise<() => Promise<void>> {
  const flags = constants.O_CREAT | constants.O_RDONLY | constants.O_NONBLOCK | exclusiveLock;
  const file = await open(join(folder, 'sandbox.lock'), flags);
  return () => file.close();
}
