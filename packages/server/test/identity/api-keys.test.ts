import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyTextIn } from './every-text-in.js';
import { createIdentityDatabase } from './identity-database.js';

let database: Awaited<ReturnType<typeof createIdentityDatabase>>;
beforeAll(async () => {
  database = await createIdentityDatabase();
});
afterAll(() => database.close());

const issue = () =>
  database.apiKeys.issue({ partner: 'Boekhoudpakket', scopes: ['customers:read', 'files:write'] });

test('D-20 an API key looks like adx_live_… with 256 random bits, and is accepted', async () => {
  const issued = await issue();
  expect(issued.key).toMatch(/^adx_live_[\w-]{43}$/);
  expect(await database.apiKeys.verify(issued.key)).toEqual({
    id: issued.id,
    partner: 'Boekhoudpakket',
    scopes: ['customers:read', 'files:write'],
  });
});

test('D-20 a text that differs from the key is refused', async () => {
  const { key } = await issue();
  const changed = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  for (const wrong of [changed, key.slice(0, -1), `${key}A`, key.slice(9), key.toLowerCase(), '']) {
    expect(await database.apiKeys.verify(wrong)).toBeUndefined();
  }
});

test('D-20 the database does not contain the key, except for a hint of four characters', async () => {
  const { key, id } = await issue();
  expect(await everyTextIn(database.knex)).not.toContain(key);
  const listed = (await database.apiKeys.list()).find((each) => each.id === id);
  expect(listed?.hint).toBe(key.slice(0, 13));
});

test('§5 a revoked key is refused permanently, and stays listed', async () => {
  const { id, key } = await issue();
  expect(await database.apiKeys.revoke(id)).toBe(true);
  expect(await database.apiKeys.verify(key)).toBeUndefined();
  const before = (await database.apiKeys.list()).find((each) => each.id === id);
  database.wait(60);
  expect(await database.apiKeys.revoke(id)).toBe(true);
  expect((await database.apiKeys.list()).find((each) => each.id === id)).toEqual(before);
  expect(before?.revokedOn).toBeInstanceOf(Date);
});

test('§5 revoking an unknown key returns false', async () => {
  expect(await database.apiKeys.revoke('0'.repeat(24))).toBe(false);
});

test('§5 rule 6: a scope that this version does not know grants nothing', async () => {
  const { id, key } = await issue();
  await database
    .knex('api_keys')
    .where({ id })
    .update({ scopes: ['mandates:sign', 'files:read'] });
  expect((await database.apiKeys.verify(key))?.scopes).toEqual(['files:read']);
});
