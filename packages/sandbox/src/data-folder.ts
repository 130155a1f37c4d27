import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { giveToOwnerOfFolder, isRoot } from './postgres/account.js';

/**
 * Creates the data folder where it is missing. Others may pass through that of root, but not look:
 * PostgreSQL runs as another user there.
 *
 * @returns its real path
 * @throws Error in one sentence where it cannot be created
 */
export async function makeDataFolder(path: string): Promise<string> {
  try {
    await makeFolder(path, isRoot() ? 0o711 : 0o700);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new Error(`The data folder ${path} cannot be created${code}: choose another by --data`, {
      cause: error,
    });
  }
  return realpath(path);
}

/** One folder at a time, because Node's recursive `mkdir` never ends below /proc. */
async function makeFolder(path: string, mode: number): Promise<void> {
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
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * A secret of 256 bits that a folder keeps in a file, readable only by its owner. It is made at the
 * first use; processes that start at the same time agree on one.
 *
 * @throws Error where the file does not hold a whole secret, as after the disk was full
 */
export async function keptSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  if (!(await exists(path))) {
    const unfinished = `${path}.${randomUUID()}`;
    try {
      await writeFile(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600 });
      await giveToOwnerOfFolder(unfinished);
      // Unlike a rename, a link never replaces the secret that another process was quicker to write.
      await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(unfinished, { force: true });
    }
  }
  const secret = await readFile(path, 'utf8');
  if (/^[\w-]{43}$/.test(secret)) return secret;
  throw new Error(`${path} holds no secret: delete it, and a new one is made`);
}

/**
 * Makes this process the only one that uses a data folder.
 *
 * @returns a function that lets go of it
 * @throws Error in one sentence while another sandbox uses it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'sandbox.pid');
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, String(process.pid));
  await giveToOwnerOfFolder(unfinished);
  try {
    for (;;) {
      try {
        // Atomic: of two processes one fails.
        await link(unfinished, path);
        return () => rm(path, { force: true });
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
      const pid = await readFile(path, 'utf8').catch(() => '');
      if (isSandbox(Number(pid))) {
        throw new Error(
          `A sandbox (process ${pid}) uses ${folder}: stop it, or choose another folder by --data`,
        );
      }
      // Killed before it let go.
      await rm(path, { force: true });
    }
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** True if a process is a sandbox: its number may belong to another program by now. */
function isSandbox(pid: number): boolean {
  if (pid === process.pid) return true;
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  return pid > 0 && stdout.includes('sandbox');
}

/** Writes a file that only the owner of its folder can read, replaced as a whole. */
export async function writePrivate(path: string, content: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await writeFile(unfinished, content, { mode: 0o600 });
    await giveToOwnerOfFolder(unfinished);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
