import { RateLimiterMemory } from 'rate-limiter-flexible';
import { PageRefusal } from './page-refusal.js';

/** Limits how often an address may try links that do not exist. */
export interface UnknownLinkLimit {
  /** @throws PageRefusal `tooManyAttempts` when the address has used up its attempts */
  check(address: string): Promise<void>;
  /** Counts an attempt. */
  count(address: string): Promise<void>;
}

/**
 * Not against guessing, which 256 bits are for, but to keep those who try off the database. The
 * window is short: people behind one address share it. Each process counts for itself.
 */
export function createUnknownLinkLimit({ attempts = 30, seconds = 60 } = {}): UnknownLinkLimit {
  const limiter = new RateLimiterMemory({ points: attempts, duration: seconds });
  return {
    async check(address) {
      const used = await limiter.get(address);
      if (used === null || used.remainingPoints > 0 || used.msBeforeNext <= 0) return;
      const wait = Math.max(1, Math.ceil(used.msBeforeNext / 1000));
      throw new PageRefusal('tooManyAttempts', { headers: { 'Retry-After': String(wait) } });
    },
    async count(address) {
      await limiter.penalty(address);
    },
  };
}
