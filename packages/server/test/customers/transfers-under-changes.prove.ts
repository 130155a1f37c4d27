import { expect, test } from 'vitest';
import { printResult } from '../../../../test/proofs/print-result.js';
import { transferUnderChanges } from './transfers-under-changes.js';

test('D-48 in 5,000 changes by 12 writers, transfers neither conflict nor lose anything', async () => {
  const report = await transferUnderChanges(5_000);
  printResult(report);
  expect(report.transfers).toBeGreaterThan(200);
  expect(report.conflicts).toBe(0);
});
