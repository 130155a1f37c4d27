import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Names what a build has written into its folder: files and folders, without their contents. */
const list = 'built.json';

/** Returns true if a folder does not exist, is empty, or has only what an earlier build wrote. */
export async function isReplaceable(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return true;
  if (!(await stat(folder)).isDirectory()) return false;
  const names = await readdir(folder);
  if (names.length === 0) return true;
  if (!names.includes(list)) return false;
  const built: unknown = JSON.parse(await readFile(join(folder, list), 'utf8'));
  return Array.isArray(built) && names.every((name) => built.includes(name));
}

/**
 * Writes files into a folder, in place of everything in it. The list comes first, so that a later
 * build can replace what one that was interrupted has left.
 *
 * @param files the path of each in the folder, and its content
 */
export async function replaceFolder(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const names = [...new Set([...files.keys()].map((path) => path.split('/')[0])), list];
  await writeFile(join(folder, list), `${JSON.stringify(names)}\n`);
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
