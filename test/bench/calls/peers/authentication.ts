import { createHash } from 'node:crypto';
import { createApiKeyStore, createUserStore } from '@adx/server';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { Knex } from 'knex';
import type { ApiKey } from '../../../../packages/server/src/identity/api-keys.js';
import type { Caller } from '../../../../packages/server/src/identity/request-context.js';

export type Authentication = ReturnType<typeof createAuthentication>;

/**
 * Checks credentials as a user of `jose` would: API keys and users are looked up once, and each
 * token is verified with the cached keys of the service. An outcome is undefined if it is refused.
 */
export function createAuthentication(
  knex: Knex,
  { issuer, jwksUrl }: { readonly issuer: string; readonly jwksUrl: string },
) {
  const apiKeys = rememberFound((_hash, key) => createApiKeyStore(knex).verify(key));
  const users = rememberFound((id, firmId) => createUserStore(knex).findAccess(id, firmId));
  const keySet = createRemoteJWKSet(new URL(jwksUrl));

  async function findClaims(header: string | undefined) {
    const token = /^bearer (.+)$/i.exec(header ?? '')?.[1];
    if (token === undefined) return undefined;
    try {
      const audience = 'accounting-data-exchange';
      return (await jwtVerify(token, keySet, { issuer, audience, algorithms: ['ES256'] })).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return {
    async apiKey(header: string | string[] | undefined): Promise<ApiKey | undefined> {
      if (typeof header !== 'string') return undefined;
      // Only the hash stays in memory, as in the database.
      return apiKeys(createHash('sha256').update(header).digest('base64'), header);
    },

    /** Returns the user of an ID token that was issued to the partner of the API key. */
    async caller(header: string | undefined, apiKey: ApiKey): Promise<Caller | undefined> {
      const claims = await findClaims(header);
      if (claims?.['partner'] !== apiKey.partner) return undefined;
      const [userId, firmId] = [String(claims.sub), String(claims['firm'])];
      const access = await users(userId, firmId);
      if (access === undefined || access.tokenVersion !== claims['version']) return undefined;
      const { accessLevel, seesCustomers } = access;
      if (accessLevel === 'portalOnly') return undefined;
      return { principal: { userId, firmId, accessLevel, seesCustomers }, apiKeyId: apiKey.id };
    },
  };
}

/** Keeps in memory all that was found, under its id. */
function rememberFound<Found>(
  find: (id: string, rest: string) => Promise<Found | undefined>,
): (id: string, rest: string) => Promise<Found | undefined> {
  const known = new Map<string, Found>();
  return async (id, rest) => {
    const found = known.get(id) ?? (await find(id, rest));
    if (found !== undefined) known.set(id, found);
    return found;
  };
}
