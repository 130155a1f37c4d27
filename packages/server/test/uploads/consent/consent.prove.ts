import { expect, test } from 'vitest';
import { everyStatus } from '../../mandates/lifecycle-table.js';
import { checkConsent } from './consent-model.js';

const runs = 20;
/** The statuses of mandates during deliveries. */
const total = new Set<string>();
const first = Date.now() % 1_000_000;

test.each(Array.from({ length: runs }, (_, i) => first + i))(
  'D-28 1,000 events from seed %i: no delivery is listed without a signature, and none is lost',
  async (seed) => {
    const tally = await checkConsent(seed, 1_000);
    process.stdout.write(`${JSON.stringify({ seed, ...tally })}\n`);
    expect(tally['listed from deliveries']).toBeGreaterThan(20);
    expect(tally['transferred with files']).toBeGreaterThan(0);
    for (const status of everyStatus) total.add(tally[`delivered while ${status}`] ? status : '');
  },
);

test('D-28 the events above include deliveries for mandates in every status', () => {
  expect([...total].filter((status) => status !== '').sort()).toEqual([...everyStatus].sort());
});
