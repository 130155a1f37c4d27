import { expect, test } from 'vitest';
import { checkConcurrentRenewals } from './concurrent-renewals.js';

test('D-24 100 renewals survive answers, reminders, address changes, requests and their end at the same time', async () => {
  await expect(checkConcurrentRenewals(100)).resolves.toBeUndefined();
});
