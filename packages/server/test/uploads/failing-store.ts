import type { ObjectStore } from '../../src/storage/object-store.js';

/** A storage that breaks down at one of its calls. */
export interface FailingStore extends ObjectStore {
  /** Whether it has broken down. */
  readonly hasFailed: boolean;
}

/**
 * A storage that breaks down at its n-th call, as seen by a process that is killed there: before the
 * call is made, or when it was made and nobody heard of it. Every later call fails too.
 */
export function failAt(store: ObjectStore, call: number, moment: 'before' | 'after'): FailingStore {
  let calls = 0;
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    calls += 1;
    if (calls > call || (calls === call && moment === 'before')) throw new Error('killed');
    const result = await work();
    if (calls >= call) throw new Error('killed');
    return result;
  };
  return {
    get hasFailed() {
      return calls >= call;
    },
    put: (...parameters) => attempt(() => store.put(...parameters)),
    get: (...parameters) => attempt(() => store.get(...parameters)),
    head: (...parameters) => attempt(() => store.head(...parameters)),
    copy: (...parameters) => attempt(() => store.copy(...parameters)),
    remove: (...parameters) => attempt(() => store.remove(...parameters)),
    async *list(...parameters) {
      await attempt(async () => {});
      yield* store.list(...parameters);
    },
  };
}
