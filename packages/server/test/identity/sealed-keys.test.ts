import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';
import { createKeySealer } from '../../src/identity/sealed-keys.js';
import { createSigningKeyStore } from '../../src/identity/signing-keys.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { createTestDatabase } from '../support/database.js';
import { createTestKnex } from '../support/knex-for-file.js';
import { everyTextIn } from './every-text-in.js';
import { issuer, partner, user } from './forged-tokens.js';
import { createIdentityDatabase, signingKeySecret } from './identity-database.js';

const otherSecret = 'a secret of whoever has a copy of the database';

async function freshDatabase() {
  const database = await createIdentityDatabase();
  onTestFinished(() => database.close());
  return database;
}

test('D-59 a copy of the database cannot sign tokens without the secret', async () => {
  const { knex, signingKeys } = await freshDatabase();
  const [key] = await signingKeys.list();
  const { kid = '', privateJwk } = key ?? {};
  const secretNumber = privateJwk?.d ?? '';
  expect(secretNumber).toHaveLength(43);
  const copy = await everyTextIn(knex);
  expect(copy).toContain(kid);
  expect(copy).not.toContain(secretNumber);
  expect(copy).not.toContain(Buffer.from(secretNumber, 'base64url').toString('latin1'));

  const thief = await createSigningKeyStore(knex, otherSecret).list();
  expect(thief.find((each) => each.kid === kid)).toEqual({ ...key, privateJwk: undefined });
  const { sealed_key: sealed } = await knex('signing_keys').where({ kid }).first();
  const sealer = createKeySealer(signingKeySecret);
  expect(sealer.open(kid, sealed)).toEqual(privateJwk);
  expect(createKeySealer(otherSecret).open(kid, sealed)).toBeUndefined();
  expect(sealer.open(thief[0]?.kid ?? '', sealed)).toBeUndefined();
  for (const place of [0, 12, 28, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[place] = sealed[place] ^ 1;
    expect(sealer.open(kid, changed)).toBeUndefined();
  }
  for (const length of [0, 12, 28]) {
    expect(sealer.open(kid, sealed.subarray(0, length))).toBeUndefined();
  }
});

test('D-59 during a change of the secret each process signs with a key of its own, and accepts the tokens of all', async () => {
  const database = await freshDatabase();
  const before = createTokenService({ ...database, issuer });
  const old = await before.issue(user, partner);
  const after = createTokenService({ ...database, issuer, signingKeySecret: otherSecret });
  const young = await after.issue(user, partner);
  for (let minute = 0; minute < 3; minute += 1) {
    database.wait(60);
    const tokens = [
      old,
      young,
      await before.issue(user, partner),
      await after.issue(user, partner),
    ];
    for (const token of tokens) {
      await expect(before.verify(token)).resolves.toMatchObject({ userId: user.id });
      await expect(after.verify(token)).resolves.toMatchObject({ userId: user.id });
    }
  }
  expect(await database.knex('signing_keys')).toHaveLength(2);
});

test('D-59 db: 0049 deletes private keys in plain text, and their tokens stay valid', async () => {
  const database = await createTestDatabase({ empty: true });
  const knex = createTestKnex(database.url);
  onTestFinished(async () => {
    await knex.destroy();
    await database.drop();
  });
  const place = allMigrations.findIndex(({ name }) => name === '0049-sealed-signing-keys');
  await migrate(knex, allMigrations.slice(0, place));
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const keys = { public_jwk: publicJwk, private_jwk: await exportJWK(privateKey) };
  await knex('signing_keys').insert({ kid, ...keys });
  const old = await new SignJWT({ firm: user.firmId, partner, version: 1 })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience('accounting-data-exchange')
    .setSubject(user.id)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);

  await migrate(knex, allMigrations.slice(0, place + 1));
  expect(await everyTextIn(knex)).not.toContain(keys.private_jwk.d);
  const tokens = createTokenService({ knex, issuer, signingKeySecret });
  await expect(tokens.verify(old)).resolves.toMatchObject({ userId: user.id });
  await expect(tokens.verify(await tokens.issue(user, partner))).resolves.toBeDefined();
  expect((await tokens.jwks()).keys).toHaveLength(2);
  // A service of before that has not been restarted.
  await expect(knex('signing_keys').insert({ kid: 'plain', ...keys })).rejects.toMatchObject({
    constraint: 'signing_keys_private_jwk_check',
  });
});
