import type { Knex } from 'knex';
import { attemptEach, type Part } from '../jobs/repeating-tasks.js';
import type { Storage } from '../storage/open-storage.js';
import { isRefusal } from '../storage/storage-failure.js';

/**
 * Storage and database cannot change in one transaction. So the removal of an object is scheduled
 * before the object is stored, and the transaction that records the object cancels the removal. A
 * transaction that deletes the last reference to an object schedules the removal again. If a
 * process is killed, every object is either recorded or scheduled for removal.
 */

export async function scheduleRemoval(
  knex: Knex,
  keys: readonly string[],
  removeAfter: Date,
): Promise<void> {
  if (keys.length === 0) return;
  await knex.raw(
    `insert into object_removals (object_key, remove_after)
     select key, ? from unnest(?::text[]) as key
     -- The copy of an upload, which may be recorded again after it was erased.
     on conflict (object_key) do update
        set remove_after = greatest(object_removals.remove_after, excluded.remove_after)
      where object_removals.object_key like 'rejected/%'`,
    [removeAfter, [...keys]],
  );
}

/** @throws Error if the removal of one was not scheduled, or has begun */
export async function cancelRemoval(trx: Knex.Transaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const cancelled = await trx('object_removals')
    .whereRaw('object_key = any(?) and not is_begun', [[...keys]])
    .delete();
  if (cancelled !== keys.length) throw unrecordable();
}

function unrecordable(): Error {
  return new Error('Some objects to record are not in the storage');
}

/** How long a worker may take to store an object that it has begun to make, in ms. */
export const STORED_MS = 3_600_000;

const BATCH = 500;

const AT_ONCE = 8;

/** How long the process that begins a removal has for it, in ms. After that it is due again. */
const REMOVED_MS = 3_600_000;

export interface RemovedBatch {
  /** True if other objects may be due. */
  readonly isLeft: boolean;
  /** The error that names the objects which the storage refused to remove. */
  readonly refusal: Error | undefined;
}

/**
 * Removes a batch of objects, those that have been due longest first. Of processes that do so at
 * once, each takes others.
 *
 * @param share - called before the removal if other objects may be due
 * @throws the error of a database or storage that is away; what is left is due again an hour later
 */
export async function removeDueObjects(
  { knex, storage: { store, buckets } }: { readonly knex: Knex; readonly storage: Storage },
  now: Date,
  share: Part['share'] = async () => false,
): Promise<RemovedBatch> {
  // Committed before the removal, so that no transaction can record these objects any more. An
  // array is chosen once; a subquery would be chosen again for each row if PostgreSQL joins so.
  const { rows } = await knex.raw<{ rows: { key: string }[] }>(
    `update object_removals set is_begun = true, remove_after = :again
      where object_key = any(array(select object_key from object_removals
                                    where remove_after <= :now
                                    order by remove_after limit ${BATCH} for update skip locked))
     returning object_key as key`,
    { now, again: new Date(now.getTime() + REMOVED_MS) },
  );
  const isLeft = rows.length === BATCH;
  if (isLeft) await share({});
  const removed: string[] = [];
  let outage: unknown;
  const refusal = await attemptEach(
    rows,
    ({ key }) => `object ${key}`,
    async ({ key }) => {
      if (outage !== undefined) return;
      try {
        await store.remove(buckets.files, key);
        removed.push(key);
      } catch (error) {
        if (!isRefusal(error)) outage = error;
        throw error;
      }
    },
    AT_ONCE,
  ).then(
    () => undefined,
    (error: Error) => error,
  );
  await knex('object_removals').whereRaw('object_key = any(?)', [removed]).delete();
  if (outage !== undefined) throw outage;
  return { isLeft, refusal };
}
