import { vi } from 'vitest';

/** A wait that is under way, and how to end it. */
export interface HeldWait {
  milliseconds: number;
  end: () => void;
}

/**
 * Remembers the waits of more than half a minute that begin from now on, so that a test can see how
 * long they are, and need not sit them out. To be undone by `vi.restoreAllMocks()`.
 */
export function holdLongWaits(): HeldWait[] {
  const held: HeldWait[] = [];
  const setTimer = globalThis.setTimeout;
  const remember = (end: () => void, milliseconds = 0) => {
    // Without a limit of its own, a call waits for the sign-in as long as a timer can.
    if (milliseconds > 30_000 && milliseconds < 2 ** 31 - 1) held.push({ milliseconds, end });
    return setTimer(end, milliseconds);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(remember as typeof setTimeout);
  return held;
}
