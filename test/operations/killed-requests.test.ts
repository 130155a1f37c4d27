import { expect, it } from 'vitest';
import { killDuringRequests } from './support/kill-during-requests.js';

it('§4.5, D-25 a request is sent for each customer, with one link, when the service is killed twice', async () => {
  const { confirmed, unheard, messages } = await killDuringRequests(2);
  expect(confirmed).toBeGreaterThan(0);
  expect(messages).toBeGreaterThanOrEqual(confirmed + unheard);
});
