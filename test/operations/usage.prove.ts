import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { useDeployment } from './support/deployment.js';

const deployment = useDeployment();

it('D-41 a process that is killed loses no calls that are older than a minute', async () => {
  const { knex, call } = deployment;
  const process = await deployment.start();
  const { idToken } = await deployment.signIn(process);
  const counted = () => knex('api_usage').where({ operation: 'helloWorld' }).pluck('calls');
  const started = performance.now();
  let calls = 0;
  await eventually(async () => {
    expect((await call(process, '/hello-world', { idToken })).status).toBe(200);
    calls += 1;
    return (await counted()).length > 0;
  });
  // A few seconds, because the machine may be busy.
  expect(performance.now() - started).toBeLessThan(65_000);
  const before = await counted();
  expect(before[0]).toBeGreaterThan(calls / 2);
  await call(process, '/hello-world', { idToken });
  process.kill('SIGKILL');
  await process.exited;
  expect(await counted()).toEqual(before);
});
