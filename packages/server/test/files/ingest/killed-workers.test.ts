import { expect, test, vi } from 'vitest';
import { killWorkers } from './kill-workers.js';

// What a killed worker was reading is taken over when it has been silent for 20 seconds.
vi.setConfig({ testTimeout: 180_000 });

test('§9 40 uploads while the worker is killed 4 times: every statement is listed once', async () => {
  await expect(killWorkers({ uploads: 40, kills: 4, customers: 8 })).resolves.toBeUndefined();
});
