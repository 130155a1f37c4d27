import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WrongUse } from '../failure.js';

// Ours, because `fs.glob` needs Node 22.

/**
 * Replaces paths such as `*.cod` by the files that match. `cmd` and PowerShell leave that to the
 * command, and other shells too if no file matches. A file whose name has the sign is taken as it
 * is.
 *
 * @throws WrongUse if no file matches
 */
export async function expandPatterns(paths: readonly string[]): Promise<string[]> {
  const files = await Promise.all(
    paths.map((path) =>
      /[*?]/.test(basename(path)) && !existsSync(path) ? matchesOf(path) : [path],
    ),
  );
  return files.flat();
}

async function matchesOf(path: string): Promise<string[]> {
  const folder = dirname(path);
  const source = basename(path)
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^(?!\\.)${source}$`, process.platform === 'win32' ? 'is' : 's');
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isDirectory() && pattern.test(entry.name));
  if (names.length === 0) throw new WrongUse(`No file matches ${path}.`);
  return names.map(({ name }) => join(folder, name)).sort();
}
