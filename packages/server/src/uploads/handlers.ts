import type { Product } from '@adx/contract';
import { ApiError, found } from '../api/api-error.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { storedId } from '../identifiers/object-id.js';
import { callerOf, type UserContext } from '../identity/request-context.js';
import type { UploadGrants } from './upload-grants.js';
import type { VisibleUploads } from './visible-uploads.js';

type UploadOperations =
  | 'getCodaUploadCredentials'
  | 'getCodbUploadCredentials'
  | 'listUploads'
  | 'getUpload';

/** Operations 20, 21, 25 and 26 (§4.20, §4.21, D-32). */
export function createUploadHandlers(
  grants: UploadGrants,
  uploads: VisibleUploads,
): Pick<Handlers<UserContext>, UploadOperations> {
  async function issue(product: Product, context: UserContext) {
    const credentials = await grants.issue(product, callerOf(context));
    if (credentials === 'notAllowed') throw new ApiError('upload_not_allowed');
    return { status: 200, body: credentials } as const;
  }

  return {
    getCodaUploadCredentials: (_request, context) => issue('CODA', context),
    getCodbUploadCredentials: (_request, context) => issue('CODB', context),

    listUploads: async ({ body }, { principal }) => ({
      status: 200,
      body: await uploads.list(principal, body),
    }),

    getUpload: async ({ path }, { principal }) => ({
      status: 200,
      body: found(await uploads.get(principal, storedId(path.uploadId))),
    }),
  };
}
