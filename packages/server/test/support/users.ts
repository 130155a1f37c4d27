import { hash } from '@node-rs/argon2';
import type { createFirmStore, Firm } from '../../src/identity/firms.js';
import type { createUserStore, User } from '../../src/identity/users.js';

type Created = Awaited<ReturnType<ReturnType<typeof createUserStore>['create']>>;

type CreatedFirm = Awaited<ReturnType<ReturnType<typeof createFirmStore>['create']>>;

/** Returns the firm that was created, or throws an Error if its name is taken. */
export function createdFirm(created: CreatedFirm): Firm {
  if (created === 'nameTaken') throw new Error('There is already a firm of this name');
  return created;
}

/** Returns the user that was created, or throws an Error if it was refused. */
export function createdUser(created: Created): User {
  if (created === 'usernameTaken' || 'unknownCustomers' in created) {
    throw new Error(`The user was refused: ${JSON.stringify(created)}`);
  }
  return created;
}

/**
 * Returns a hash of a password with cheap parameters. Signing in accepts it, because a hash
 * contains its parameters. Hashing, and each sign-in, takes 0.1 ms instead of the 25 ms of
 * `hashPassword`.
 */
export function quickPasswordHash(password: string): Promise<string> {
  return hash(password, { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 });
}
