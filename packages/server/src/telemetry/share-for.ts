/** Makes one call at a time: all share the one under way, and its outcome for `ms` after it. */
export function shareFor<Outcome>(
  ms: number,
  call: () => Promise<Outcome>,
): () => Promise<Outcome> {
  let last: Promise<Outcome> | undefined;
  /** The instant until which the outcome is shared, without end while a call is under way. */
  let sharedUntil = 0;
  return () => {
    if (last === undefined || performance.now() >= sharedUntil) {
      sharedUntil = Number.POSITIVE_INFINITY;
      last = call().finally(() => {
        sharedUntil = performance.now() + ms;
      });
    }
    return last;
  };
}
