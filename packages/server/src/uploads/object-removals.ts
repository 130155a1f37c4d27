import type { Knex } from 'knex';
import { attemptEach } from '../jobs/repeating-tasks.js';
import type { Storage } from '../storage/open-storage.js';

/**
 * Storage and database cannot change in one transaction. So the removal of an object is scheduled
 * before the object is stored, and the transaction that records the object cancels the removal. A
 * transaction that deletes the last reference to an object schedules the removal again. If a process
 * is killed, every object is either recorded or scheduled for removal.
 */

/** Schedules the removal of objects from the bucket of listed files. */
export async function scheduleRemoval(
  knex: Knex,
  keys: readonly string[],
  removeAfter: Date,
): Promise<void> {
  if (keys.length === 0) return;
  await knex.raw(
    `insert into object_removals (object_key, remove_after)
     select key, ? from unnest(?::text[]) as key`,
    [removeAfter, [...keys]],
  );
}

/**
 * Cancels the scheduled removal of objects that the transaction records.
 *
 * @throws Error if the removal of one was not scheduled, or has begun because it is recorded too late
 */
export async function cancelRemoval(trx: Knex.Transaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const cancelled = await trx('object_removals')
    .whereRaw('object_key = any(?) and not is_begun', [[...keys]])
    .delete();
  if (cancelled !== keys.length) throw new Error('Some objects to record are not in the storage');
}

/** The number of removals that begin at once. */
const BATCH = 1000;

/**
 * Removes the objects whose removal is due.
 *
 * @throws AggregateError if some could not be removed; the others are removed, and these stay due
 */
export async function removeDueObjects(
  { knex, storage: { store, buckets } }: { readonly knex: Knex; readonly storage: Storage },
  now: Date,
): Promise<void> {
  await attemptEach(
    beginRemovals(knex, now),
    (key) => `object ${key}`,
    async (key) => {
      await store.remove(buckets.files, key);
      await knex('object_removals').where({ object_key: key }).delete();
    },
  );
}

/** Returns the keys whose removal is due. From then on, no transaction can record these objects any more. */
async function* beginRemovals(knex: Knex, now: Date): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const { rows } = await knex.raw<{ rows: { key: string }[] }>(
      `with begun as (
         update object_removals set is_begun = true
          where object_key in (select object_key from object_removals
                                where remove_after <= :now and object_key > :after
                                order by object_key limit ${BATCH})
         returning object_key as key)
       select key from begun order by key`,
      { now, after },
    );
    for (const { key } of rows) yield key;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}
