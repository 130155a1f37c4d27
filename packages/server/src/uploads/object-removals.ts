import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import type { Storage } from '../storage/open-storage.js';

/**
 * Storage and database cannot change in one transaction. So the removal of every object is scheduled
 * before the object is stored, and the transaction that records the object cancels it; a transaction
 * that stops referring to an object schedules its removal again. Whenever a process is killed, each
 * object is recorded or scheduled for removal.
 */

/** An object that is not recorded for so long, in ms, never will be. */
const UNRECORDED_MS = 24 * 3_600_000;

/** Schedules the removal of objects that are about to be stored in the bucket of listed files. */
export async function scheduleUnlessRecorded(
  knex: Knex,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  await scheduleRemoval(knex, keys, new Date(now.getTime() + UNRECORDED_MS));
}

/** Schedules the removal of objects. */
export async function scheduleRemoval(
  knex: Knex,
  keys: readonly string[],
  removeAfter: Date,
): Promise<void> {
  await knex.raw(
    `insert into object_removals (object_key, remove_after)
     select key, ? from unnest(?::text[]) as key`,
    [removeAfter, [...keys]],
  );
}

/**
 * Cancels the removal of objects that the transaction records.
 *
 * @throws Error where one was not stored, or has been removed because it was recorded too late
 */
export async function cancelRemoval(trx: Knex.Transaction, keys: readonly string[]): Promise<void> {
  const cancelled = await trx('object_removals')
    .whereRaw('object_key = any(?)', [[...keys]])
    .delete();
  if (cancelled !== keys.length) throw new Error('Some objects to record are not in the storage');
}

/** Removes the objects whose removal is due. */
export async function removeDueObjects(
  { knex, storage: { store, buckets } }: { readonly knex: Knex; readonly storage: Storage },
  now: Date,
): Promise<void> {
  const due = await knex('object_removals')
    .where('remove_after', '<=', now)
    .pluck<string[]>('object_key');
  for (const key of due) {
    await inTransaction(knex, async (trx) => {
      // Locked, so that nobody records the object while it is being removed.
      const removed = await trx('object_removals').where({ object_key: key }).delete();
      if (removed > 0) await store.remove(buckets.files, key);
    });
  }
}
