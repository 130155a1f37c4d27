import { expect, test } from 'vitest';
import { printResult } from '../../../../../test/proofs/print-result.js';
import { peakOfWorker } from './worker-memory.js';

test.runIf(process.platform === 'linux')(
  'D-38 a worker that reads four uploads of 25 MiB at once stays below 512 MiB',
  async () => {
    const peak = await peakOfWorker(25);
    printResult(`${Math.round(peak)} MiB`);
    expect(peak).toBeLessThan(512);
  },
);
