import { expect, test } from 'vitest';
import { checkConsent } from './consent-model.js';

test('D-28, D-48, D-66 in a random order of events, no delivery is listed without a signature and, once another firm had its link, a confirmation; none is lost, and files stay with their firm', async () => {
  const tally = await checkConsent(7, 160);
  expect(tally['listed from deliveries']).toBeGreaterThan(5);
  expect(tally['gave way']).toBeGreaterThan(0);
  expect(tally['gave way whole']).toBeGreaterThan(0);
  expect(tally['transferred with files']).toBeGreaterThan(0);
});
