/**
 * A second signal ends the process at once if it arrives this long after the first, in ms. An
 * earlier one repeats the first: Ctrl+C in a terminal reaches the process both directly and through
 * npm.
 */
const FORCED_STOP_AFTER_MS = 1_000;

/** The signals that stop a process. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
export type StopSignal = (typeof stopSignals)[number];

/** Resolves with the first signal to stop. After this call, signals no longer end the process. */
export function stopRequested(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: StopSignal) => {
      firstAt ??= performance.now();
      resolve(signal);
      if (performance.now() - firstAt > FORCED_STOP_AFTER_MS) process.exit(1);
    };
    for (const signal of stopSignals) process.on(signal, () => onSignal(signal));
  });
}
