/** Returns a keyed mutex: work with the same key runs one at a time. */
export function createTurns() {
  /** The last work of each key that has not ended. */
  const pending = new Map<string, Promise<unknown>>();
  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const previous = pending.get(key) ?? Promise.resolve();
    const next = previous.catch(() => {}).then(work);
    pending.set(key, next);
    const remove = () => {
      if (pending.get(key) === next) pending.delete(key);
    };
    next.then(remove, remove);
    return next;
  };
}
