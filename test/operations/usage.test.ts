import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { createDeployment, type Deployment } from './support/deployment.js';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment();
});
afterAll(() => deployment?.close());

it('D-41 a process that runs jobs deletes the counts of more than 400 days ago', async () => {
  const { knex, apiKeyId } = deployment;
  const count = { operation: 'listBanks', field: '', value: '', calls: 1 };
  const today = new Date().toISOString().slice(0, 10);
  await knex('api_usage').insert([
    { day: '2020-01-01', api_key_id: apiKeyId, ...count },
    { day: today, api_key_id: apiKeyId, ...count },
  ]);
  await deployment.start({ JOBS_CONCURRENCY: '1' });
  const days = await eventually(
    () => knex('api_usage').pluck('day'),
    ({ length }) => length < 2,
  );
  expect(days).toEqual([today]);
});
