import type { Knex } from 'knex';
import { readPaging } from '../api/paging.js';
import type { Handlers } from '../generated/handlers.gen.js';
import type { UserContext } from '../identity/request-context.js';
import { listMissingOf } from './missing-store.js';

/** Creates the handler of operation 24 (D-01, D-30). */
export function createContinuityHandlers(
  knex: Knex,
  now: () => Date,
): Pick<Handlers<UserContext>, 'listMissingStatements'> {
  return {
    listMissingStatements: async ({ body }, { principal }) => ({
      status: 200,
      body: await listMissingOf(knex, principal, body, readPaging(body), now()),
    }),
  };
}
