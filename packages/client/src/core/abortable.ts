/** The longest delay of a timer, in ms. With a longer one it would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** @throws {TypeError} if a timeout is not a positive number of ms */
export function checkTimeout(milliseconds: number): void {
  if (!(milliseconds > 0)) throw new TypeError('timeoutMs must be positive');
}

/** Waits, for 24 days at most. Rejects when the signal aborts. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const timeUp = new Error();
  await withDeadline(
    () => new Promise(() => {}),
    milliseconds,
    () => timeUp,
    signal,
  ).catch((error: unknown) => {
    if (error !== timeUp) throw error;
  });
}

/**
 * Runs a function with a signal that aborts when the caller's signal does or when the time is up,
 * and then rejects with the reason. The work of the function continues.
 *
 * Its listeners and its timer are removed afterwards. Those of `AbortSignal.any` and
 * `AbortSignal.timeout` would accumulate on a long-lived signal.
 */
export async function withDeadline<T>(
  run: (signal: AbortSignal) => Promise<T>,
  milliseconds: number,
  timeUp: () => Error,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  const deadline = new AbortController();
  const abort = () => deadline.abort(signal?.reason);
  const timer = setTimeout(() => deadline.abort(timeUp()), Math.min(milliseconds, longestTimer));
  signal?.addEventListener('abort', abort);
  try {
    return await new Promise((resolve, reject) => {
      deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason));
      run(deadline.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
