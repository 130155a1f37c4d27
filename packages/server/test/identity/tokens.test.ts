import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSigningKeyStore } from '../../src/identity/signing-keys.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { createIdentityDatabase } from './identity-database.js';

const issuer = 'https://adx.example.org';
/** In seconds: the hour of an ID token, and five minutes for processes that notice a rotation late. */
const supersededKeyLives = 3900;
const user = {
  id: '673f0c2a9b1d4e8f7a6c5b4d',
  firmId: '673f0c2a9b1d4e8f7a6c5b4e',
  tokenVersion: 1,
};
const partner = 'Boekhoudpakket';

let database: Awaited<ReturnType<typeof createIdentityDatabase>>;
beforeAll(async () => {
  database = await createIdentityDatabase();
});
afterAll(() => database.close());

const service = (over: { issuer?: string } = {}) =>
  createTokenService({ ...database, issuer, ...over });

/** Signs claims that the service would not issue with its real key. */
async function forge(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  { knex, now } = database,
) {
  const [key] = await createSigningKeyStore(knex).list();
  const seconds = Math.floor(now().getTime() / 1000);
  return new SignJWT({
    iss: issuer,
    aud: 'accounting-data-exchange',
    sub: user.id,
    firm: user.firmId,
    partner,
    version: user.tokenVersion,
    iat: seconds,
    exp: seconds + 3600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: key?.kid ?? '', ...header })
    .sign(await importJWK(key?.privateJwk ?? {}, 'ES256'));
}

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

  test('§5 rule 1: an ID token expires after 1 hour', async () => {
    const tokens = service();
    const token = await tokens.issue(user, partner);
    database.wait(3599);
    await expect(tokens.verify(token)).resolves.toMatchObject({ userId: user.id });
    database.wait(1);
    await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'tokenExpired' });
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
    const tokens = createTokenService({ knex: lost, issuer, now: database.now });
    await expect(tokens.verify(await forge({}))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await lost.destroy();
  });
});

/** The claims of a token that is not of the future when the clock has been set back by ten minutes. */
function issuedTenMinutesAgo({ now }: { now: () => Date }) {
  const iat = Math.floor(now().getTime() / 1000) - 600;
  return { iat, exp: iat + 3600 };
}

/** Makes all signing keys older, in seconds. Their age is by the clock of the database. */
async function age(knex: Knex, seconds: number): Promise<void> {
  await knex.raw(`update signing_keys set created_on = created_on - ? * interval '1 s'`, [seconds]);
}

describe('signing keys', () => {
  test('identity: processes that start together on a new database create one key', async () => {
    const fresh = await createIdentityDatabase();
    const stores = Array.from({ length: 5 }, () => createSigningKeyStore(fresh.knex));
    const lists = await Promise.all(stores.map((store) => store.list()));
    expect(new Set(lists.map((keys) => keys.map(({ kid }) => kid).join())).size).toBe(1);
    expect(await fresh.knex('signing_keys')).toHaveLength(1);
    await fresh.close();
  });

  test('identity: after a rotation tokens of the old key stay valid, and new ones get the new key', async () => {
    const tokens = service();
    const old = await tokens.issue(user, partner);
    database.wait(10);
    const rotated = await createSigningKeyStore(database.knex).rotate();
    expect(decodeProtectedHeader(await tokens.issue(user, partner)).kid).toBe(
      decodeProtectedHeader(old).kid,
    );
    database.wait(60);
    const young = await tokens.issue(user, partner);
    expect(decodeProtectedHeader(young).kid).toBe(rotated.kid);
    await expect(tokens.verify(old)).resolves.toMatchObject({ userId: user.id });
    await expect(tokens.verify(young)).resolves.toMatchObject({ userId: user.id });
    expect((await tokens.jwks()).keys).toHaveLength(2);
  });

  test('D-20 a token signed with the old key before the rotation was noticed is valid for its hour', async () => {
    const fresh = await createIdentityDatabase();
    const tokens = createTokenService({ ...fresh, issuer });
    await tokens.issue(user, partner);
    fresh.wait(1);
    const { kid } = await createSigningKeyStore(fresh.knex).rotate();
    fresh.wait(58);
    const old = await tokens.issue(user, partner);
    expect(decodeProtectedHeader(old).kid).not.toBe(kid);
    fresh.wait(3599);
    await expect(tokens.verify(old)).resolves.toMatchObject({ userId: user.id });
    fresh.wait(1);
    await expect(tokens.verify(old)).rejects.toMatchObject({ code: 'tokenExpired' });
    await fresh.close();
  });

  test('D-20 a rotation for a key that leaked ends every token of the old keys within a minute', async () => {
    const fresh = await createIdentityDatabase();
    const store = createSigningKeyStore(fresh.knex);
    const tokens = createTokenService({ ...fresh, issuer });
    await store.list();
    fresh.wait(1);
    await store.rotate();
    const old = await tokens.issue(user, partner);
    fresh.wait(1);
    const { kid } = await store.replaceAll();
    expect((await store.list()).map((key) => key.kid)).toEqual([kid]);
    fresh.wait(60);
    await expect(tokens.verify(old)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(tokens.verify(await tokens.issue(user, partner))).resolves.toMatchObject({
      userId: user.id,
    });
    await fresh.close();
  });

  test('identity: a token of a key that another process has just created is accepted', async () => {
    const tokens = service();
    await tokens.issue(user, partner);
    database.wait(2);
    await createSigningKeyStore(database.knex).rotate();
    const elsewhere = await service().issue(user, partner);
    await expect(tokens.verify(elsewhere)).resolves.toMatchObject({ userId: user.id });
  });

  test('identity: a superseded key is no longer used when all its tokens have expired', async () => {
    const fresh = await createIdentityDatabase();
    const store = createSigningKeyStore(fresh.knex);
    const tokens = createTokenService({ ...fresh, issuer });
    const [old] = await store.list();
    fresh.wait(1);
    await store.rotate();
    await age(fresh.knex, supersededKeyLives - 60);
    fresh.wait(60);
    expect((await tokens.jwks()).keys).toHaveLength(2);
    await age(fresh.knex, 60);
    fresh.wait(60);
    expect((await tokens.jwks()).keys).toHaveLength(1);
    await store.rotate();
    const kids = (await store.list()).map(({ kid }) => kid);
    expect(kids).toHaveLength(2);
    expect(kids).not.toContain(old?.kid);
    await fresh.close();
  });

  test('D-20 a superseded key that was no longer used stays out of use when the clock is set back', async () => {
    const fresh = await createIdentityDatabase();
    const store = createSigningKeyStore(fresh.knex);
    const [old] = await store.list();
    const tokens = createTokenService({ ...fresh, issuer });
    const { kid } = await store.rotate();
    await age(fresh.knex, supersededKeyLives);
    expect((await tokens.jwks()).keys).toMatchObject([{ kid }]);
    await age(fresh.knex, -600);
    fresh.setBack(600);
    fresh.wait(60);
    expect((await tokens.jwks()).keys).toMatchObject([{ kid }]);
    expect(await fresh.knex('signing_keys').where({ kid: old?.kid })).toEqual([]);
    await fresh.close();
  });

  test('D-20 a rotation for a key that leaked ends its tokens, although the wall clock was set back', async () => {
    const fresh = await createIdentityDatabase();
    const tokens = createTokenService({ ...fresh, issuer });
    const stolen = await forge(issuedTenMinutesAgo(fresh), {}, fresh);
    await tokens.jwks();
    fresh.setBack(600);
    await createSigningKeyStore(fresh.knex).replaceAll();
    fresh.wait(60);
    await expect(tokens.verify(stolen)).rejects.toMatchObject({ code: 'unauthorized' });
    await fresh.close();
  });

  test('D-20 tokens are signed with the key of the last rotation, even if the clock was set back before it', async () => {
    const fresh = await createIdentityDatabase();
    const store = createSigningKeyStore(fresh.knex);
    await store.list();
    await age(fresh.knex, -600);
    const { kid } = await store.rotate();
    const tokens = createTokenService({ ...fresh, issuer });
    expect(decodeProtectedHeader(await tokens.issue(user, partner)).kid).toBe(kid);
    await fresh.close();
  });
});
