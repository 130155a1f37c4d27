import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { createTokenService } from '../../src/identity/tokens.js';
import { forgeToken, issuer, partner, user } from './forged-tokens.js';
import { createIdentityDatabase } from './identity-database.js';

const database = await createIdentityDatabase(afterAll);

const service = (over: { issuer?: string } = {}) =>
  createTokenService({ ...database, issuer, ...over });

const forge = (claims: Record<string, unknown>, header?: Record<string, unknown>) =>
  forgeToken(database, claims, header);

describe('§5 rule 1: ID tokens', () => {
  test('§5 rule 1: an ID token names user, firm and partner, and is valid for 1 hour', async () => {
    const token = await service().issue(user, partner);
    const issuedAt = database.now();
    expect(await service().verify(token)).toEqual({
      userId: user.id,
      firmId: user.firmId,
      partner,
      tokenVersion: 1,
      expiresAt: new Date(issuedAt.getTime() + 3_600_000),
    });
    expect(Object.keys(decodeJwt(token)).sort()).toEqual([
      'aud',
      'exp',
      'firm',
      'iat',
      'iss',
      'partner',
      'sub',
      'version',
    ]);
  });

  test('§5 anyone can verify an ID token with the published keys, which have no private part', async () => {
    const tokens = service();
    const { keys } = await tokens.jwks();
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: expect.any(String),
        x: expect.any(String),
        y: expect.any(String),
      },
    ]);
    const token = await tokens.issue(user, partner);
    const verified = await jwtVerify(token, createLocalJWKSet({ keys: [...keys] }), {
      issuer,
      currentDate: database.now(),
    });
    expect(verified.payload.sub).toBe(user.id);
  });

  test.each([
    ['another issuer', { iss: 'https://staging.adx.example.org' }],
    ['another audience', { aud: 'somebody-else' }],
    ['no user', { sub: undefined }],
    ['no firm', { firm: undefined }],
    ['no partner', { partner: undefined }],
    ['no version', { version: undefined }],
    ['a version of another type', { version: '1' }],
    ['no end', { exp: undefined }],
    ['no beginning', { iat: undefined }],
    ['a later beginning', { nbf: 4_102_444_800 }],
    ['a later issue', { iat: 4_102_444_800, exp: 4_102_448_400 }],
    ['a life of more than an hour', { exp: 4_102_444_800 }],
  ])('§5 a token with %s is not accepted', async (_, claims) => {
    await expect(service().verify(await forge(claims))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  test('D-20 a token of a process whose clock is up to a minute ahead is accepted, but not further ahead', async () => {
    const now = Math.floor(database.now().getTime() / 1000);
    const madeIn = (seconds: number) => forge({ iat: now + seconds, exp: now + seconds + 3600 });
    await expect(service().verify(await madeIn(60))).resolves.toMatchObject({ userId: user.id });
    await expect(service().verify(await madeIn(61))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  test('§5 the forged tokens above are refused only for their claims', async () => {
    await expect(service().verify(await forge({}))).resolves.toMatchObject({ userId: user.id });
  });

  test('§5 a token of another kind, of an unknown key or unsigned is not accepted', async () => {
    const token = await forge({});
    const [, payload = '', signature = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const hs256 = await new SignJWT({ sub: user.id, firm: user.firmId })
      .setProtectedHeader({ alg: 'HS256', kid: decodeProtectedHeader(token).kid ?? '' })
      .sign(new TextEncoder().encode('x'.repeat(32)));
    const wrong = [
      await forge({}, { typ: 'at+jwt' }),
      await forge({}, { kid: 'nobody' }),
      await forge({}, { kid: undefined }),
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      hs256,
      token.slice(0, -4),
      `${token}x`,
      'x',
      'a.b.c',
    ];
    for (const each of wrong) {
      await expect(service().verify(each)).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  test('§5 an unreachable database is not reported as an invalid token', async () => {
    const { createKnex } = await import('../../src/db/knex.js');
    const lost = createKnex('postgresql://adx@127.0.0.1:1/adx');
    const tokens = createTokenService({ ...database, knex: lost, issuer });
    await expect(tokens.verify(await forge({}))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await lost.destroy();
  });
});
