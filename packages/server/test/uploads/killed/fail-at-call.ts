import type { ObjectStore } from '../../../src/storage/object-store.js';
import type { Uploads } from '../set-up-uploads.js';

/** A database and storage that fail from one of their calls on. */
interface FailingUploads extends Uploads {
  /** Returns true once they have failed. */
  hasFailed(): boolean;
}

/**
 * Simulates a process that is killed at the n-th call of the storage or transaction: before the
 * call, or after the call but before its result arrives. All later calls fail too.
 */
export function failAt(work: Uploads, call: number, moment: 'before' | 'after'): FailingUploads {
  let calls = 0;
  const attempt = async <Result>(step: () => Promise<Result>): Promise<Result> => {
    calls += 1;
    if (calls > call || (calls === call && moment === 'before')) throw new Error('killed');
    const result = await step();
    if (calls >= call) throw new Error('killed');
    return result;
  };
  const { store } = work.storage;
  const failingStore: ObjectStore = {
    put: (...parameters) => attempt(() => store.put(...parameters)),
    get: (...parameters) => attempt(() => store.get(...parameters)),
    find: (...parameters) => attempt(() => store.find(...parameters)),
    copy: (...parameters) => attempt(() => store.copy(...parameters)),
    remove: (...parameters) => attempt(() => store.remove(...parameters)),
    async *list(...parameters) {
      await attempt(async () => {});
      yield* store.list(...parameters);
    },
  };
  const knex = new Proxy(work.knex, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'transaction') return value;
      return (...parameters: Parameters<typeof target.transaction>) =>
        attempt(() => target.transaction(...parameters));
    },
  });
  return {
    ...work,
    knex,
    storage: { ...work.storage, store: failingStore },
    hasFailed: () => calls >= call,
  };
}
