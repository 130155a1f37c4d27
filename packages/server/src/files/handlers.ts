import type { Handlers } from '../generated/handlers.gen.js';
import type { UserContext } from '../identity/request-context.js';
import type { Caller } from './file-pages.js';
import type { FileStore } from './file-store.js';

type FileOperations =
  | 'listCodaFiles'
  | 'listCodbFiles'
  | 'acknowledgeCodaFile'
  | 'acknowledgeCodbFile';

const acknowledged = { status: 200, body: { message: 'The file is acknowledged.' } } as const;

/** Operations 17 to 19 and 22 (§4.17 to §4.19, D-01). */
export function createFileHandlers(files: FileStore): Pick<Handlers<UserContext>, FileOperations> {
  return {
    listCodaFiles: ({ body }, context) => ({
      status: 200,
      body: files.listCoda(callerOf(context), body),
    }),

    listCodbFiles: ({ body }, context) => ({
      status: 200,
      body: files.listCodb(callerOf(context), body),
    }),

    acknowledgeCodaFile: async ({ path }, context) => {
      await files.acknowledge(callerOf(context), 'CODA', fileId(path));
      return acknowledged;
    },

    acknowledgeCodbFile: async ({ path }, context) => {
      await files.acknowledge(callerOf(context), 'CODB', fileId(path));
      return acknowledged;
    },
  };
}

function callerOf({ principal, apiKey }: UserContext): Caller {
  return { principal, apiKeyId: apiKey.id };
}

/** Identifiers are stored in lower case; callers may write them in either. */
function fileId(path: { readonly fileId: string }): string {
  return path.fileId.toLowerCase();
}
