import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { ignoreReadOnly } from '../db/unavailable.js';

/*
 * Our own, because rate-limiter-flexible either counts per process or writes to the database for
 * every call. Here each process draws a share of the calls that are left, and counts them in
 * memory.
 */

/** A process draws one part in so many of the limit at a time. */
const SHARES = 40;

/** The number of callers whose shares are kept. One that is dropped loses the rest of its share. */
const MAX_CALLERS = 10_000;

/** The number of windows without a call after which the row of a caller is deleted. */
const KEPT_WINDOWS = 60;

interface RateLimitState {
  /** False if the call is beyond the limit, and was not counted. */
  readonly isAllowed: boolean;
  /** The calls that are left, as far as this process knows: others may have drawn some since. */
  readonly remaining: number;
  /** The time until the window ends, in ms. */
  readonly msLeft: number;
}

export type RateLimit = (caller: string) => Promise<RateLimitState>;

/** The share of a process in a window of a caller. */
interface Share {
  /** When the window ends, by the clock of this process. */
  readonly endsAt: number;
  /** Calls that nobody had drawn at the last draw. */
  readonly undrawn: number;
  left: number;
}

/**
 * Creates a rate limit that all processes share (D-23).
 *
 * Windows are fixed by the clock of the database. Each process draws a fortieth of the limit at a
 * time, and spends it without asking. So the limit is never exceeded, and is reached but for the
 * unused shares: at least 1 − (n − 1) / 40 of it can be used with n processes. When nothing is
 * left, a process asks once more and then refuses calls until the window ends. While nothing can be
 * written, each process allows the whole limit.
 *
 * @param options.limit - calls of a caller in a window
 * @param options.monotonicMs - a clock in ms that is never set
 */
export function createSharedRateLimit(options: {
  readonly knex: Knex;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly monotonicMs?: () => number;
}): RateLimit {
  const { knex, limit, windowSeconds, monotonicMs = () => performance.now() } = options;
  const size = Math.ceil(limit / SHARES);
  const shares = new LRUCache<string, Share>({ max: MAX_CALLERS });
  /** The draws that have not ended. Calls that need one of the same caller share it. */
  const draws = new Map<string, Promise<void>>();

  async function draw(caller: string): Promise<void> {
    // Before the query, so that the share is never spent after the end of its window.
    const askedAt = monotonicMs();
    const parameters = { caller, size, limit, windowSeconds };
    const answer = await knex.raw<{ rows: Drawn[] }>(drawSql, parameters).catch(ignoreReadOnly);
    if (answer === undefined) {
      // So that calls that only read go on, each process counts for itself for a while.
      shares.set(caller, { endsAt: askedAt + windowSeconds * 1000, left: limit, undrawn: 0 });
      return;
    }
    const [drawn] = answer.rows;
    if (drawn === undefined) throw new Error('A draw returned no row');
    const { ms_left, total } = drawn;
    shares.set(caller, {
      endsAt: askedAt + ms_left,
      // The last share is the rest of the limit. Without a total, nothing was left.
      left: total === null ? 0 : Math.min(size, limit - total + size),
      undrawn: total === null ? 0 : Math.max(0, limit - total),
    });
  }

  function drawOnce(caller: string): Promise<void> {
    const pending = draws.get(caller);
    if (pending !== undefined) return pending;
    const started = draw(caller).finally(() => draws.delete(caller));
    draws.set(caller, started);
    return started;
  }

  return async (caller) => {
    for (;;) {
      const share = shares.get(caller);
      const msLeft = share === undefined ? 0 : share.endsAt - monotonicMs();
      if (share !== undefined && msLeft > 0) {
        const isAllowed = share.left > 0;
        if (isAllowed) share.left -= 1;
        if (isAllowed || share.undrawn === 0) {
          return { isAllowed, remaining: share.left + share.undrawn, msLeft };
        }
      }
      await drawOnce(caller);
    }
  };
}

interface Drawn {
  readonly ms_left: number;
  /** All that was drawn in the window, this share included; null if nothing was left. */
  readonly total: number | null;
}

/**
 * Draws a share, or writes nothing if nothing is left. The row may be of the next window, if the
 * statement waited for it when a window ended. If it is of a later one, the clock of the database
 * was set back since, and the row is replaced.
 */
const drawSql = `
  with clock as (
    select floor(seconds / :windowSeconds)::bigint as number,
           (:windowSeconds - seconds % :windowSeconds)::float8 * 1000 as ms_left
      from extract(epoch from clock_timestamp()) seconds),
  drawn as (
    insert into rate_limit_windows as w (caller, number, drawn)
    select :caller, number, :size::bigint from clock
    on conflict (caller) do update
       set number = case when w.number - excluded.number in (0, 1) then w.number else excluded.number end,
           drawn = case when w.number - excluded.number in (0, 1) then w.drawn else 0 end + excluded.drawn
     where w.number - excluded.number not in (0, 1) or w.drawn < :limit::bigint
    returning drawn as total)
  select ms_left, total
    from clock left join drawn on true`;

/** Creates the step of the clean-up that deletes the rows of callers without recent calls. */
export function deleteOldWindows(knex: Knex, windowSeconds: number) {
  return {
    name: 'deleting old windows of rate limits',
    async run() {
      await knex.raw(
        `delete from rate_limit_windows
          where number < floor(extract(epoch from clock_timestamp()) / ?) - ${KEPT_WINDOWS}`,
        [windowSeconds],
      );
      return 'done' as const;
    },
  };
}
