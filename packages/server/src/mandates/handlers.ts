import type { Mandate } from '@adx/contract';
import { ApiError } from '../api/api-error.js';
import { readPaging } from '../api/paging.js';
import type { Handlers } from '../generated/handlers.gen.js';
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
      body: found(await mandates.get(principal, mandateId(path))),
    }),

    requestMandate: async ({ path }, { principal }) => {
      const requested = await mandates.request(principal, mandateId(path));
      if (requested === 'notRequestable') throw new ApiError('mandateNotRequestable');
      return { status: 200, body: found(requested) };
    },
  };
}

/** Identifiers are stored in lower case, but callers may write them in any case. */
function mandateId(path: { readonly mandateId: string }): string {
  return path.mandateId.toLowerCase();
}

/** @throws ApiError `notFound` */
function found(mandate: Mandate | undefined): Mandate {
  if (mandate === undefined) throw new ApiError('notFound');
  return mandate;
}
