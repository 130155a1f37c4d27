import type { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import { tooManyRequests } from './rate-limit.js';

/** Waits for something while other work takes the place; then the work waits for its turn. */
export type Pause = <Result>(wait: () => Promise<Result>) => Promise<Result>;

/**
 * Runs work when it is its turn, and never if the caller is gone before that.
 *
 * @param caller - the response, which is destroyed and emits `close` when the caller is gone
 * @throws ApiError `tooManyRequests`, and what the work throws
 */
export type ConcurrencyLimit = (
  key: string,
  caller: Pick<EventEmitter, 'once' | 'off'> & Pick<Writable, 'destroyed'>,
  work: (pause: Pause) => Promise<void>,
) => Promise<void>;

/** The work of a key. While any waits or resumes, `running` is at the share or above it. */
interface Lane {
  readonly key: string;
  running: number;
  paused: number;
  /** The timer that ends the key's share, unless work of it is running then. */
  quiet?: NodeJS.Timeout;
  /** The functions that continue paused work, oldest first. They come before work that waits. */
  readonly resuming: Set<() => void>;
  /** The functions that start waiting work, oldest first. */
  readonly waiting: Set<() => void>;
}

/** How much work of a key may wait. More is refused at once, to save memory. */
const LINE_LENGTH = 1_000;

/** The time that an idle key keeps its share, in ms, so that its next work need not wait. */
const LINGER_MS = 1_000;

/**
 * Limits the work of each key that runs at once in this process (D-39). A key that is alone has all
 * places. Several share half of them equally, and each has at least one. Further work of a key
 * waits in line, first come, first served. When another key comes, what is running goes on, and
 * nothing starts until there is less of it than the new share.
 *
 * @param options.places - for a key that is alone
 * @param options.waitMs - how long work may wait before it is refused
 * @param options.maximumPaused - how much work of a key may give up its place in a pause
 * @param options.check - throws if work of a key is refused; called before it waits, and when its
 *   turn comes
 */
export function createConcurrencyLimit(options: {
  readonly places: number;
  readonly waitMs?: number;
  readonly maximumPaused?: number;
  readonly check?: (key: string) => void;
}): ConcurrencyLimit {
  const { places, waitMs = 10_000, maximumPaused = 20, check = () => {} } = options;
  /** The lanes of the keys that have work, or had until a moment ago. */
  const lanes = new Map<string, Lane>();
  /** The lanes that share the places: work of theirs is running, or was until a moment ago. */
  const sharing = new Set<Lane>();
  /** Those in which work waits or resumes, or did until it gave up. */
  const queued = new Set<Lane>();

  const share = () =>
    sharing.size === 1 ? places : Math.max(1, Math.floor(places / 2 / sharing.size));

  function refusal() {
    const policy = { name: 'concurrent', quota: share(), unit: 'concurrent-requests' } as const;
    return tooManyRequests(policy, Math.ceil(waitMs / 1000));
  }

  /** Waits for a place. Returns false if the caller is gone. */
  function waitInLine(lane: Lane, caller: Parameters<ConcurrencyLimit>[1]) {
    const { waiting } = lane;
    return new Promise<boolean>((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        caller.off('close', giveUp);
        waiting.delete(start);
      };
      const start = () => {
        stopWaiting();
        resolve(true);
      };
      const giveUp = () => {
        stopWaiting();
        resolve(false);
      };
      const timer = setTimeout(() => {
        stopWaiting();
        reject(refusal());
      }, waitMs);
      caller.once('close', giveUp);
      waiting.add(start);
      queued.add(lane);
    });
  }

  function enter(lane: Lane): boolean {
    sharing.add(lane);
    if (lane.running >= share()) return false;
    lane.running += 1;
    return true;
  }

  function fill(lane: Lane): void {
    while (lane.running < share()) {
      const [next] = lane.resuming.size > 0 ? lane.resuming : lane.waiting;
      if (next === undefined) {
        queued.delete(lane);
        return;
      }
      lane.running += 1;
      next();
    }
  }

  function leave(lane: Lane): void {
    lane.running -= 1;
    fill(lane);
    if (lane.running > 0) return;
    // One timer for all calls of a busy key: to make one takes longer than to let it begin anew.
    lane.quiet = lane.quiet?.refresh() ?? setTimeout(endShare, LINGER_MS, lane).unref();
  }

  function endShare(lane: Lane): void {
    if (lane.running > 0) return;
    sharing.delete(lane);
    if (lane.paused === 0) lanes.delete(lane.key);
    for (const other of queued) fill(other);
  }

  async function pause<Result>(lane: Lane, wait: () => Promise<Result>) {
    if (lane.paused >= maximumPaused) return wait();
    lane.paused += 1;
    leave(lane);
    try {
      return await wait();
    } finally {
      if (!enter(lane)) {
        queued.add(lane);
        await resume(lane);
      }
      lane.paused -= 1;
    }
  }

  return async (key, caller, work) => {
    if (caller.destroyed) return;
    check(key);
    const lane = lanes.get(key) ?? createLane(key);
    lanes.set(key, lane);
    if (!enter(lane)) {
      if (lane.waiting.size >= LINE_LENGTH) throw refusal();
      if (!(await waitInLine(lane, caller))) return;
    }
    try {
      check(key);
      await work((wait) => pause(lane, wait));
    } finally {
      leave(lane);
    }
  };
}

function createLane(key: string): Lane {
  return { key, running: 0, paused: 0, resuming: new Set(), waiting: new Set() };
}

function resume({ resuming }: Lane): Promise<void> {
  return new Promise((resolve) => {
    const start = () => {
      resuming.delete(start);
      resolve();
    };
    resuming.add(start);
  });
}
