import { expect, test } from 'vitest';
import { killWorkers } from './kill-workers.js';

test('§9 1,000 uploads while the worker is killed 50 times: every statement is listed once', async () => {
  const killing = { uploads: 1_000, kills: 50, customers: 100 };
  await expect(killWorkers(killing)).resolves.toBeUndefined();
});
