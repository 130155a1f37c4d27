import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { inTransaction } from '../db/transaction.js';
import type { RepeatingWork } from '../jobs/repeating-tasks.js';
import { readHead, readUnsealed } from './audit-store.js';
import { hashOfSeal } from './seal.js';
import { waitForNodes } from './wait-for-nodes.js';

/** The pause between two seals, in ms. Until it is sealed, a change of an entry is not found. */
const SEAL_MS = 5_000;

const BATCH = 1_000;

/** How often the head of the chain is logged, in ms. */
const LOG_MS = 60_000;

/**
 * Seals committed entries (D-58). They are stored without a place in the chain, so that changes of
 * different firms do not wait for each other. With a logged head, `audit verify --head` finds that
 * later entries were removed.
 */
export function sealingWork(knex: Knex, logger: Logger, now: () => Date): RepeatingWork {
  let loggedOn = 0;
  return {
    name: 'sealing the audit trail',
    pauseMs: SEAL_MS,
    async run() {
      const [unsealed] = await readUnsealed(knex, 1);
      const sealed = unsealed && (await sealEntries(knex, now()));
      if (sealed === undefined) return 'idle';
      if (now().getTime() - loggedOn >= LOG_MS) {
        loggedOn = now().getTime();
        logger.info({ seal: sealed.number, hash: sealed.hash }, 'the audit trail is sealed');
      }
      return sealed.entries === BATCH ? 'moreLeft' : 'done';
    },
  };
}

/**
 * Seals the oldest entries without a seal. Entries are committed in another order than that of
 * their ids, and an id whose transaction is rolled back has no entry. So gaps stay unsettled until
 * nothing can fill them.
 *
 * @returns the new head of the chain, or undefined if there is nothing to seal
 */
export function sealEntries(knex: Knex, now: Date) {
  return inTransaction(knex, async (trx) => {
    // Two workers that seal at once would give the same number. Not a lock of the row of
    // `audit_sealing`, which would give this transaction its number before the entries are read.
    await trx.raw('lock table audit_seals in share row exclusive mode');
    const isClosed = await areGapsClosed(trx);
    const entries = await readUnsealed(trx, BATCH);
    if (entries.length === 0) return undefined;
    const before = await readHead(trx);
    const number = before.number + 1;
    const sealedOn = now.toISOString();
    const hash = hashOfSeal({ number, sealedOn, previous: before.hash }, entries);
    await trx.raw(
      `insert into audit_seals (number, sealed_on, entries, previous, hash)
       select :number, :sealedOn, range_agg(int8range(id, id, '[]')),
              decode(:previous, 'hex'), decode(:hash, 'hex')
         from unnest(:ids::bigint[]) id`,
      { number, sealedOn, previous: before.hash, hash, ids: entries.map(({ id }) => id) },
    );
    // A full batch may have left entries in the gaps.
    await settle(trx, number, isClosed && entries.length < BATCH);
    return { number, hash, entries: entries.length };
  });
}

/**
 * Returns true if nothing can fill the closing gaps any more: the transactions that may have taken
 * their ids have ended, and entries that are read from now on show what these committed. In a
 * database restored from a dump, numbers of transactions begin anew, and none of those is left.
 *
 * Returns false if this transaction has a number already: {@link settle} needs one given later.
 */
async function areGapsClosed(trx: Knex): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { isClosed: boolean }[] }>(
    `select (isempty(closing) or closing_before <= pg_snapshot_xmin(pg_current_snapshot())
                              or closing_before >= pg_snapshot_xmax(pg_current_snapshot()))
            and pg_current_xact_id_if_assigned() is null as "isClosed"
       from audit_sealing`,
  );
  return rows[0]?.isClosed === true && (await waitForNodes(trx));
}

/**
 * Records that the entries of a seal are settled, and closed gaps too. Then those that are left
 * begin to close: their ids were taken before the entries were read, by transactions that have
 * numbers since then (`insertAuditEntries`), and this transaction has got its own, greater one only
 * after the entries were read.
 */
async function settle(trx: Knex, number: number, isClosed: boolean): Promise<void> {
  if (!isClosed) {
    await trx.raw(
      'update audit_sealing set unsettled = unsettled - entries from audit_seals where number = ?',
      [number],
    );
    return;
  }
  const { rows } = await trx.raw<{ rows: [{ own: string }] }>('select pg_current_xact_id() as own');
  await trx.raw(
    `update audit_sealing
        set unsettled = ids, closing_before = ?::xid8,
            closing = ids - int8multirange(int8range((select max(lower(r)) from unnest(ids) r), null))
       from (select unsettled - closing - entries as ids
               from audit_sealing, audit_seals where number = ?) left_over`,
    [rows[0].own, number],
  );
}
