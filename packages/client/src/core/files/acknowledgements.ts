/** The maximum number of ids in a call (D-49). */
const mostAtOnce = 500;

/** The time in ms after which notes are sent at the latest. */
const longestWait = 1_000;

/** The acknowledgements of a loop. They are sent in groups, one call after the other. */
interface Acknowledgements {
  /** @throws {Error} if the loop has ended */
  note(fileId: string): void;
  /** Throws the error of a call that failed. */
  check(): void;
  /** Sends all notes. Rejects with the error of a call that failed. */
  end(): Promise<void>;
}

/** @param send acknowledges files; after it has failed once, nothing is sent any more */
export function acknowledgementsOf(
  send: (fileIds: string[]) => Promise<unknown>,
): Acknowledgements {
  const known = new Set<string>();
  let noted: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sent = Promise.resolve();
  let failure: { error: unknown } | undefined;
  let hasEnded = false;

  function sendNoted(): void {
    clearTimeout(timer);
    timer = undefined;
    if (noted.length === 0) return;
    const fileIds = noted;
    noted = [];
    sent = sent.then(async () => {
      if (failure) return;
      await send(fileIds).catch((error: unknown) => {
        failure = { error };
      });
    });
  }

  function check(): void {
    if (failure) throw failure.error;
  }

  return {
    note(fileId) {
      if (hasEnded) throw new Error('acknowledge was called after the loop; use acknowledgeMany');
      if (known.has(fileId)) return;
      known.add(fileId);
      noted.push(fileId);
      timer ??= setTimeout(sendNoted, longestWait);
      if (noted.length === mostAtOnce) sendNoted();
    },

    check,

    async end() {
      hasEnded = true;
      sendNoted();
      await sent;
      check();
    },
  };
}
