import { expect, it } from 'vitest';
import { printResult } from '../proofs/print-result.js';
import { killDuringRequests } from './support/kill-during-requests.js';

it('§4.5, D-25 each customer gets one request with one link, even if the service is killed 200 times', async () => {
  const report = await killDuringRequests(200);
  printResult(report);
  expect(report.confirmed).toBeGreaterThan(200);
  // Otherwise no kill has interrupted a create, and none has interrupted the sending of a message.
  expect(report.absent).toBeGreaterThan(0);
  expect(report.repeated).toBeGreaterThan(0);
});
