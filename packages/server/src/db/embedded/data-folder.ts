import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isRoot } from './unprivileged-account.js';

/**
 * Makes the data folder where it is missing. Root's lets others pass, not look: the account that
 * PostgreSQL runs under has to.
 *
 * @returns its real path
 * @throws Error in one sentence when it cannot be made
 */
export async function makeDataFolder(path: string): Promise<string> {
  try {
    await makeFolder(path, isRoot() ? 0o711 : 0o700);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new Error(
      `The data folder ${path} cannot be made${code}: set ADX_DATA_DIR to a place where folders can be made`,
      { cause: error },
    );
  }
  return realpath(path);
}

/** One folder at a time: Node's recursive mkdir never ends below /proc, which allows no folders. */
async function makeFolder(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path), mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
