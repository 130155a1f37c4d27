import type { Caller, CallOptions } from '../call.js';
import { delayAfter } from '../delay-after.js';
import type { Page } from '../page.js';

/** The parts of an upload that identify it, and that tell whether all of it is there. */
export interface UploadState {
  readonly id: string;
  readonly prefix: string;
  /** Below the prefix. */
  readonly key: string;
  /** The ETag without quotation marks. */
  readonly etag: string;
  readonly status: string;
  /** ISO 8601 in UTC; absent until there is an outcome. */
  readonly settledOn?: string;
  readonly fileCount: number;
  readonly files: readonly unknown[];
  readonly findingCount: number;
  readonly findings: readonly unknown[];
}

/** An upload that has an outcome. */
export type Settled<State> = State & {
  readonly status: 'processed' | 'rejected';
  readonly settledOn: string;
};

/** The operations that return what became of uploads. */
export interface OutcomeSource<State> {
  /** Lists uploads, the latest first, with the first of their files and findings. */
  list(
    body: { status: ('processed' | 'rejected')[]; receivedSince: string; limit: number },
    options: CallOptions,
  ): Page<State>;
  get(id: string, options: CallOptions): Promise<State>;
}

/** An object that was put into the storage. */
interface StoredObject {
  readonly prefix: string;
  /** Its key below the prefix. */
  readonly name: string;
  /** The ETag in the response of the storage; null if a web page may not see it. */
  readonly etag: string | null;
  /** The earliest time at which the storage may have received it, in ms. */
  readonly since: number;
}

/** How long `outcome` waits by default, in ms. */
const defaultWait = 10 * 60_000;

/** The pause before the first poll, and the longest one between two polls, in ms. */
const firstPause = 2_000;
const longestPause = 30_000;

/**
 * Waits for the outcome of an upload, and returns it with all files and findings that `get` shows.
 */
export function outcomeOf<State extends UploadState>(
  caller: Caller,
  source: OutcomeSource<State>,
  object: StoredObject,
  { signal, timeoutMs = defaultWait }: CallOptions = {},
): Promise<Settled<State>> {
  return caller.within(
    'listUploads',
    async (deadline) => {
      for (;;) {
        const found = await watchOf(caller, source).waitFor(object, deadline);
        if (isWhole(found)) return found;
        try {
          const whole = await source.get(found.id, { signal: deadline });
          // Without an outcome, the service reads it again.
          if (isSettled(whole)) return whole;
        } catch (error) {
          await caller.wait(delayAfter(caller.errors, error), deadline);
        }
      }
    },
    { signal, timeoutMs },
  );
}

interface Watch<State> {
  /**
   * Resolves when the upload has an outcome. Rejects when the signal aborts, or a poll is refused.
   */
  waitFor(object: StoredObject, signal: AbortSignal): Promise<Settled<State>>;
}

/** The watches by client, so that all uploads that wait share the polls. */
const watches = new WeakMap<Caller, Watch<unknown>>();

function watchOf<State extends UploadState>(
  caller: Caller,
  source: OutcomeSource<State>,
): Watch<State> {
  const watch = watches.get(caller) ?? createWatch(caller, source);
  watches.set(caller, watch);
  return watch as Watch<State>;
}

/** An upload that somebody waits for. */
interface Waiting<State> {
  readonly object: StoredObject;
  resolve(outcome: Settled<State>): void;
  reject(error: unknown): void;
}

function createWatch<State extends UploadState>(
  caller: Caller,
  source: OutcomeSource<State>,
): Watch<State> {
  const waiting = new Set<Waiting<State>>();
  let pause = firstPause;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next poll is due; infinite if none is. */
  let dueOn = Number.POSITIVE_INFINITY;
  /** The time before which the service wants no further call. */
  let notBefore = 0;
  /** The poll that is under way. */
  let polling: AbortController | undefined;

  function stop(): void {
    clearTimeout(timer);
    dueOn = Number.POSITIVE_INFINITY;
    polling?.abort();
  }

  /** Polls after some time, or earlier if a poll is due earlier. */
  function pollAfter(milliseconds: number): void {
    const now = Date.now();
    const on = Math.max(now + milliseconds, notBefore);
    if (polling || on >= dueOn) return;
    clearTimeout(timer);
    dueOn = on;
    timer = setTimeout(poll, on - now);
  }

  async function poll(): Promise<void> {
    dueOn = Number.POSITIVE_INFINITY;
    const controller = new AbortController();
    polling = controller;
    try {
      await settle(controller.signal);
    } catch (error) {
      try {
        if (!controller.signal.aborted) notBefore = Date.now() + delayAfter(caller.errors, error);
      } catch {
        for (const each of waiting) each.reject(error);
        waiting.clear();
      }
    }
    polling = undefined;
    if (waiting.size === 0) return;
    pollAfter(pause);
    pause = Math.min(pause * 1.5, longestPause);
  }

  async function settle(signal: AbortSignal): Promise<void> {
    const since = Math.min(...Array.from(waiting, ({ object }) => object.since));
    const receivedSince = new Date(since).toISOString();
    const found = new Map<Waiting<State>, Settled<State>>();
    const status: ('processed' | 'rejected')[] = ['processed', 'rejected'];
    for await (const outcome of source.list({ status, receivedSince, limit: 200 }, { signal })) {
      // If an attempt was repeated whose response was lost, the same file may have been read twice.
      // Its first outcome says what was listed.
      for (const each of waiting) {
        if (!isSettled(outcome) || !isOf(each.object, outcome)) continue;
        const other = found.get(each);
        if (!(other && isBefore(other, outcome))) found.set(each, outcome);
      }
    }
    for (const [each, outcome] of found) {
      waiting.delete(each);
      each.resolve(outcome);
    }
  }

  return {
    async waitFor(object, signal) {
      const { promise, ...ends } = deferred<Settled<State>>();
      const each = { object, ...ends };
      const leave = () => {
        waiting.delete(each);
        each.reject(signal.reason);
        if (waiting.size === 0) stop();
      };
      signal.throwIfAborted();
      signal.addEventListener('abort', leave);
      waiting.add(each);
      pause = firstPause;
      pollAfter(pause);
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

function isOf({ prefix, name, etag }: StoredObject, state: UploadState): boolean {
  return (
    state.prefix === prefix &&
    state.key === name &&
    (etag === null || etag.replaceAll('"', '') === state.etag)
  );
}

function isSettled<State extends UploadState>(state: State): state is Settled<State> {
  return state.settledOn !== undefined;
}

/** Returns true if none of its files and findings is left out. */
function isWhole({ files, fileCount, findings, findingCount }: UploadState): boolean {
  return files.length === fileCount && findings.length === findingCount;
}

function isBefore(one: Settled<UploadState>, other: Settled<UploadState>): boolean {
  return one.settledOn < other.settledOn;
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}
