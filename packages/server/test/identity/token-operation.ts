import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect } from 'vitest';
import { createIdentityHandlers } from '../../src/identity/handlers.js';
import { createSignInLimit } from '../../src/identity/sign-in.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { type createIdentityDatabase, PASSWORD } from './identity-database.js';

export const base64 = (text: string) => Buffer.from(text).toString('base64');
const requestId = '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10';
export const apiKey = { id: '1'.repeat(24), partner: 'Boekhoudpakket', scopes: [] };
export const otherPartner = { ...apiKey, id: '2'.repeat(24), partner: 'Ander pakket' };

const messages = {
  'Authentication failed':
    'The username or password is wrong, or the password is not encoded in Base64.',
  'Invalid refresh token': 'The refresh token is not valid; sign in again.',
};

export const failed = (error: keyof typeof messages) => ({
  status: 500,
  body: { error, message: messages[error], requestId },
});

/** Creates the token operation of a separate service, with its log. */
export function createTokenOperation(
  database: Awaited<ReturnType<typeof createIdentityDatabase>>,
  failures = 10,
) {
  let logged = '';
  const log = pino(
    new Writable({
      write(chunk, _encoding, done) {
        logged += chunk;
        done();
      },
    }),
  );
  const tokens = createTokenService({
    knex: database.knex,
    issuer: 'https://adx.example.org',
    signingKeySecret: database.signingKeySecret,
    now: database.now,
  });
  const { users, refreshTokens } = database;
  const limit = createSignInLimit({ failures });
  const { getToken } = createIdentityHandlers({ users, refreshTokens, tokens, limit });
  return {
    tokens,
    logged: () => logged,
    signIn: (username: string, password = base64(PASSWORD), key = apiKey) =>
      getToken({ path: {}, body: { username, password } }, { apiKey: key, requestId, log }),
    refresh: (refreshToken: string, key = apiKey) =>
      getToken({ path: {}, body: { refreshToken } }, { apiKey: key, requestId, log }),
  };
}

type Answer = { status: number; body: object };
export const tokensOf = ({ status, body }: Answer) => {
  expect(status).toBe(200);
  return body as { idToken: string; refreshToken: string };
};
