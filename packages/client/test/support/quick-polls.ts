import { vi } from 'vitest';

/** The timeout of calls in tests that use `quickPolls`, longer than each pause between polls. */
export const callTimeoutMs = 40_000;

/**
 * Ends the pauses between polls for outcomes at once from now on, and records them in milliseconds.
 * `vi.restoreAllMocks()` undoes it.
 */
export function quickPolls(): number[] {
  const pauses: number[] = [];
  const setTimer = globalThis.setTimeout;
  // `fetch` sets timers with further arguments.
  const quick = (end: () => void, milliseconds = 0, ...further: []) => {
    const isPause = milliseconds > 1_000 && milliseconds <= 30_000 && further.length === 0;
    if (isPause) pauses.push(milliseconds);
    return setTimer(end, isPause ? 0 : milliseconds, ...further);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(quick as typeof setTimeout);
  return pauses;
}
