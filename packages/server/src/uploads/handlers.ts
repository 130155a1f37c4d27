import type { Handlers } from '../generated/handlers.gen.js';
import type { UserContext } from '../identity/request-context.js';
import type { Grantee, UploadGrants } from './upload-grants.js';

/** Operations 20 and 21 (§4.20, §4.21). */
export function createUploadHandlers(
  grants: UploadGrants,
): Pick<Handlers<UserContext>, 'getCodaUploadCredentials' | 'getCodbUploadCredentials'> {
  return {
    getCodaUploadCredentials: async (_request, context) => ({
      status: 200,
      body: await grants.forCoda(granteeOf(context)),
    }),

    getCodbUploadCredentials: async (_request, context) => ({
      status: 200,
      body: await grants.forCodb(granteeOf(context)),
    }),
  };
}

function granteeOf({ principal, apiKey }: UserContext): Grantee {
  return { principal, apiKeyId: apiKey.id };
}
