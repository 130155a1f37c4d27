import { readPaging } from '../api/paging.js';
import type { Handlers } from '../generated/handlers.gen.js';
import type { ReferenceStore } from './reference-store.js';

/** Creates the handlers of operations 13 and 14 (§4.13, §4.14), the same for every caller. */
export function createReferenceHandlers(
  reference: ReferenceStore,
): Pick<Handlers<unknown>, 'listBanks' | 'listPayrollProviders'> {
  return {
    listBanks: async ({ body }) => ({
      status: 200,
      body: await reference.banks(readPaging(body)),
    }),

    listPayrollProviders: async ({ body }) => ({
      status: 200,
      body: await reference.payrollProviders(readPaging(body)),
    }),
  };
}
