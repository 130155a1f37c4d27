import { found } from '../api/api-error.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { storedId } from '../identifiers/object-id.js';
import { callerOf, type UserContext } from '../identity/request-context.js';
import type { FileStore } from './file-store.js';

type FileOperations =
  | 'listCodaFiles'
  | 'listCodbFiles'
  | 'acknowledgeCodaFile'
  | 'acknowledgeCodbFile';

/** Creates the handlers of operations 17 to 19 and 22 (§4.17 to §4.19, D-01). */
export function createFileHandlers(files: FileStore): Pick<Handlers<UserContext>, FileOperations> {
  async function acknowledge(context: UserContext, product: 'CODA' | 'CODB', fileId: string) {
    found(await files.acknowledge(callerOf(context), product, storedId(fileId)));
    return { status: 200, body: { message: 'The file is acknowledged.' } } as const;
  }

  return {
    listCodaFiles: ({ body }, context) => ({
      status: 200,
      body: files.listCoda(callerOf(context), body),
    }),

    listCodbFiles: ({ body }, context) => ({
      status: 200,
      body: files.listCodb(callerOf(context), body),
    }),

    acknowledgeCodaFile: ({ path }, context) => acknowledge(context, 'CODA', path.fileId),

    acknowledgeCodbFile: ({ path }, context) => acknowledge(context, 'CODB', path.fileId),
  };
}
