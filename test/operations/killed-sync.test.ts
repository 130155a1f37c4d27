// @module-tag long
import { expect, it } from 'vitest';
import { killNightlySync } from './support/kill-nightly-sync.js';

it('D-50 the nightly program of the README loses no file and saves none twice when it is killed', async () => {
  // Otherwise no kill has interrupted the work.
  expect(await killNightlySync(2)).toBeGreaterThan(0);
});
