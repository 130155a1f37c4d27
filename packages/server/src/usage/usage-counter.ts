import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { DAY } from '../dates/brussels-day.js';
import { addUsage, type UsageCount } from './usage-store.js';
import type { UsedElement } from './used-elements.js';

/** The time between two writes, in ms. */
const WRITE_MS = 60_000;

/** How long the last write may take, in ms. */
const LAST_WRITE_MS = 3_000;

/** Counts what API keys use. */
export interface UsageCounter {
  /** Counts one call, in memory. */
  count(apiKeyId: string, used: Iterable<UsedElement>): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/** By API key. */
type Calls = Map<string, Map<UsedElement, number>>;

/**
 * Creates the counter of a process (D-41). It counts in memory and adds its counts to the database about
 * once a minute. Counts that could not be written are kept for the next time; the log has only the start
 * and the end of an outage. The memory is bounded: a count for each element of the spec and API key.
 */
export function createUsageCounter(options: {
  readonly knex: Knex;
  readonly logger: Logger;
  readonly now: () => Date;
  /** The time between two writes, in ms. */
  readonly everyMs?: number;
}): UsageCounter {
  const { knex, logger, now, everyMs = WRITE_MS } = options;
  /** By the number of days since 1970, in UTC. */
  let days = new Map<number, Calls>();
  let isFailing = false;
  let writing: Promise<void> | undefined;

  function add(day: number, apiKeyId: string, used: Iterable<UsedElement>, calls: number): void {
    const keys: Calls = days.get(day) ?? new Map();
    days.set(day, keys);
    const counts = keys.get(apiKeyId) ?? new Map<UsedElement, number>();
    keys.set(apiKeyId, counts);
    for (const element of used) counts.set(element, (counts.get(element) ?? 0) + calls);
  }

  async function writeAll(): Promise<void> {
    if (days.size === 0) return;
    const taken = days;
    days = new Map();
    try {
      await addUsage(knex, [...countsOf(taken)]);
      if (isFailing) logger.info('the counts of calls are written again');
      isFailing = false;
    } catch (error) {
      for (const [day, keys] of taken) {
        for (const [apiKeyId, counts] of keys) {
          for (const [element, calls] of counts) add(day, apiKeyId, [element], calls);
        }
      }
      if (!isFailing) logger.warn({ err: error }, 'the counts of calls could not be written');
      isFailing = true;
    }
  }

  /** Waits for the write in progress, if there is one, instead of starting another. */
  function write(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  const timer = setInterval(write, everyMs).unref();
  return {
    count(apiKeyId, used) {
      add(Math.floor(now().getTime() / DAY), apiKeyId, used, 1);
    },

    async stop() {
      clearInterval(timer);
      const written = (writing ?? Promise.resolve()).then(write);
      await Promise.race([written, sleep(LAST_WRITE_MS, undefined, { ref: false })]);
      if (days.size > 0 || writing !== undefined) {
        logger.warn('the counts of the last calls are lost');
      }
    },
  };
}

function* countsOf(days: ReadonlyMap<number, Calls>): Generator<UsageCount> {
  for (const [number, keys] of days) {
    const day = new Date(number * DAY).toISOString().slice(0, 10);
    for (const [apiKeyId, counts] of keys) {
      for (const [element, calls] of counts) yield { ...element, day, apiKeyId, calls };
    }
  }
}
