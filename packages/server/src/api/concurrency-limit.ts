import type { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import { tooManyRequests } from './rate-limit.js';

/** Waits for something while other work takes the place. Afterwards the work goes on when it is its turn. */
export type Pause = <Result>(wait: () => Promise<Result>) => Promise<Result>;

/**
 * Runs work when it is its turn. If the caller is gone before that, the work never runs.
 *
 * @param caller - the response, which is destroyed and emits `close` when the caller is gone
 * @throws ApiError `tooManyRequests`, and what the work throws
 */
export type ConcurrencyLimit = (
  key: string,
  caller: Pick<EventEmitter, 'once' | 'off'> & Pick<Writable, 'destroyed'>,
  work: (pause: Pause) => Promise<void>,
) => Promise<void>;

/** The work of a key. While any waits or resumes, `running` is at the limit or above it. */
interface Lane {
  running: number;
  paused: number;
  /** Set while there is no work: the timer that ends the lane. */
  ending?: NodeJS.Timeout | undefined;
  /** The functions that continue paused work, oldest first. They come before work that waits. */
  readonly resuming: Set<() => void>;
  /** The functions that start waiting work, oldest first. */
  readonly waiting: Set<() => void>;
}

/** How much work of a key may wait. More is refused at once, to save memory. */
const LINE_LENGTH = 1_000;

/** How long a key without work keeps its share, in ms, so that regular calls find it free. */
const LINGER_MS = 1_000;

/**
 * Limits the work that runs at once in this process: the keys share the places equally, and each has at
 * least one (D-39). Further work of a key waits in line, first come, first served. It never waits for work
 * of other keys.
 *
 * @param options.places - the work that runs at once for a key that is alone
 * @param options.lingerMs - how long a key without work keeps its share
 * @param options.waitMs - how long work may wait before it is refused
 * @param options.maximumPaused - how much work of a key may give up its place in a pause; more keeps it
 */
export function createConcurrencyLimit(options: {
  readonly places: number;
  readonly lingerMs?: number;
  readonly waitMs?: number;
  readonly maximumPaused?: number;
}): ConcurrencyLimit {
  const { places, lingerMs = LINGER_MS, waitMs = 10_000, maximumPaused = 20 } = options;
  const lanes = new Map<string, Lane>();

  /** The work that may run at once for each key. */
  const share = () => Math.max(1, Math.floor(places / lanes.size));

  function refusal() {
    const policy = { name: 'concurrent', quota: share(), unit: 'concurrent-requests' } as const;
    return tooManyRequests(policy, Math.ceil(waitMs / 1000));
  }

  /** Waits for a place. Returns false if the caller is gone. */
  function waitInLine({ waiting }: Lane, caller: Parameters<ConcurrencyLimit>[1]) {
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
    });
  }

  /** Starts work in line while there are places for it. */
  function fill(lane: Lane): void {
    while (lane.running < share()) {
      const [next] = lane.resuming.size > 0 ? lane.resuming : lane.waiting;
      if (next === undefined) return;
      lane.running += 1;
      next();
    }
  }

  function leave(lane: Lane): void {
    lane.running -= 1;
    fill(lane);
  }

  function beginLane(key: string): Lane {
    const lane = lanes.get(key) ?? createLane();
    clearTimeout(lane.ending);
    lanes.set(key, lane);
    return lane;
  }

  /** Ends the lane of a key some time after its last work. Then the others have larger shares. */
  function endLane(key: string, lane: Lane): void {
    if (lane.running > 0 || lane.paused > 0) return;
    lane.ending = setTimeout(() => {
      lanes.delete(key);
      for (const other of lanes.values()) fill(other);
    }, lingerMs).unref();
  }

  async function pause<Result>(lane: Lane, wait: () => Promise<Result>): Promise<Result> {
    if (lane.paused >= maximumPaused) return wait();
    lane.paused += 1;
    leave(lane);
    try {
      return await wait();
    } finally {
      if (lane.running < share()) lane.running += 1;
      else await resume(lane);
      lane.paused -= 1;
    }
  }

  return async (key, caller, work) => {
    if (caller.destroyed) return;
    const lane = beginLane(key);
    if (lane.running < share()) lane.running += 1;
    else if (lane.waiting.size >= LINE_LENGTH) throw refusal();
    else if (!(await waitInLine(lane, caller))) return;
    try {
      await work((wait) => pause(lane, wait));
    } finally {
      leave(lane);
      endLane(key, lane);
    }
  };
}

function createLane(): Lane {
  return { running: 0, paused: 0, resuming: new Set(), waiting: new Set() };
}

/** Waits for a place, with which paused work goes on. */
function resume({ resuming }: Lane): Promise<void> {
  return new Promise((resolve) => {
    const start = () => {
      resuming.delete(start);
      resolve();
    };
    resuming.add(start);
  });
}
