import { expect, onTestFinished, test } from 'vitest';
import { createKeySealer } from '../../src/identity/sealed-text.js';
import { createSigningKeyStore } from '../../src/identity/signing-keys.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { everyTextIn } from './every-text-in.js';
import { issuer, partner, user } from './forged-tokens.js';
import { createIdentityDatabase, signingKeySecret } from './identity-database.js';

const otherSecret = 'a secret of whoever has a copy of the database';

test('D-59 a copy of the database cannot sign tokens without the secret', async () => {
  const { knex, signingKeys } = await createIdentityDatabase(onTestFinished);
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
  const database = await createIdentityDatabase(onTestFinished);
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
