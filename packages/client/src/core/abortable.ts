/** The longest delay of a timer, in ms. With a longer one it would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** Rejects when the signal aborts. The work behind the promise continues. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    promise.then(resolve, reject).then(() => signal?.removeEventListener('abort', abort));
  });
}

/** Waits, for 24 days at most. Rejects when the signal aborts. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, longestTimer));
  });
  return abortable(time, signal).finally(() => clearTimeout(timer));
}

/** @throws {TypeError} if a timeout is not a positive number of ms */
export function checkTimeout(milliseconds: number): void {
  if (!(milliseconds > 0)) throw new TypeError('timeoutMs must be positive');
}

/**
 * Runs a function with a signal that aborts when the caller's signal does or when the time is up.
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
  checkTimeout(milliseconds);
  signal?.throwIfAborted();
  const deadline = new AbortController();
  const abort = () => deadline.abort(signal?.reason);
  const timer = setTimeout(() => deadline.abort(timeUp()), Math.min(milliseconds, longestTimer));
  signal?.addEventListener('abort', abort);
  try {
    return await abortable(run(deadline.signal), deadline.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
