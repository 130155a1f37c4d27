import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { createConcurrencyLimit } from '../../src/api/concurrency-limit.js';

/** The events of a call after its start. A caller that stops reading pauses its call. */
const kinds = ['finish', 'fail', 'disconnect', 'pause', 'resume'] as const;
const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('call' as const), of: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), of: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('linger' as const), of: fc.constant(0) }) },
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

/** What each firm should have, from the calls alone. */
class Shares {
  readonly #places: number;
  #running: readonly number[] = [0, 0, 0];
  #active = new Set<number>();

  constructor(places: number) {
    this.#places = places;
  }

  /** Forgets the firms without calls, as the limit does some time after their last one. */
  forget(calls: readonly Call[]): void {
    this.#active = new Set(calls.filter(({ state }) => state !== 'done').map(({ firm }) => firm));
  }

  expectKept(calls: readonly Call[]): void {
    for (const { state, firm } of calls) if (state !== 'done') this.#active.add(firm);
    const share = Math.max(1, Math.floor(this.#places / this.#active.size));
    const before = this.#running;
    const states = firms.map((firm) => calls.filter((call) => call.firm === firm));
    this.#running = states.map((own) => own.filter(({ state }) => state === 'running').length);
    for (const firm of firms) {
      const own = states[firm]?.map(({ state }) => state) ?? [];
      const running = this.#running[firm] ?? 0;
      // Calls that are running when another firm comes keep their places.
      expect(running).toBeLessThanOrEqual(Math.max(share, before[firm] ?? 0));
      const isInLine = own.some((state) => state === 'waiting' || state === 'resuming');
      if (isInLine) expect(running).toBeGreaterThanOrEqual(share);
      // No call starts before an older one.
      const firstWaiting = own.indexOf('waiting');
      const later = firstWaiting === -1 ? [] : own.slice(firstWaiting);
      expect(later.filter((state) => state !== 'waiting' && state !== 'done')).toEqual([]);
    }
  }
}

/**
 * Checks for random calls, ends, pauses and disconnections of three firms that no firm starts more calls
 * than its share, that calls start as soon as there is room and in their order, and that none is lost.
 */
export async function checkConcurrencyLimit(numRuns: number): Promise<void> {
  const most = fc.integer({ min: 1, max: 6 });
  const events = fc.array(event, { minLength: 1, maxLength: 150 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await fc
    .assert(
      fc.asyncProperty(most, events, async (places, happenings) => {
        const limit = createConcurrencyLimit({
          ...{ places, lingerMs, waitMs: 1_000_000_000 },
          maximumPaused: Number.MAX_SAFE_INTEGER,
        });
        const shares = new Shares(places);
        const calls: Call[] = [];
        for (const { kind, of } of happenings) {
          const ongoing = calls.filter(({ state }) => state !== 'done');
          if (kind === 'call') calls.push(new Call(of, limit));
          else if (kind === 'linger') {
            vi.advanceTimersByTime(lingerMs);
            shares.forget(calls);
          } else ongoing[of % ongoing.length]?.handle(kind);
          await setImmediate();
          shares.expectKept(calls);
        }
        for (const call of calls) call.handle('resume');
        await setImmediate();
        // Each round ends at least the oldest call of each firm.
        for (const _ of calls) {
          for (const call of calls) call.handle('finish');
          await setImmediate();
          shares.expectKept(calls);
        }
        expect(calls.filter(({ hasEnded }) => !hasEnded)).toEqual([]);
        expect(calls.filter(({ ranWithoutCaller }) => ranWithoutCaller)).toEqual([]);
        expect(calls.filter(({ caller }) => caller.listenerCount('close') > 0)).toEqual([]);
      }),
      { numRuns },
    )
    .finally(() => vi.useRealTimers());
}
