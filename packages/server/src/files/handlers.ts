import type { Handlers } from '../generated/handlers.gen.js';
import type { UserContext } from '../http/request-context.js';
import type { Caller } from './file-pages.js';
import type { FileStore } from './file-store.js';
import type { UploadGrants } from './upload-grants.js';

type FileOperations =
  | 'listCodaFiles'
  | 'listCodbFiles'
  | 'acknowledgeCodaFile'
  | 'getCodaUploadCredentials'
  | 'getCodbUploadCredentials'
  | 'acknowledgeCodbFile';

const acknowledged = { status: 200, body: { message: 'The file is acknowledged.' } } as const;

/** Operations 17 to 22 (§4.17 to §4.21, D-01). */
export function createFileHandlers(
  files: FileStore,
  uploads: UploadGrants,
): Pick<Handlers<UserContext>, FileOperations> {
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

    getCodaUploadCredentials: async (_request, { principal }) => ({
      status: 200,
      body: await uploads.forCoda(principal),
    }),

    getCodbUploadCredentials: async (_request, { principal }) => ({
      status: 200,
      body: await uploads.forCodb(principal),
    }),

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
