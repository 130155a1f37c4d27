import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { ApiError } from '../api/api-error.js';
import type { Nodes } from '../db/nodes.js';
import { startPeriodicWriter } from '../db/periodic-writer.js';
import { insertAuditEntries, type NewAuditEntry } from './audit-entry.js';

/** The time between two writes, in ms: a process that is killed loses the reads of this time. */
const WRITE_MS = 500;

const BATCH = 1_000;

/** The largest number of entries that wait while they cannot be written. */
const MAXIMUM = 50_000;

export type ReadTrail = ReturnType<typeof createReadTrail>;

/**
 * Stores the entries of reads and refused calls of a process (D-58), which have no transaction and
 * wait for no write. Entries that could not be written are kept for the next time.
 */
export function createReadTrail({
  knex,
  logger,
  nodes,
  everyMs = WRITE_MS,
}: {
  readonly knex: Knex;
  readonly logger: Logger;
  readonly nodes: Pick<Nodes, 'leaveOut'>;
  /** The time between two writes, in ms. */
  readonly everyMs?: number;
}) {
  let waiting: NewAuditEntry[] = [];

  const writer = startPeriodicWriter({
    async write() {
      let failure: unknown;
      // Those that come meanwhile wait for the next time, or each write would have a few of them.
      for (let left = waiting.length; left > 0; left -= BATCH) {
        const batch = waiting.slice(0, Math.min(left, BATCH));
        const written = await nodes.leaveOut(
          batch,
          (entries) => entries.map(({ firmId = '' }) => firmId),
          (entries) => insertAuditEntries(knex, entries),
        );
        failure ??= written.failure;
        waiting = [...waiting.slice(batch.length), ...written.failed];
      }
      if (failure !== undefined) throw failure;
    },
    everyMs,
    onFailure: (error) =>
      logger.error({ err: error }, 'reads could not be written to the audit trail'),
    onRecovery: () => logger.info('reads are written to the audit trail again'),
  });

  return {
    /** @throws ApiError `unavailable` if too many wait: no data may be shown without an entry */
    add(entry: NewAuditEntry): void {
      if (waiting.length >= MAXIMUM) {
        throw new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
      }
      waiting.push(entry);
    },

    async stop(): Promise<void> {
      await writer.stop();
      const lost = waiting.length;
      if (lost > 0) logger.error({ lost }, 'the last reads are not in the audit trail');
    },
  };
}
