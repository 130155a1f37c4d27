import { beforeEach, expect, test } from 'vitest';
import { createCredentialCache } from '../../src/identity/authenticator.js';

let clock = Date.parse('2026-03-02T08:00:00Z');
const now = () => new Date(clock);
let lookups = 0;

const find = async (credential: string) => {
  lookups += 1;
  return { value: `${credential} ${lookups}` };
};

beforeEach(() => {
  lookups = 0;
});

test('§5 an accepted credential is cached for its seconds', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, now });
  expect(await cache('key', find)).toBe('key 1');
  clock += 4999;
  expect(await cache('key', find)).toBe('key 1');
  clock += 1;
  expect(await cache('key', find)).toBe('key 2');
});

test('§5 the seconds count from the start of the lookup, even if it is slow', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, now });
  await cache('key', async (credential) => {
    const found = await find(credential);
    clock += 4000;
    return found;
  });
  clock += 1000;
  expect(await cache('key', find)).toBe('key 2');
});

test('§5 rule 1: nothing is cached beyond the end of the credential', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, now });
  await cache('token', async () => ({ value: 'first', expiresAt: new Date(clock + 2000) }));
  clock += 1999;
  expect(await cache('token', find)).toBe('first');
  clock += 1;
  expect(await cache('token', find)).toBe('token 1');
});

test('§5 a refused credential is looked up every time', async () => {
  const cache = createCredentialCache<string>({ seconds: 5, now });
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
  const cache = createCredentialCache<string>({ seconds: 5, now });
  const callThreeTimes = () =>
    Promise.all([cache('key', find), cache('key', find), cache('key', find)]);
  expect(await callThreeTimes()).toEqual(['key 1', 'key 1', 'key 1']);
  clock += 5000;
  expect(await callThreeTimes()).toEqual(['key 2', 'key 2', 'key 2']);
});

test('§5 with 0 seconds nothing is cached', async () => {
  const cache = createCredentialCache<string>({ seconds: 0, now });
  await cache('key', find);
  expect(await cache('key', find)).toBe('key 2');
});
