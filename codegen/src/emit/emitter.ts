import type { ApiModel } from '../model/api-model.js';
import type { FileSet } from '../output/file-set.js';

/** Makes generated files of the model, and nothing else: no clock, no environment, no file system. */
export interface Emitter {
  /** The folder of generated files it writes to, from the root of the repository. */
  readonly folder: string;
  /** File names within the folder, and their texts. */
  readonly emit: (model: ApiModel) => FileSet | Promise<FileSet>;
}
