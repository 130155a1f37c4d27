import { readFile } from 'node:fs/promises';
import type { RuntimeTexts } from './emit/runtime-files.js';

/** Reads the parts of generated code that are the same for every spec. */
export async function readRuntime(): Promise<RuntimeTexts> {
  // The same from here and from the bundle in codegen/dist.
  const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
  const [caller, serve, readRequest, readParameters, mediaType] = await Promise.all([
    read('runtime/caller.ts'),
    read('runtime/serve.ts'),
    read('runtime/read-request.ts'),
    read('runtime/read-parameters.ts'),
    read('src/openapi/media-type.ts'),
  ]);
  return { caller, serve, readRequest, readParameters, mediaType };
}
