import { readPaging } from '../api/paging.js';
import type { Handlers } from '../generated/handlers.gen.js';
import type { UserContext } from '../identity/request-context.js';
import type { ReadsOf } from '../replica/replica.js';
import { listMissingOf } from './missing-store.js';

/** Creates the handler of operation 24 (D-01, D-30). */
export function createContinuityHandlers(
  readsOf: ReadsOf,
  now: () => Date,
): Pick<Handlers<UserContext>, 'listMissingStatements'> {
  return {
    listMissingStatements: async ({ body }, { principal }) => ({
      status: 200,
      body: await readsOf(principal.firmId)((run) =>
        listMissingOf(run, principal, body, readPaging(body), now()),
      ),
    }),
  };
}
