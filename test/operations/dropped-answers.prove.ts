import { expect, it } from 'vitest';
import { printResult } from '../proofs/print-result.js';
import { dropAnswers } from './support/drop-answers.js';

it('D-43 of 1,000 calls whose first answer is lost, each takes effect once and succeeds', async () => {
  const report = await dropAnswers(1000);
  printResult(report);
  expect(report).toMatchObject({ calls: 1000, notOnce: 0, errors: [] });
  expect(Math.min(report.afterRequest, report.withinAnswer)).toBeGreaterThan(100);
});
