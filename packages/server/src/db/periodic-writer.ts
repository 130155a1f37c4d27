import { setTimeout as sleep } from 'node:timers/promises';

/** How long the last write may take, in ms. */
const LAST_WRITE_MS = 3_000;

/** Starts a writer. One write runs at a time, and the timer does not keep the process alive. */
export function startPeriodicWriter(options: {
  /** Writes what is collected. If it throws, it keeps what it could not write for the next time. */
  readonly write: () => Promise<void>;
  /** The time between two writes, in ms. */
  readonly everyMs: number;
  /** Called after the first of several writes that fail in a row. */
  readonly onFailure: (error: unknown) => void;
  /** Called after the first write that succeeds again. */
  readonly onRecovery: () => void;
}) {
  const { write, everyMs, onFailure, onRecovery } = options;
  let isFailing = false;
  let writing: Promise<void> | undefined;

  async function tryWrite(): Promise<void> {
    try {
      await write();
      if (isFailing) onRecovery();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  }

  /** Waits for the write in progress, if there is one, instead of starting another. */
  function writeOnce(): Promise<void> {
    writing ??= tryWrite().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  const timer = setInterval(writeOnce, everyMs).unref();
  return {
    /** Writes what is left. Returns false if it failed, or takes longer than three seconds. */
    async stop(): Promise<boolean> {
      clearInterval(timer);
      const written = (writing ?? Promise.resolve()).then(writeOnce);
      await Promise.race([written, sleep(LAST_WRITE_MS, undefined, { ref: false })]);
      return !isFailing && writing === undefined;
    },
  };
}
