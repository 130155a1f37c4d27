import { expect, test } from 'vitest';
import { checkConsent } from './consent-model.js';

test('D-28 in a random order of events, no delivery is listed without a signature, and none is lost', async () => {
  const tally = await checkConsent(7, 150);
  expect(tally['listed from deliveries']).toBeGreaterThan(5);
});
