import { ApiError } from '../api/api-error.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { callerOf, type UserContext } from '../identity/request-context.js';
import type { Product } from './documents/document.js';
import type { UploadGrants } from './upload-grants.js';

/** Operations 20 and 21 (§4.20, §4.21). */
export function createUploadHandlers(
  grants: UploadGrants,
): Pick<Handlers<UserContext>, 'getCodaUploadCredentials' | 'getCodbUploadCredentials'> {
  async function issue(product: Product, context: UserContext) {
    const credentials = await grants.issue(product, callerOf(context));
    if (credentials === 'notAllowed') throw new ApiError('upload_not_allowed');
    return { status: 200, body: credentials } as const;
  }

  return {
    getCodaUploadCredentials: (_request, context) => issue('CODA', context),
    getCodbUploadCredentials: (_request, context) => issue('CODB', context),
  };
}
