import type { Knex } from 'knex';

/**
 * Locks a firm until the end of the transaction; others may share the lock. Not by its row, which
 * each server of the database has, so that a lock would need all of them (D-72).
 */
export async function lockFirm(
  trx: Knex.Transaction,
  firmId: string,
  { isShared = false } = {},
): Promise<void> {
  const lock = isShared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await trx.raw(`select ${lock}(hashtextextended('firm ' || ?, 0))`, [firmId]);
}
