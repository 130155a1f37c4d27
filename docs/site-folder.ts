import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The files of the reference of a spec. Each released version has its own, in a folder of its name (D-44). */
export const siteFiles = [
  'index.html',
  'openapi.yaml',
  'openapi.json',
  'favicon.svg',
  'logo.svg',
] as const;

/** Returns true if a folder does not exist, is empty, or has only what an earlier build wrote. */
export async function isReplaceable(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return true;
  if (!(await stat(folder)).isDirectory()) return false;
  const others = new Set(await readdir(folder));
  if (others.size === 0) return true;
  const isBuilt = siteFiles.every((name) => others.delete(name));
  return isBuilt && [...others].every((name) => /^\d+\.\d+\.\d+$/.test(name));
}

/**
 * Writes files into a folder, in place of everything in it.
 *
 * @param files the path of each in the folder, and its content
 */
export async function replaceFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
