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

/** Returns those of the firms that are disabled, whose uploads and deliveries wait (D-60). */
export async function findDisabledFirms(
  knex: Knex,
  firmIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    'select id from firms where id = any(?) and disabled_on is not null',
    [[...new Set(firmIds)]],
  );
  return new Set(rows.map(({ id }) => id));
}
