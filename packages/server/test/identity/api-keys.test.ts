import { afterAll, expect, test } from 'vitest';
import { everyTextIn } from './every-text-in.js';
import { createIdentityDatabase } from './identity-database.js';

const database = await createIdentityDatabase(afterAll);

const issue = () =>
  database.apiKeys.issue({ partner: 'Boekhoudpakket', scopes: ['customers:read', 'files:write'] });

test('D-35 the old secret works until the end of the overlap, and the new one from then on', async () => {
  const { id, key } = await issue();
  const rotated = await database.apiKeys.rotate(id, { overlapMs: 60_000 });
  if (typeof rotated !== 'object') throw new Error('The key was not rotated');
  const until = new Date(database.now().getTime() + 60_000);
  expect(rotated.old).toEqual({ hint: key.slice(0, 13), until });
  expect(await database.apiKeys.verify(key)).toMatchObject({ id, expiresAt: until });
  expect(await database.apiKeys.verify(rotated.key)).toEqual({
    id,
    partner: 'Boekhoudpakket',
    scopes: ['customers:read', 'files:write'],
  });
  database.wait(59.999);
  expect(await database.apiKeys.verify(key)).toMatchObject({ id });
  database.wait(0.001);
  expect(await database.apiKeys.verify(key)).toBeUndefined();
  expect(await database.apiKeys.verify(rotated.key)).toMatchObject({ id });
  const listed = (await database.apiKeys.list()).find((each) => each.id === id);
  expect(listed?.old).toBeUndefined();
  expect(await database.apiKeys.rotate(id, { overlapMs: 60_000 })).toMatchObject({
    old: { hint: rotated.key.slice(0, 13) },
  });
  expect(await database.apiKeys.verify(key)).toBeUndefined();
});

test('D-35 of rotations at the same time one succeeds, so that no secret is lost unseen', async () => {
  const { id, key } = await issue();
  const rotations = await Promise.all(
    Array.from({ length: 4 }, () => database.apiKeys.rotate(id, { overlapMs: 60_000 })),
  );
  const rotated = rotations.filter((each) => typeof each === 'object');
  expect(rotations.filter((each) => each === 'hasOldSecret')).toHaveLength(3);
  for (const secret of [key, rotated[0]?.key ?? '']) {
    expect(await database.apiKeys.verify(secret)).toMatchObject({ id });
  }
});

test('D-20 the database contains neither secret of a rotated key, except for hints of four characters', async () => {
  const { id, key } = await issue();
  const rotated = await database.apiKeys.rotate(id, { overlapMs: 60_000 });
  if (typeof rotated !== 'object') throw new Error('The key was not rotated');
  const texts = await everyTextIn(database.knex);
  for (const secret of [key, rotated.key]) expect(texts).not.toContain(secret);
  const listed = (await database.apiKeys.list()).find((each) => each.id === id);
  expect([listed?.hint, listed?.old?.hint]).toEqual(
    [rotated.key, key].map((each) => each.slice(0, 13)),
  );
});

test('§5 rule 6: a scope that this version does not know grants nothing', async () => {
  const { id, key } = await issue();
  await database
    .knex('api_keys')
    .where({ id })
    .update({ scopes: ['mandates:sign', 'files:read'] });
  expect((await database.apiKeys.verify(key))?.scopes).toEqual(['files:read']);
});
