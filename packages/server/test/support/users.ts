import type { createUserStore, User } from '../../src/identity/users.js';

type Created = Awaited<ReturnType<ReturnType<typeof createUserStore>['create']>>;

/** Returns the user that was created, or throws an Error if it was refused. */
export function createdUser(created: Created): User {
  if (created === 'usernameTaken' || 'unknownCustomers' in created) {
    throw new Error(`The user was refused: ${JSON.stringify(created)}`);
  }
  return created;
}
