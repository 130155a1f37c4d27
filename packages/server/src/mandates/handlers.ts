import { ApiError, found } from '../api/api-error.js';
import { readPaging } from '../api/paging.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { storedId } from '../identifiers/object-id.js';
import type { UserContext } from '../identity/request-context.js';
import type { MandateStore } from './mandate-store.js';

/** Operations 15, 16 and 23 (§4.15, §4.16, D-01). */
export function createMandateHandlers(
  mandates: MandateStore,
): Pick<Handlers<UserContext>, 'searchMandates' | 'getMandate' | 'requestMandate'> {
  return {
    searchMandates: async ({ body }, { principal }) => ({
      status: 200,
      body: await mandates.search(principal, body, readPaging(body)),
    }),

    getMandate: async ({ path }, { principal }) => ({
      status: 200,
      body: found(await mandates.get(principal, storedId(path.mandateId))),
    }),

    requestMandate: async ({ path }, { principal }) => {
      const requested = await mandates.request(principal, storedId(path.mandateId));
      if (requested === 'notRequestable') throw new ApiError('mandateNotRequestable');
      return { status: 200, body: found(requested) };
    },
  };
}
