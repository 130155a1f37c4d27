import { readFile } from 'node:fs/promises';
import { type RuntimeTexts, runtimeSources } from './emit/runtime-files.js';

export async function readRuntime(): Promise<RuntimeTexts> {
  // The same from here and from the bundle in codegen/dist.
  const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
  return new Map(
    await Promise.all(runtimeSources.map(async (path) => [path, await read(path)] as const)),
  );
}
