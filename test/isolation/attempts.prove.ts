import { expect, it } from 'vitest';
import { attempt, createWorld } from './attempts.js';
import { useTwoFirms } from './two-firms.js';

const firms = useTwoFirms();

it('D-57 nothing crosses in 10,000 attempts of all roles on all operations', async () => {
  const { leaks, changed, shown } = await attempt(await createWorld(firms), 10_000, 1);
  expect({ leaks, changed }).toEqual({ leaks: [], changed: [] });
  expect(shown).toBeGreaterThan(1000);
});
