import { vi } from 'vitest';

/** A running wait, and a function that ends it. */
export interface HeldWait {
  milliseconds: number;
  end: () => void;
}

/**
 * Records all waits of more than half a minute from now on, so that a test can check and end them.
 * `vi.restoreAllMocks()` undoes it.
 */
export function holdLongWaits(): HeldWait[] {
  const held: HeldWait[] = [];
  const setTimer = globalThis.setTimeout;
  const record = (end: () => void, milliseconds = 0) => {
    // A call without a timeout waits for the sign-in with the longest possible timer.
    if (milliseconds > 30_000 && milliseconds < 2 ** 31 - 1) held.push({ milliseconds, end });
    return setTimer(end, milliseconds);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(record as typeof setTimeout);
  return held;
}
