import type { afterAll, onTestFinished } from 'vitest';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { createApiKeyStore } from '../../src/identity/api-keys.js';
import { createFirmStore } from '../../src/identity/firms.js';
import { hashPassword } from '../../src/identity/passwords.js';
import { createRefreshTokenStore } from '../../src/identity/refresh-tokens.js';
import { createSigningKeyStore } from '../../src/identity/signing-keys.js';
import { createUserStore, type NewUser, type User } from '../../src/identity/users.js';
import { openTestDatabase } from '../support/knex-for-file.js';
import { createdFirm, createdUser } from '../support/users.js';

export const PASSWORD = 'paard-batterij-nietje';
export const signingKeySecret = 'a secret of the processes of a deployment';

/**
 * Creates a separate database with the identity stores, and clocks that the test advances.
 *
 * @param atEnd - `afterAll` for a database of the whole file
 */
export async function createIdentityDatabase(atEnd: typeof afterAll | typeof onTestFinished) {
  const { knex, url } = await openTestDatabase(atEnd, { poolSize: 5 });
  const clock = { time: Date.parse('2026-03-02T08:00:00Z'), elapsed: 0 };
  const now = () => new Date(clock.time);
  const firms = createFirmStore(knex, now);
  const users = createUserStore(knex, now);
  const passwordHash = await hashPassword(PASSWORD);

  async function newUser(user: Partial<NewUser> = {}): Promise<NewUser> {
    return {
      firmId:
        user.firmId ??
        createdFirm(await firms.create({ name: `Kantoor ${newObjectId()}`, codbUpload: false })).id,
      username: `user-${newObjectId()}@kantoor.example`,
      passwordHash,
      accessLevel: 'administrator',
      customers: 'all',
      ...user,
    };
  }

  return {
    knex,
    url,
    now,
    monotonicMs: () => clock.elapsed,
    signingKeySecret,
    signingKeys: createSigningKeyStore(knex, signingKeySecret),
    firms,
    users,
    apiKeys: createApiKeyStore(knex, now),
    refreshTokens: createRefreshTokenStore(knex, now, 1),
    passwordHash,
    /** Advances both clocks, in seconds. */
    wait(seconds: number) {
      clock.time += seconds * 1000;
      clock.elapsed += seconds * 1000;
    },
    /** Sets the wall clock back, in seconds. The monotonic clock cannot be set. */
    setBack(seconds: number) {
      clock.time -= seconds * 1000;
    },
    newUser,
    async createUser(user: Partial<NewUser> = {}): Promise<User> {
      return createdUser(await users.create(await newUser(user)));
    },
  };
}
