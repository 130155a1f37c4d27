import type { ApiModel } from '../model/api-model.js';
import type { FileSet } from '../output/file-set.js';
import type { Emitter } from './emitter.js';

/** All generated files, by their paths from the root of the repository. */
export async function emitFiles(model: ApiModel, emitters: readonly Emitter[]): Promise<FileSet> {
  const sets = await Promise.all(
    emitters.map(async ({ folder, emit }) => {
      const files = await emit(model);
      return [...files].map(([name, text]) => [`${folder}/${name}`, text] as const);
    }),
  );
  return new Map(sets.flat());
}
