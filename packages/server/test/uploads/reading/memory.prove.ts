import { expect, test } from 'vitest';
import { printResult } from '../../../../../test/proofs/print-result.js';
import { peakOfPrinting, peakOfReading } from './worker-memory.js';

test.runIf(process.platform === 'linux').each([
  ['reads four uploads of 25 MiB at once', 512, () => peakOfReading(25)],
  ['prints eight of the longest statements, one after the other', 370, peakOfPrinting],
] as const)('D-38 a worker that %s stays below %i MiB', async (_, most, peakOf) => {
  const peak = await peakOf();
  printResult(`${Math.round(peak)} MiB`);
  expect(peak).toBeLessThan(most);
});
