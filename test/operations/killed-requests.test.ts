// @module-tag long
import { expect, it } from 'vitest';
import { killDuringRequests } from './support/kill-during-requests.js';

it('§4.5, D-25 each customer gets one request with one link, even if the service is killed', async () => {
  const { confirmed, unconfirmed, messages } = await killDuringRequests(1);
  expect(confirmed).toBeGreaterThan(0);
  expect(messages).toBeGreaterThanOrEqual(confirmed + unconfirmed);
});
