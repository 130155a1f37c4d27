import { RateLimiterMemory } from 'rate-limiter-flexible';
import { PageRefusal } from './page-refusal.js';

/** Limits how often an address may try links that do not exist. */
interface UnknownLinkLimit {
  /**
   * Counts an attempt.
   *
   * @throws PageRefusal `tooManyAttempts` when the address has used up its attempts
   */
  count(address: string): Promise<void>;
}

/**
 * Not against guessing, which 256 bits are for, but to tell those who try to stop. People behind one
 * address share it, so whoever has a link is never refused. Each process counts for itself.
 */
export function createUnknownLinkLimit({ attempts = 30, seconds = 60 } = {}): UnknownLinkLimit {
  const limiter = new RateLimiterMemory({ points: attempts, duration: seconds });
  return {
    async count(address) {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(address);
      if (consumedPoints <= attempts) return;
      const wait = Math.max(1, Math.ceil(msBeforeNext / 1000));
      throw new PageRefusal('tooManyAttempts', { headers: { 'Retry-After': String(wait) } });
    },
  };
}
