import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { createConcurrencyLimit } from '../../src/api/concurrency-limit.js';

/** The events of a call after its start. A caller that stops reading pauses its call. */
const kinds = ['finish', 'fail', 'disconnect', 'pause', 'resume'] as const;
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

/** A caller who may leave before the response is complete. */
export class Caller extends EventEmitter {
  destroyed = false;

  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** A call of one of three firms, as far as it has come. */
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
const lingerMs = 1_000;

/** What each firm should have, from its calls and the time alone. */
class Shares {
  readonly #places: number;
  #running: ReadonlySet<Call> = new Set();
  /** When calls of a firm were last running, in ms. */
  readonly #lastRan = new Map<number, number>();

  constructor(places: number) {
    this.#places = places;
  }

  /** @param now - in ms, since the first call */
  expectKept(calls: readonly Call[], now: number): void {
    const before = this.#running;
    this.#running = new Set(calls.filter(({ state }) => state === 'running'));
    const started = [...this.#running].filter((call) => !before.has(call));
    for (const { firm } of this.#running) this.#lastRan.set(firm, now);
    const sharing = [...this.#lastRan.values()].filter((time) => now < time + lingerMs);
    const share = Math.max(1, Math.floor(this.#places / sharing.length));
    for (const firm of firms) {
      const own = calls.filter((call) => call.firm === firm);
      const running = own.filter(({ state }) => state === 'running').length;
      // Calls that are running when another firm comes go on, but none takes their places.
      if (started.some((call) => call.firm === firm)) expect(running).toBeLessThanOrEqual(share);
      const isInLine = own.some(({ state }) => state === 'waiting' || state === 'resuming');
      if (isInLine) expect(running).toBeGreaterThanOrEqual(share);
      // No call starts before an older one.
      const firstWaiting = own.findIndex(({ state }) => state === 'waiting');
      const later = firstWaiting === -1 ? [] : own.slice(firstWaiting);
      expect(later.filter(({ state }) => state !== 'waiting' && state !== 'done')).toEqual([]);
    }
  }
}

/**
 * Checks for random calls, ends, pauses and disconnections of three firms that no call of a firm starts above
 * its share, that calls start as soon as there is room and in their order, and that none is lost.
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
