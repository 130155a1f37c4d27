import { expect, test, vi } from 'vitest';
import { killWorkers } from './kill-workers.js';

// What a killed worker was reading is taken over when it has been silent for 20 seconds.
vi.setConfig({ testTimeout: 180_000 });

test('§9 20 uploads while the worker is killed 2 times: every statement is listed once', async () => {
  await expect(killWorkers({ uploads: 20, kills: 2, customers: 4 })).resolves.toBeUndefined();
});
