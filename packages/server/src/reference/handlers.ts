import { readPaging } from '../api/paging.js';
import type { Handlers } from '../generated/handlers.gen.js';
import type { ReferenceStore } from './reference-store.js';

/** Operations 13 and 14 (§4.13, §4.14), which return the same to every caller. */
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
