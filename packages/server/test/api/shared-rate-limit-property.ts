import fc from 'fast-check';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { createSharedRateLimit } from '../../src/api/shared-rate-limit.js';

/** Calls of one process, all at once. */
interface Burst {
  readonly process: number;
  readonly calls: number;
}

const limits = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 61, max: 1500 }));
const processes = fc.integer({ min: 1, max: 4 });
const burst = fc.record({ process: fc.nat(3), calls: fc.integer({ min: 1, max: 400 }) });
const bursts = fc.array(burst, { minLength: 1, maxLength: 5 });
const windows = fc.array(fc.array(bursts, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 3,
});

/** The window is so long that it does not end during the test, which ends windows itself. */
const windowSeconds = 1_000_000_000;

let callers = 0;

/**
 * Checks for random bursts of calls of one to four processes that a window never has more calls
 * than the limit, that a process refuses a call only when all but the shares of the others is used
 * up, and that refusals do not write.
 */
export async function checkSharedLimit(knex: Knex, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(limits, processes, windows, async (limit, count, all) => {
    callers += 1;
    const caller = `caller ${callers}`;
    let clock = 0;
    const options = { knex, limit, windowSeconds, monotonicMs: () => clock };
    const running = Array.from({ length: count }, () => createSharedRateLimit(options));
    const share = Math.ceil(limit / 40);
    const reachable = limit - (count - 1) * (share - 1);
    for (const steps of all) {
      let granted = 0;
      const draws = await countDraws(knex, async () => {
        for (const step of steps) {
          const calls = callsOf(step).map((process) => running[process % count]?.(caller));
          const states = await Promise.all(calls);
          const allowed = states.filter((state) => state?.isAllowed);
          granted += allowed.length;
          expect(granted).toBeLessThanOrEqual(limit);
          if (allowed.length < states.length) expect(granted).toBeGreaterThanOrEqual(reachable);
          const left = states.map((state) => state?.remaining ?? Number.NaN);
          expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
          expect(Math.max(...left)).toBeLessThan(limit);
        }
      });
      expect(draws).toBeLessThanOrEqual(Math.ceil(limit / share) + count);
      await knex('rate_limit_windows').where({ caller }).decrement('number');
      clock += 2 * windowSeconds * 1000;
    }
  });
  await fc.assert(property, { numRuns });
}

/** Returns the process of each call. */
function callsOf(step: readonly Burst[]): number[] {
  return step.flatMap(({ process, calls }) => Array.from({ length: calls }, () => process));
}

/** Returns the number of shares that processes asked for during the work. */
export async function countDraws(knex: Knex, work: () => Promise<unknown>): Promise<number> {
  let draws = 0;
  const listen = ({ sql }: { sql: string }) => {
    if (sql.includes('insert into rate_limit_windows')) draws += 1;
  };
  knex.on('query', listen);
  await work();
  knex.off('query', listen);
  return draws;
}
