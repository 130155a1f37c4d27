import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { startPeriodicWriter } from '../db/periodic-writer.js';
import { insertAuditEntries, type NewAuditEntry } from './audit-entry.js';

/** The time between two writes, in ms: a process that is killed loses the reads of this time. */
const WRITE_MS = 500;

/** The number of entries in one statement. */
const BATCH = 1_000;

/** The largest number of entries that wait while the database cannot be reached. */
const MAXIMUM = 50_000;

/** Stores the entries of reads and of refused calls, some at once. */
export interface ReadTrail {
  /** Adds an entry, in memory. */
  add(entry: NewAuditEntry): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/**
 * Creates the trail of the reads of a process (D-58). A read has no transaction, and waits for no write.
 * Entries that could not be written are kept for the next time. The memory is bounded: without a database
 * there are hardly any reads, but if more wait than fit, the log says how many are lost.
 */
export function createReadTrail({
  knex,
  logger,
  everyMs = WRITE_MS,
}: {
  readonly knex: Knex;
  readonly logger: Logger;
  /** The time between two writes, in ms. */
  readonly everyMs?: number;
}): ReadTrail {
  let waiting: NewAuditEntry[] = [];
  let lost = 0;

  const writer = startPeriodicWriter({
    async write() {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH);
        await insertAuditEntries(knex, batch);
        waiting = waiting.slice(batch.length);
      }
    },
    everyMs,
    onFailure: (error) =>
      logger.error({ err: error }, 'reads could not be written to the audit trail'),
    onRecovery() {
      logger.info({ lost }, 'reads are written to the audit trail again');
      lost = 0;
    },
  });

  return {
    add(entry) {
      if (waiting.length < MAXIMUM) waiting.push(entry);
      else lost += 1;
    },

    async stop() {
      await writer.stop();
      const left = waiting.length + lost;
      if (left > 0) logger.error({ lost: left }, 'the last reads are not in the audit trail');
    },
  };
}
