import { expect, test } from 'vitest';
import { rateLimitHeaders, secondsUntil } from '../../src/api/rate-limit.js';

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
    expect(secondsUntil(ms, 60)).toBe(seconds);
  },
);

test('D-23 no caller is told to wait longer than the window, although the wall clock was set back', () => {
  expect(secondsUntil(600_000, 60)).toBe(60);
});

test('D-23 the headers name the limit, its quota and window, what is left, and when it resets', () => {
  const policy = { name: 'default', quota: 1200, windowSeconds: 60 };
  expect(rateLimitHeaders(policy, { remaining: 1150, seconds: 42 })).toEqual({
    'RateLimit-Policy': '"default";q=1200;w=60',
    RateLimit: '"default";r=1150;t=42',
  });
});
