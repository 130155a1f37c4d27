import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { createConcurrencyLimit } from '../../src/api/concurrency-limit.js';

/**
 * The events of a call that has been made. `pause` and `resume`: its caller stops reading, and
 * reads again.
 */
const kinds = ['finish', 'fail', 'disconnect', 'pause', 'resume'] as const;
/**
 * `call` makes a call of firm `of`. `time` lets `of` milliseconds pass. The other events happen to
 * one of the calls that are not done.
 */
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('call' as const), of: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), of: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      of: fc.constantFrom(1, 400, 600, 999, 1_000),
    }),
  },
);

type State = 'waiting' | 'running' | 'paused' | 'resuming' | 'done';

/** The response of a call, as far as the limit knows it: `leave` disconnects the caller. */
export class Caller extends EventEmitter {
  destroyed = false;

  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** A call of one of three firms, and its state. */
class Call {
  readonly firm: number;
  state: State = 'waiting';
  readonly caller = new Caller();
  hasEnded = false;
  ranWithoutCaller = false;
  #act: (next: 'finish' | 'fail' | 'pause') => void = () => {};
  #resume: () => void = () => {};

  constructor(firm: number, limit: ReturnType<typeof createConcurrencyLimit>) {
    this.firm = firm;
    const end = () => {
      this.hasEnded = true;
    };
    limit(`firm ${firm}`, this.caller, async (pause) => {
      this.ranWithoutCaller = this.state === 'done';
      for (;;) {
        this.state = 'running';
        const next = await new Promise((resolve) => {
          this.#act = resolve;
        });
        if (next === 'finish') return;
        if (next === 'fail') throw new Error('failed');
        await pause(
          () =>
            new Promise<void>((resolve) => {
              this.#resume = resolve;
            }),
        );
      }
    }).then(end, end);
  }

  handle(kind: (typeof kinds)[number]): void {
    if (kind === 'disconnect') {
      this.caller.leave();
      if (this.state === 'waiting') this.state = 'done';
    } else if (kind === 'resume') {
      if (this.state === 'paused') this.state = 'resuming';
      this.#resume();
    } else if (this.state === 'running') {
      this.state = kind === 'pause' ? 'paused' : 'done';
      this.#act(kind);
    }
  }
}

const firms = [0, 1, 2];
/** How long a firm keeps its share after its last call, in ms. */
const lingerMs = 1_000;

/**
 * The rules of D-39 for the shares of firms, written a second time and checked after each event. It
 * knows only the states of the calls and the time, nothing of the limit that is tested.
 */
class Shares {
  readonly #places: number;
  #running: ReadonlySet<Call> = new Set();
  /** When calls of a firm were last running, in ms. */
  readonly #lastRan = new Map<number, number>();

  constructor(places: number) {
    this.#places = places;
  }

  /**
   * Checks the calls after an event.
   *
   * @param calls - all so far, oldest first
   * @param now - in ms, since the start
   */
  expectKept(calls: readonly Call[], now: number): void {
    const before = this.#running;
    this.#running = new Set(calls.filter(({ state }) => state === 'running'));
    const started = [...this.#running].filter((call) => !before.has(call));
    for (const { firm } of this.#running) this.#lastRan.set(firm, now);
    const sharing = [...this.#lastRan.values()].filter((time) => now < time + lingerMs);
    const shared = Math.floor(this.#places / 2 / sharing.length);
    const share = sharing.length === 1 ? this.#places : Math.max(1, shared);
    for (const firm of firms) {
      const own = calls.filter((call) => call.firm === firm);
      const running = own.filter(({ state }) => state === 'running').length;
      // When another firm comes, the share shrinks: running calls may be above it, but none starts.
      if (started.some((call) => call.firm === firm)) expect(running).toBeLessThanOrEqual(share);
      const isInLine = own.some(({ state }) => state === 'waiting' || state === 'resuming');
      if (isInLine) expect(running).toBeGreaterThanOrEqual(share);
      // Calls start in their order.
      const firstWaiting = own.findIndex(({ state }) => state === 'waiting');
      const later = firstWaiting === -1 ? [] : own.slice(firstWaiting);
      expect(later.filter(({ state }) => state !== 'waiting' && state !== 'done')).toEqual([]);
    }
  }
}

/**
 * Checks for random calls, ends, pauses and disconnections of three firms that no call of a firm
 * starts above its share, that calls start as soon as there is room and in their order, and that
 * none is lost.
 */
export async function checkConcurrencyLimit(numRuns: number): Promise<void> {
  const most = fc.integer({ min: 1, max: 4 });
  const events = fc.array(event, { minLength: 50, maxLength: 100 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await fc
    .assert(
      fc.asyncProperty(most, events, async (places, happenings) => {
        const limit = createConcurrencyLimit({
          places,
          waitMs: 1_000_000_000,
          maximumPaused: Number.MAX_SAFE_INTEGER,
        });
        const shares = new Shares(places);
        const calls: Call[] = [];
        let now = 0;
        for (const { kind, of } of happenings) {
          const ongoing = calls.filter(({ state }) => state !== 'done');
          if (kind === 'call') calls.push(new Call(of, limit));
          else if (kind === 'time') {
            now += of;
            vi.advanceTimersByTime(of);
          } else ongoing[of % ongoing.length]?.handle(kind);
          await setImmediate();
          shares.expectKept(calls, now);
        }
        for (const call of calls) {
          call.handle('resume');
          await setImmediate();
          shares.expectKept(calls, now);
        }
        for (;;) {
          const running = calls.find(({ state }) => state === 'running');
          if (running === undefined) break;
          running.handle('finish');
          await setImmediate();
          shares.expectKept(calls, now);
        }
        expect(calls.filter(({ hasEnded }) => !hasEnded)).toEqual([]);
        expect(calls.filter(({ ranWithoutCaller }) => ranWithoutCaller)).toEqual([]);
        expect(calls.filter(({ caller }) => caller.listenerCount('close') > 0)).toEqual([]);
      }),
      { numRuns },
    )
    .finally(() => vi.useRealTimers());
}
