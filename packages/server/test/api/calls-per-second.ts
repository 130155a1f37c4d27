import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { createSharedRateLimit } from '../../src/api/shared-rate-limit.js';

/**
 * Calls as fast as possible in four processes with windows of a second, and returns the number of
 * calls that were allowed in each. The database is on this machine, so both have the same clock.
 */
export async function callsPerSecond(
  knex: Knex,
  { limit, seconds }: { limit: number; seconds: number },
): Promise<number[]> {
  const allowed = new Map<number, number>();
  const until = Date.now() + seconds * 1000;
  const callOn = async () => {
    const rateLimit = createSharedRateLimit({ knex, limit, windowSeconds: 1 });
    while (Date.now() < until) {
      const { isAllowed } = await rateLimit('caller');
      const second = Math.floor(Date.now() / 1000);
      if (isAllowed) allowed.set(second, (allowed.get(second) ?? 0) + 1);
      await setImmediate();
    }
  };
  await Promise.all([callOn(), callOn(), callOn(), callOn()]);
  return [...allowed.values()];
}
