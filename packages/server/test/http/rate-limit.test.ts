import { expect, test } from 'vitest';
import { tooManyRequests } from '../../src/api/rate-limit.js';

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
    expect(tooManyRequests(5, ms).headers).toEqual({
      'Retry-After': String(seconds),
      RateLimit: `limit=5, remaining=0, reset=${seconds}`,
    });
  },
);
