import { expect, test } from 'vitest';
import { printResult } from '../../../../../test/proofs/print-result.js';
import { everyStatus } from '../../mandates/lifecycle-table.js';
import { checkSenders } from '../deliveries/random-deliveries.js';
import { checkConsent, type Tally } from './consent-model.js';

const runs = 20;
const total: Tally = {};
const first = Date.now() % 1_000_000;

test.each(Array.from({ length: runs }, (_, i) => first + i))(
  'D-28, D-66 1,000 events from seed %i: no delivery is listed without a signature and, once another firm had its link, a confirmation; none is lost',
  async (seed) => {
    const tally = await checkConsent(seed, 1_000);
    for (const [name, count] of Object.entries(tally)) total[name] = (total[name] ?? 0) + count;
    expect(tally['listed from deliveries']).toBeGreaterThan(0);
    expect(tally['transferred with files']).toBeGreaterThan(0);
  },
);

test('D-28 the events above include many listed deliveries, and deliveries for mandates in every status', () => {
  const events = Object.entries(total).filter(([name]) => !name.startsWith('delivered while'));
  printResult(Object.fromEntries(events));
  expect(total['listed from deliveries']).toBeGreaterThan(20 * runs);
  const delivered = everyStatus.filter((status) => total[`delivered while ${status}`]);
  expect(delivered).toEqual(everyStatus);
});

test('D-66 of 5,000 files from random senders, nothing is listed or held for an account or employer that its sender does not serve', async () => {
  const sum = { listed: 0, held: 0, refused: 0 };
  for (let seed = first; seed < first + 10; seed += 1) {
    const tally = await checkSenders(seed, 500);
    for (const name of ['listed', 'held', 'refused'] as const) sum[name] += tally[name];
  }
  printResult(sum);
  expect(Math.min(sum.listed, sum.held, sum.refused)).toBeGreaterThan(1_000);
});
