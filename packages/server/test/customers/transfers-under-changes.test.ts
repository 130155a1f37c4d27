import { expect, test } from 'vitest';
import { transferUnderChanges } from './transfers-under-changes.js';

test('D-48 transfers in both directions and other changes of both firms neither conflict nor lose anything', async () => {
  const { transfers, conflicts } = await transferUnderChanges(150);
  expect(transfers).toBeGreaterThan(5);
  expect(conflicts).toBe(0);
});
