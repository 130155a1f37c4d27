import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { createDeployment } from './support/deployment.js';

/** Long enough for every work that is repeated within seconds. */
const idleMs = 15_000;

test('D-67 a service and a worker without work send at most five statements a second together', async () => {
  const { databaseUrl, knex, startHere, startWorker, close } = await createDeployment();
  onTestFinished(close);
  const proxy = await openDatabaseProxy(databaseUrl);
  onTestFinished(() => proxy.close());
  await startHere({ DATABASE_URL: proxy.url });
  await startWorker({ DATABASE_URL: proxy.url });
  await eventually(async () => (await knex('job_workers')).length > 0);
  // Until the work of the start is done.
  await eventually(async () => proxy.statements().some((each) => each.includes('rate_limit')));
  await sleep(2_000);
  const before = proxy.statements().length;
  await sleep(idleMs);
  const sent = proxy.statements().slice(before);
  const shown = sent.toSorted().join('\n');
  expect(sent.length / (idleMs / 1_000), shown).toBeLessThanOrEqual(5);
});
