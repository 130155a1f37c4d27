import { test } from 'vitest';
import { printResult } from '../../../../../test/proofs/print-result.js';
import { killWorkers } from './kill-workers.js';

test('§9 1,000 uploads while the worker is killed 50 times: every statement is listed once', async () => {
  printResult({
    'PDFs given up': await killWorkers({
      uploads: 1_000,
      kills: 50,
      customers: 100,
      longCount: 130,
    }),
  });
});
