import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Drift } from './drift.js';
import type { FileSet } from './file-set.js';

/** Ends the drift: writes what is missing or changed, removes what is extra. */
export async function writeFiles(
  root: string,
  files: FileSet,
  drift: readonly Drift[],
): Promise<void> {
  await Promise.all(
    drift.map(async ({ kind, path }) => {
      const target = join(root, path);
      if (kind === 'extra') return rm(target);
      await mkdir(dirname(target), { recursive: true });
      // A reader, such as a compiler that watches, sees the old file or the new one.
      const temporary = `${target}.${process.pid}.tmp`;
      await writeFile(temporary, files.get(path) ?? '');
      await rename(temporary, target);
    }),
  );
}
