import { expect, test } from 'vitest';
import { killWorkers } from './kill-workers.js';

test('§9 12 uploads while the worker is killed 2 times: every statement is listed once', async () => {
  expect(await killWorkers({ uploads: 12, kills: 2, customers: 4, longCount: 51 })).toBe(0);
});
