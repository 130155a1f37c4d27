import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooManyRequests } from '../http/rate-limit.js';

/**
 * Runs a sign-in unless too many under the same key failed before it.
 *
 * @throws ApiError `tooManyRequests`
 */
export type SignInLimit = <Result extends { readonly accepted: boolean }>(
  key: string,
  attempt: () => Promise<Result>,
) => Promise<Result>;

/**
 * Limits failed sign-ins: after `failures` within `windowSeconds` no further one is tried until the
 * window ends. A success starts anew.
 *
 * Attempts under one key run one after another, so that a burst of guesses cannot overtake the
 * count while one user signing in from many places at once is not mistaken for an attack. The count
 * is kept by each process for itself: with several replicas a guesser has it once per replica.
 */
export function createSignInLimit({ failures = 10, windowSeconds = 900 } = {}): SignInLimit {
  const limiter = new RateLimiterMemory({ points: failures, duration: windowSeconds });
  const turns = new Map<string, Promise<unknown>>();

  async function run<Result extends { readonly accepted: boolean }>(
    key: string,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    const failed = await limiter.get(key);
    if (failed !== null && failed.remainingPoints <= 0 && failed.msBeforeNext > 0) {
      throw tooManyRequests(failures, failed.msBeforeNext);
    }
    const result = await attempt();
    if (result.accepted) await limiter.delete(key);
    else await limiter.penalty(key);
    return result;
  }

  return (key, attempt) => {
    const before = turns.get(key) ?? Promise.resolve();
    const turn = before.then(
      () => run(key, attempt),
      () => run(key, attempt),
    );
    turns.set(key, turn);
    const leave = () => {
      if (turns.get(key) === turn) turns.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  };
}
