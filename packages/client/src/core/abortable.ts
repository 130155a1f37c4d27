/** The longest time a timer can take; beyond it, it would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** Stops waiting for `promise` when `signal` aborts. What the promise stands for goes on. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    promise.then(resolve, reject).then(() => signal?.removeEventListener('abort', abort));
  });
}

/** Waits, but not longer than until `signal` aborts, and at most 24 days. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, longestTimer));
  });
  return abortable(time, signal).finally(() => clearTimeout(timer));
}

/**
 * Runs something with a signal that aborts when the caller's does or when time is up. Listeners and
 * timer go with it: `AbortSignal.any` and `AbortSignal.timeout` would pile up on a long-lived signal.
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
    return await abortable(run(deadline.signal), deadline.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
