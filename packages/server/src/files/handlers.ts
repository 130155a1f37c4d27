import type { Product } from '@adx/contract';
import { found } from '../api/api-error.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { callerOf, type UserContext } from '../identity/request-context.js';
import type { FileStore } from './file-store.js';

type FileOperations =
  | 'listCodaFiles'
  | 'listCodbFiles'
  | 'acknowledgeCodaFile'
  | 'acknowledgeCodbFile'
  | 'acknowledgeCodaFiles'
  | 'acknowledgeCodbFiles';

/** Creates the handlers of operations 17 to 19, 22, 28 and 29 (§4.17 to §4.19, D-01). */
export function createFileHandlers(files: FileStore): Pick<Handlers<UserContext>, FileOperations> {
  async function acknowledge(context: UserContext, product: Product, fileId: string) {
    const { acknowledged } = await files.acknowledge(callerOf(context), product, [fileId]);
    found(acknowledged.length > 0);
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

    acknowledgeCodaFiles: async ({ body }, context) => ({
      status: 200,
      body: await files.acknowledge(callerOf(context), 'CODA', body.fileIds),
    }),

    acknowledgeCodbFiles: async ({ body }, context) => ({
      status: 200,
      body: await files.acknowledge(callerOf(context), 'CODB', body.fileIds),
    }),
  };
}
