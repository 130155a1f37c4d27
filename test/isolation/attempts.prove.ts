import { afterAll, beforeAll, expect, it } from 'vitest';
import { attempt, createWorld, type World } from './attempts.js';
import { startTwoFirms } from './two-firms.js';

let world: World;
beforeAll(async () => {
  world = await createWorld(await startTwoFirms());
});
afterAll(() => world?.firms.service.close());

it('D-57 nothing crosses in 10,000 attempts of all roles on all operations', async () => {
  const { leaks, changed, shown } = await attempt(world, 10_000, 1);
  expect({ leaks, changed }).toEqual({ leaks: [], changed: [] });
  expect(shown).toBeGreaterThan(1000);
});
