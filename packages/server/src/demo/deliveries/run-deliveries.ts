import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isUnavailable } from '../../db/unavailable.js';
import type { Deliveries } from './deliveries.js';

/** Deliveries that are made by themselves. */
export interface RunningDeliveries {
  /** Ends the delivery under way, and makes no other. */
  stop(): Promise<void>;
}

export interface RunOptions {
  readonly logger: Logger;
  /** How long a day of the demo is, in ms. */
  readonly dayMs?: number;
}

const DAY_MS = 60_000;

/** Delivers at once what is missing, then a new day every minute. What fails is tried the next time. */
export function runDeliveries(
  deliveries: Deliveries,
  { logger, dayMs = DAY_MS }: RunOptions,
): RunningDeliveries {
  const stopping = new AbortController();

  async function goOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await deliveries.deliverAll();
      } catch (error) {
        if (stopping.signal.aborted) return;
        const level = isUnavailable(error) ? 'debug' : 'warn';
        logger[level]({ err: error }, 'demo: files were not delivered');
      }
      await sleep(dayMs, undefined, { signal: stopping.signal }).catch(() => {});
      deliveries.passDay();
    }
  }

  const going = goOn();
  return {
    stop() {
      stopping.abort();
      deliveries.close();
      return going;
    },
  };
}
