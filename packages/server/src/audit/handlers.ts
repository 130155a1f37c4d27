import type { Handlers } from '../generated/handlers.gen.js';
import type { UserContext } from '../identity/request-context.js';
import type { VisibleEntries } from './visible-entries.js';

/** Creates the handler of operation 27 (D-01, D-58). */
export function createAuditHandlers(
  entries: VisibleEntries,
): Pick<Handlers<UserContext>, 'listAuditEntries'> {
  return {
    listAuditEntries: async ({ body }, { principal }) => ({
      status: 200,
      body: await entries.list(principal, body),
    }),
  };
}
