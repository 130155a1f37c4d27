import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createConcurrencyLimit } from '../../src/api/concurrency-limit.js';

/** The events of a call after its start. A caller that stops reading pauses its call. */
const kinds = ['finish', 'fail', 'disconnect', 'pause', 'resume'] as const;
const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('call' as const), of: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), of: fc.nat() }) },
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

/**
 * Checks for random calls, ends, pauses and disconnections of three firms that no firm has more running
 * calls than it may, that calls start as soon as there is room and in their order, and that none is
 * lost.
 */
export async function checkConcurrencyLimit(numRuns: number): Promise<void> {
  const atMost = fc.integer({ min: 1, max: 4 });
  const events = fc.array(event, { minLength: 1, maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(atMost, events, async (atOnce, happenings) => {
      const limit = createConcurrencyLimit({ atOnce, maximumPaused: Number.MAX_SAFE_INTEGER });
      const calls: Call[] = [];
      for (const { kind, of } of happenings) {
        const ongoing = calls.filter(({ state }) => state !== 'done');
        if (kind === 'call') calls.push(new Call(of, limit));
        else ongoing[of % ongoing.length]?.handle(kind);
        await setImmediate();
        expectRoomIsUsed(calls, atOnce);
      }
      for (const call of calls) call.handle('resume');
      await setImmediate();
      // Each round ends at least the oldest call of each firm.
      for (const _ of calls) {
        for (const call of calls) call.handle('finish');
        await setImmediate();
        expectRoomIsUsed(calls, atOnce);
      }
      expect(calls.filter(({ hasEnded }) => !hasEnded)).toEqual([]);
      expect(calls.filter(({ ranWithoutCaller }) => ranWithoutCaller)).toEqual([]);
      expect(calls.filter(({ caller }) => caller.listenerCount('close') > 0)).toEqual([]);
    }),
    { numRuns },
  );
}

function expectRoomIsUsed(calls: readonly Call[], atOnce: number): void {
  for (const firm of [0, 1, 2]) {
    const states = calls.filter((call) => call.firm === firm).map(({ state }) => state);
    const count = (...of: State[]) => states.filter((state) => of.includes(state)).length;
    expect(count('running')).toBe(Math.min(atOnce, count('running', 'resuming', 'waiting')));
    // No call starts before an older one.
    const firstWaiting = states.indexOf('waiting');
    const later = firstWaiting === -1 ? [] : states.slice(firstWaiting);
    expect(later.filter((state) => state !== 'waiting' && state !== 'done')).toEqual([]);
  }
}
