import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDeployment, type Deployment } from './support/deployment.js';
import { killDuringCreates } from './support/kill-during-creates.js';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment();
});
afterAll(() => deployment?.close());

it('§4.5, D-43 a customer is stored completely or not at all, even if the service is killed', async () => {
  const { confirmed } = await killDuringCreates(deployment, 1);
  expect(confirmed).toBeGreaterThan(0);
});
