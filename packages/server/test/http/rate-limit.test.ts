import { expect, onTestFinished, test, vi } from 'vitest';
import { createRateLimit, tooManyRequests } from '../../src/api/rate-limit.js';

test.each([
  [0, 1],
  [1, 1],
  [999, 1],
  [1_000, 1],
  [1_001, 2],
  [60_000, 60],
])(
  'D-23 for a limit that is renewed in %i ms, Retry-After is %i s, never too early',
  (ms, seconds) => {
    expect(tooManyRequests(5, ms, 60).headers).toEqual({
      'Retry-After': String(seconds),
      RateLimit: `limit=5, remaining=0, reset=${seconds}`,
    });
  },
);

test('D-23 no caller is told to wait longer than the minute, although the wall clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const limit = createRateLimit(1);
  await limit('key');
  vi.setSystemTime(Date.now() - 600_000);
  await expect(limit('key')).rejects.toMatchObject({ headers: { 'Retry-After': '60' } });
});
