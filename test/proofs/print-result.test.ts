import { expect, test } from 'vitest';
import { printResult } from './print-result.js';

test('docs: the result of a proof is a line in words', ({ task }) => {
  printResult({ kills: 100, notOnce: 0, errors: [], listed: { before: 3, after: 4 } });
  printResult('service: 194, 198, 202 MiB');
  expect(task.meta.results).toEqual([
    'kills 100, not once 0, errors none, listed (before 3, after 4)',
    'service: 194, 198, 202 MiB',
  ]);
});
