import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { DAY } from '../dates/brussels-day.js';
import { startPeriodicWriter } from '../db/periodic-writer.js';
import { addUsage, type UsageCount } from './usage-store.js';
import type { UsedElement } from './used-elements.js';

/** The time between two writes, in ms. */
const WRITE_MS = 60_000;

export type UsageCounter = ReturnType<typeof createUsageCounter>;

/** The calls by API key. */
type Calls = Map<string, Map<UsedElement, number>>;

/**
 * Counts in memory what API keys use (D-41), and adds it to the database about once a minute.
 * Counts that could not be written are kept for the next time. The memory is bounded: a count for
 * each element of the spec and API key.
 */
export function createUsageCounter({
  knex,
  logger,
  now,
  everyMs = WRITE_MS,
}: {
  readonly knex: Knex;
  readonly logger: Logger;
  readonly now: () => Date;
  /** The time between two writes, in ms. */
  readonly everyMs?: number;
}) {
  /** The calls by the number of days since 1970, in UTC. */
  let days = new Map<number, Calls>();

  function add(day: number, apiKeyId: string, used: Iterable<UsedElement>, calls: number): void {
    const keys: Calls = days.get(day) ?? new Map();
    days.set(day, keys);
    const counts = keys.get(apiKeyId) ?? new Map<UsedElement, number>();
    keys.set(apiKeyId, counts);
    for (const element of used) counts.set(element, (counts.get(element) ?? 0) + calls);
  }

  async function write(): Promise<void> {
    if (days.size === 0) return;
    const taken = days;
    days = new Map();
    try {
      await addUsage(knex, [...countsOf(taken)]);
    } catch (error) {
      for (const [day, keys] of taken) {
        for (const [apiKeyId, counts] of keys) {
          for (const [element, calls] of counts) add(day, apiKeyId, [element], calls);
        }
      }
      throw error;
    }
  }

  const writer = startPeriodicWriter({
    write,
    everyMs,
    onFailure: (error) => logger.warn({ err: error }, 'the counts of calls could not be written'),
    onRecovery: () => logger.info('the counts of calls are written again'),
  });

  return {
    count(apiKeyId: string, used: Iterable<UsedElement>): void {
      add(Math.floor(now().getTime() / DAY), apiKeyId, used, 1);
    },

    async stop(): Promise<void> {
      const isWritten = await writer.stop();
      if (!isWritten || days.size > 0) logger.warn('the counts of the last calls are lost');
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
