import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDeployment, type Deployment } from './support/deployment.js';
import { killDuringCreates } from './support/kill-during-creates.js';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment();
});
afterAll(() => deployment?.close());

it('§4.5, D-43 a customer is stored completely or not at all, even if the service is killed 100 times', async () => {
  const { confirmed, absent } = await killDuringCreates(deployment, 100);
  expect(confirmed).toBeGreaterThan(100);
  // Otherwise no kill has interrupted a create.
  expect(absent).toBeGreaterThan(0);
});
