import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { collectGarbage } from '../../../../test/support/collect-garbage.js';
import { eventually } from '../../../../test/support/eventually.js';
import { rounds } from '../../../../test/support/rounds.js';
import { createConcurrencyLimit } from '../../src/api/concurrency-limit.js';
import { signal } from '../jobs/jobs-database.js';
import { Caller, checkConcurrencyLimit } from './concurrency-limit-property.js';

const never = () => new Promise<void>(() => {});
const tooMany = {
  code: 'tooManyRequests',
  headers: {
    'Retry-After': '10',
    'RateLimit-Policy': '"concurrent";q=1;qu="concurrent-requests"',
    RateLimit: '"concurrent";r=0;t=10',
  },
};

/** Runs everything that needs no timer to fire. */
async function settle(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await setImmediate();
}

/** Returns the error of a call, or that it has none so far. */
function outcomeOf(call: Promise<void>): Promise<unknown> {
  const failed = call.then(
    () => never(),
    (error: unknown) => error,
  );
  return Promise.race([failed, settle().then(() => 'pending')]);
}

test('D-39 firms share the places equally, calls start as soon as there is room, and none is lost', () =>
  checkConcurrencyLimit(rounds({ short: 60, all: 300 })));

test('D-72 a call of a firm that is refused does not wait, and one that waited is refused when its turn comes', async () => {
  let isRefused = false;
  const check = () => {
    if (isRefused) throw new Error('refused');
  };
  const limit = createConcurrencyLimit({ places: 1, check });
  const running = signal();
  const first = limit('firm', new Caller(), () => running.given);
  const second = limit('firm', new Caller(), never);
  isRefused = true;
  expect(await outcomeOf(limit('firm', new Caller(), never))).toMatchObject({ message: 'refused' });
  expect(await outcomeOf(second)).toBe('pending');
  running.give();
  await first;
  await expect(second).rejects.toThrow('refused');
  isRefused = false;
  await limit('firm', new Caller(), async () => {});
});

test('D-39 a call that waits for ten seconds is refused, and leaves the line', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = createConcurrencyLimit({ places: 2 });
  void limit('other firm', new Caller(), never);
  let finish = () => {};
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  void limit('firm', new Caller(), () => running);
  const [late, next] = [vi.fn(async () => {}), vi.fn(async () => {})];
  const refused = limit('firm', new Caller(), late);
  refused.catch(() => {});
  await vi.advanceTimersByTimeAsync(9_999);
  void limit('firm', new Caller(), next);
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcomeOf(refused)).toMatchObject(tooMany);
  finish();
  await settle();
  expect([late.mock.calls.length, next.mock.calls.length]).toEqual([0, 1]);
});

test('D-39 a call is refused at once when a thousand are waiting', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = createConcurrencyLimit({ places: 1 });
  const callers = Array.from({ length: 1_001 }, () => new Caller());
  const begin = (caller: Caller) => outcomeOf(limit('firm', caller, never));
  const waiting = callers.map(begin);
  expect(await begin(new Caller())).toMatchObject(tooMany);
  // A caller that leaves makes room for another.
  callers[2]?.leave();
  expect(await waiting[2]).toBe('pending');
  expect(await begin(new Caller())).toBe('pending');
});

test('D-39 a paused call gives up its place, unless too many are paused', async () => {
  const limit = createConcurrencyLimit({ places: 1, maximumPaused: 1 });
  const started: string[] = [];
  const begin = (name: string) =>
    limit('firm', new Caller(), (pause) => {
      started.push(name);
      return pause(never);
    });
  const calls = ['first', 'second', 'third'].map(begin);
  await Promise.all(calls.map(outcomeOf));
  expect(started).toEqual(['first', 'second']);
});

test('D-39 a call that goes on lets another give up its place', async () => {
  const limit = createConcurrencyLimit({ places: 1, maximumPaused: 1 });
  await limit('firm', new Caller(), (pause) => pause(async () => {}));
  void limit('firm', new Caller(), (pause) => pause(never));
  const work = vi.fn(async () => {});
  await Promise.race([limit('firm', new Caller(), work), settle()]);
  expect(work).toHaveBeenCalledOnce();
});

test('D-39 a call that was paused goes on before calls that have not started', async () => {
  const limit = createConcurrencyLimit({ places: 1 });
  const order: string[] = [];
  const step = async (name: string) => {
    await setImmediate();
    order.push(name);
  };
  void limit('firm', new Caller(), async (pause) => {
    await pause(async () => order.push('pauses'));
    order.push('goes on');
  });
  void limit('firm', new Caller(), () => step('second'));
  void limit('firm', new Caller(), () => step('third'));
  await settle();
  expect(order).toEqual(['pauses', 'second', 'goes on', 'third']);
});

test('D-39 a call whose caller has gone before its turn never runs, whether there is room or not', async () => {
  const limit = createConcurrencyLimit({ places: 1 });
  const gone = new Caller();
  gone.leave();
  const work = vi.fn(async () => {});
  await limit('firm', gone, work);
  void limit('firm', new Caller(), never);
  const late = limit('firm', gone, work);
  expect(await Promise.race([late, settle().then(() => 'waits')])).toBeUndefined();
  expect(work).not.toHaveBeenCalled();
});

test('D-39 keys that are quiet take no memory', async () => {
  const limit = createConcurrencyLimit({ places: 2 });
  const caller = new Caller();
  const call = async (key: string) => {
    await limit(key, caller, async () => {});
  };
  await call('firm');
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const keys = 20_000;
  for (let firm = 0; firm < keys; firm += 1) await call(`firm ${firm}`);
  await eventually(async () => {
    collectGarbage();
    return process.memoryUsage().heapUsed - before < keys * 50;
  });
});
