import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToOwnerOfFolder } from '../../db/embedded/database-record.js';

/**
 * Makes a folder of the storage, and those above it, for the owner of the data folder only: what
 * root makes belongs to that owner too.
 */
export async function makeStorageFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT') throw error;
    await makeStorageFolder(dirname(path));
    return makeStorageFolder(path);
  }
  await giveToOwnerOfFolder(path);
}
