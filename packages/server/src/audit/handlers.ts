import type { Handlers } from '../generated/handlers.gen.js';
import type { UserContext } from '../identity/request-context.js';
import type { ReadsOf } from '../replica/replica.js';
import { listVisibleEntries } from './visible-entries.js';

/** Creates the handler of operation 27 (D-01, D-58). */
export function createAuditHandlers(
  readsOf: ReadsOf,
): Pick<Handlers<UserContext>, 'listAuditEntries'> {
  return {
    listAuditEntries: async ({ body }, { principal }) => ({
      status: 200,
      body: await readsOf(principal.firmId)((run) => listVisibleEntries(run, principal, body)),
    }),
  };
}
