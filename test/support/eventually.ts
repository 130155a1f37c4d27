import { setTimeout as wait } from 'node:timers/promises';
import { waitLimitMs } from './wait-limit.js';

/** Repeats a check until it passes. Throws its last error when the wait limit is over. */
export async function eventually<Result>(
  attempt: () => Promise<Result>,
  holds: (result: Result) => boolean = Boolean,
): Promise<Result> {
  const end = Date.now() + waitLimitMs;
  for (;;) {
    try {
      const result = await attempt();
      if (holds(result)) return result;
      if (Date.now() > end) throw new Error(`It is still ${JSON.stringify(result)}`);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await wait(25);
  }
}
