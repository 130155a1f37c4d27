/**
 * A second signal ends the process at once if it arrives this long after the first, in ms. An earlier
 * one repeats the first: Ctrl+C in a terminal reaches the process both directly and through npm.
 */
const FORCED_STOP_AFTER_MS = 1_000;

/** Resolves when the process gets a signal to stop. After this call, signals no longer end the process. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = () => {
      firstAt ??= performance.now();
      resolve();
      if (performance.now() - firstAt > FORCED_STOP_AFTER_MS) process.exit(1);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}
