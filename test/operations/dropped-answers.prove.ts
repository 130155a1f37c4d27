import { expect, it } from 'vitest';
import { dropAnswers } from './support/drop-answers.js';

it('D-43 of 1,000 calls whose first answer is lost, each takes effect once and succeeds', async () => {
  const report = await dropAnswers(1000);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  expect(report).toMatchObject({ calls: 1000, notOnce: 0, errors: [] });
  expect(Math.min(report.afterRequest, report.withinAnswer)).toBeGreaterThan(100);
});
