import { mkdtemp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what is made once in a test run, when a file first needs it. */
    runFolder: string;
  }
}

/** Makes the folder, and removes it after all files. */
export default async function makeRunFolder(project: TestProject): Promise<() => Promise<void>> {
  // Here Node finds the libraries, and in a folder of it, `../../../docs` is as from
  // packages/server/dist.
  const libraries = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
  const folder = await mkdtemp(`${libraries}.adx-test-`);
  project.provide('runFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
