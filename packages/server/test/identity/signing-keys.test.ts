import { decodeProtectedHeader } from 'jose';
import type { Knex } from 'knex';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSigningKeyStore } from '../../src/identity/signing-keys.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { issuer, partner, user } from './forged-tokens.js';
import { createIdentityDatabase, signingKeySecret } from './identity-database.js';

/** The hour of an ID token and five minutes for late processes, in seconds. */
const supersededKeyLives = 3900;

const database = await createIdentityDatabase(afterAll);

const service = (over: { issuer?: string } = {}) =>
  createTokenService({ ...database, issuer, ...over });

/** Makes all signing keys older, in seconds. Their age is by the clock of the database. */
async function age(knex: Knex, seconds: number): Promise<void> {
  await knex.raw(`update signing_keys set created_on = created_on - ? * interval '1 s'`, [seconds]);
}

describe('signing keys', () => {
  test('identity: processes that start together on a new database create one key', async () => {
    const fresh = await createIdentityDatabase(onTestFinished);
    const stores = Array.from({ length: 5 }, () =>
      createSigningKeyStore(fresh.knex, signingKeySecret),
    );
    const lists = await Promise.all(stores.map((store) => store.list()));
    expect(new Set(lists.map((keys) => keys.map(({ kid }) => kid).join())).size).toBe(1);
    expect(await fresh.knex('signing_keys')).toHaveLength(1);
  });

  test('identity: after a rotation tokens of the old key stay valid, and new ones get the new key', async () => {
    const tokens = service();
    const old = await tokens.issue(user, partner);
    database.wait(10);
    const rotated = await database.signingKeys.rotate();
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
    const fresh = await createIdentityDatabase(onTestFinished);
    const tokens = createTokenService({ ...fresh, issuer });
    await tokens.issue(user, partner);
    fresh.wait(1);
    const { kid } = await fresh.signingKeys.rotate();
    fresh.wait(58);
    const old = await tokens.issue(user, partner);
    expect(decodeProtectedHeader(old).kid).not.toBe(kid);
    fresh.wait(3599);
    await expect(tokens.verify(old)).resolves.toMatchObject({ userId: user.id });
    fresh.wait(1);
    await expect(tokens.verify(old)).rejects.toMatchObject({ code: 'tokenExpired' });
  });

  test('D-20 a rotation for a key that leaked ends every token of the old keys within a minute', async () => {
    const fresh = await createIdentityDatabase(onTestFinished);
    const store = fresh.signingKeys;
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
  });

  test('identity: a token of a key that another process has just created is accepted', async () => {
    const tokens = service();
    await tokens.issue(user, partner);
    database.wait(2);
    await database.signingKeys.rotate();
    const elsewhere = await service().issue(user, partner);
    await expect(tokens.verify(elsewhere)).resolves.toMatchObject({ userId: user.id });
  });

  test('identity: a superseded key is no longer used when all its tokens have expired', async () => {
    const fresh = await createIdentityDatabase(onTestFinished);
    const store = fresh.signingKeys;
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
  });

  test('D-20 a superseded key that was no longer used stays out of use when the clock is set back', async () => {
    const fresh = await createIdentityDatabase(onTestFinished);
    const store = fresh.signingKeys;
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
  });

  test('D-23 a superseded key is not used either while the database is read-only', async () => {
    const fresh = await createIdentityDatabase(onTestFinished);
    await fresh.signingKeys.list();
    const { kid } = await fresh.signingKeys.rotate();
    await age(fresh.knex, supersededKeyLives);
    await fresh.knex.raw('set session characteristics as transaction read only');
    expect(await fresh.signingKeys.list()).toMatchObject([{ kid }]);
  });

  test('identity: a process that could not read its keys reads them as soon as the database is back', async () => {
    const fresh = await createIdentityDatabase(onTestFinished);
    const tokens = createTokenService({ ...fresh, issuer });
    await fresh.knex.destroy();
    await expect(tokens.jwks()).rejects.toThrow('acquire a connection');
    fresh.knex.initialize();
    expect((await tokens.jwks()).keys).toHaveLength(1);
  });

  test('D-20 a process measures the age of keys with a clock that is never set', async () => {
    const { knex, signingKeys } = await createIdentityDatabase(onTestFinished);
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const tokens = createTokenService({ knex, issuer, signingKeySecret });
    await tokens.jwks();
    const { kid } = await signingKeys.replaceAll();
    vi.setSystemTime(Date.now() - 600_000);
    vi.advanceTimersByTime(60_000);
    expect((await tokens.jwks()).keys).toMatchObject([{ kid }]);
  });

  test('D-20 tokens are signed with the key of the last rotation, even if the clock was set back before it', async () => {
    const fresh = await createIdentityDatabase(onTestFinished);
    const store = fresh.signingKeys;
    await store.list();
    await age(fresh.knex, -600);
    const { kid } = await store.rotate();
    const tokens = createTokenService({ ...fresh, issuer });
    expect(decodeProtectedHeader(await tokens.issue(user, partner)).kid).toBe(kid);
  });
});
