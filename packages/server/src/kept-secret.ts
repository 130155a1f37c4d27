import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwnerOfFolder } from './db/embedded/database-record.js';

/**
 * A secret that the data folder keeps in a file, readable for its owner only, made at the first use:
 * 256 bits in base64url. Processes that start at the same time agree on one.
 *
 * @throws Error when the file does not hold one, as after a disk was full or lost its power: with
 *   less of a secret anyone could sign what it signs
 */
export async function keptSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const kept = await read(path);
  if (kept !== undefined) return whole(kept, path);
  await mkdir(dataDir, { recursive: true });
  const unfinished = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600 });
    await giveToOwnerOfFolder(unfinished);
    // Unlike renaming, linking never takes the place of what another process was quicker to write.
    await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { force: true });
  }
  return whole(await readFile(path, 'utf8'), path);
}

function whole(secret: string, path: string): string {
  if (/^[\w-]{43}$/.test(secret)) return secret;
  throw new Error(`${path} holds no secret: delete it, and a new one is made.`);
}

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
