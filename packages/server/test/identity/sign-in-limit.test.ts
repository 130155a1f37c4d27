import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSignInLimit } from '../../src/identity/sign-in.js';

const succeed = async () => ({ accepted: true });
const fail = async () => ({ accepted: false });

test('D-23 after the allowed failures the next attempt is refused, with the time to wait', async () => {
  const limit = createSignInLimit({ failures: 3, windowSeconds: 900 });
  for (let n = 0; n < 3; n += 1) expect(await limit('els', fail)).toEqual({ accepted: false });
  await expect(limit('els', succeed)).rejects.toMatchObject({
    code: 'tooManyRequests',
    headers: {
      'Retry-After': expect.stringMatching(/^(900|8\d\d)$/),
      'RateLimit-Policy': '"failedSignIns";q=3;w=900',
      RateLimit: expect.stringMatching(/^"failedSignIns";r=0;t=(900|8\d\d)$/),
    },
  });
});

test('D-23 a success resets the count', async () => {
  const limit = createSignInLimit({ failures: 2 });
  await limit('els', fail);
  await limit('els', succeed);
  await limit('els', fail);
  expect(await limit('els', succeed)).toEqual({ accepted: true });
});

test('D-23 a burst of guesses gets no more attempts than one after another', async () => {
  const limit = createSignInLimit({ failures: 3 });
  let attempts = 0;
  const guess = async () => {
    attempts += 1;
    await sleep(1);
    return { accepted: false };
  };
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => limit('els', guess)));
  expect(attempts).toBe(3);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(17);
});

test('D-23 one user signing in from many places at once is not limited', async () => {
  const limit = createSignInLimit({ failures: 3 });
  const all = await Promise.all(Array.from({ length: 20 }, () => limit('els', succeed)));
  expect(all.every(({ accepted }) => accepted)).toBe(true);
});

test('D-23 an attempt that throws does not count and blocks no user', async () => {
  const limit = createSignInLimit({ failures: 1 });
  const fail = async (): Promise<{ accepted: boolean }> => {
    throw new Error('database lost');
  };
  await expect(limit('els', fail)).rejects.toThrow('database lost');
  expect(await limit('els', succeed)).toEqual({ accepted: true });
});

test('D-23 when the window has ended the user may try again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limit = createSignInLimit({ failures: 1, windowSeconds: 900 });
  await limit('els', fail);
  vi.advanceTimersByTime(899_000);
  await expect(limit('els', succeed)).rejects.toMatchObject({ code: 'tooManyRequests' });
  vi.advanceTimersByTime(1_000);
  expect(await limit('els', succeed)).toEqual({ accepted: true });
});
