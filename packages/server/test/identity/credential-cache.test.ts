import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { collectGarbage } from '../../../../test/support/collect-garbage.js';
import { eventually } from '../../../../test/support/eventually.js';
import { createCredentialCache } from '../../src/identity/authenticator.js';

let clock = Date.parse('2026-03-02T08:00:00Z');
let elapsed = 0;
const clocks = { now: () => new Date(clock), monotonicMs: () => elapsed };
const wait = (ms: number) => {
  clock += ms;
  elapsed += ms;
};
const TEN_MINUTES = 600_000;
let lookups = 0;

const find = async (credential: string) => {
  lookups += 1;
  return { value: `${credential} ${lookups}` };
};

beforeEach(() => {
  lookups = 0;
});

test('§5 a wall clock that is set back or ahead does not change for how long it is cached', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, ...clocks });
  await cache('key', find);
  clock -= TEN_MINUTES;
  elapsed += 4999;
  expect(await cache('key', find)).toBe('key 1');
  elapsed += 1;
  expect(await cache('key', find)).toBe('key 2');
  clock += TEN_MINUTES;
  expect(await cache('key', find)).toBe('key 2');
});

test('§5 rule 1: a credential that ends by the wall clock is not cached longer, however the clock was set', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, ...clocks });
  await cache('token', async () => ({ value: 'first', expiresAt: new Date(clock + TEN_MINUTES) }));
  clock += TEN_MINUTES;
  expect(await cache('token', find)).toBe('token 1');
});

test('§5 the seconds count from the start of the lookup, even if it is slow', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, ...clocks });
  await cache('key', async (credential) => {
    const found = await find(credential);
    wait(4000);
    return found;
  });
  wait(1000);
  expect(await cache('key', find)).toBe('key 2');
});

test('§5 the seconds count from the start of the lookup, also for a call that joins it', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, ...clocks });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const first = cache('key', async (credential) => {
    const found = await find(credential);
    await answered;
    return found;
  });
  wait(4999);
  const joined = cache('key', find);
  wait(1);
  answer();
  expect(await Promise.all([first, joined])).toEqual(['key 1', 'key 2']);
});

test('§5 rule 1: nothing is cached beyond the end of the credential', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, ...clocks });
  await cache('token', async () => ({ value: 'first', expiresAt: new Date(clock + 2000) }));
  wait(1999);
  expect(await cache('token', find)).toBe('first');
  wait(1);
  expect(await cache('token', find)).toBe('token 1');
});

test('§5 a refused credential is looked up every time', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, ...clocks });
  const refuse = async () => {
    lookups += 1;
    throw new Error('refused');
  };
  await expect(cache('key', refuse)).rejects.toThrow('refused');
  await expect(cache('key', refuse)).rejects.toThrow('refused');
  expect(lookups).toBe(2);
  expect(await cache('key', find)).toBe('key 3');
});

test('§5 concurrent calls share one lookup, also after the cached one has expired', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, ...clocks });
  const callThreeTimes = () =>
    Promise.all([cache('key', find), cache('key', find), cache('key', find)]);
  expect(await callThreeTimes()).toEqual(['key 1', 'key 1', 'key 1']);
  wait(5000);
  expect(await callThreeTimes()).toEqual(['key 2', 'key 2', 'key 2']);
});

test('§5 with 0 seconds nothing is cached', async () => {
  const cache = createCredentialCache<string>({ seconds: 0, ...clocks });
  await cache('key', find);
  expect(await cache('key', find)).toBe('key 2');
});

test('§5 an expired entry is removed from memory, even if its credential never comes again', async () => {
  const cache = createCredentialCache<object>({
    seconds: 1,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
  });
  const principal = new WeakRef(await cache('token', async () => ({ value: { firm: 'hill' } })));
  // The entry expires; each collection takes tens of milliseconds of CPU time.
  await sleep(1_000);
  await eventually(async () => {
    collectGarbage();
    return principal.deref() === undefined;
  });
  // Keeps the cache until here; otherwise it could be collected with its entries.
  expect(await cache('token', async () => ({ value: {} }))).toEqual({});
});
