import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { STORED_MS, scheduleRemoval } from '../files/object-removals.js';
import { deleteJobsOf } from '../jobs/job.js';
import { orUnreadable } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import { discard, rejectedKeys, removeUpload } from '../uploads/upload-objects.js';
import { findUploads, operatorBucket, type Upload } from '../uploads/upload-store.js';
import type { UploadSearch } from './name-search.js';

export interface ErasureDependencies {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly now: () => Date;
}

/** The number of uploads searched or erased at once, with their findings in memory. */
const BATCH = 100;

/**
 * Finds the uploads that name a customer in the file's name, in findings, or in a file that is not
 * read yet or was rejected: of one firm, of no grant, and deliveries.
 *
 * @param firmId - null to search only those of no firm
 */
export async function findUploadsNaming(
  { knex, storage }: ErasureDependencies,
  firmId: string | null,
  search: UploadSearch,
) {
  const read: string[] = [];
  /** The uploads not read yet, or given up by workers: their statements are not listed. */
  const unread: string[] = [];
  const grantIds: string[] = await knex('upload_grants').where({ firm_id: firmId }).pluck('id');
  for (const grantId of [null, ...grantIds]) {
    for await (const ids of pagesOfGrant(knex, grantId)) {
      const named = new Set<string>();
      for (const upload of await findUploads(knex, ids)) {
        if (await isInContent(storage, upload, search.contents)) named.add(upload.id);
      }
      // After the contents: a worker may have read a file meanwhile, which then is in no bucket any
      // more.
      const { rows } = await knex.raw<{
        rows: (Pick<Upload, 'id' | 'status'> & { text: string })[];
      }>(
        // The prefix is left out: it has the name of the firm, and a customer may be named alike.
        `select u.id, u.status,
                replace(concat_ws(' ', u.object_key, u.failure, f.texts), coalesce(g.prefix, ''), '')
                  as text
           from uploads u
           left join upload_grants g on g.id = u.grant_id and g.firm_id = u.firm_id
          cross join lateral (select string_agg(value #>> '{}', ' ') as texts
                                from jsonb_path_query(u.findings, '$[*].*') as value) f
          where u.id = any(?)`,
        [ids],
      );
      for (const { id, status, text } of rows) {
        const isNamed = (named.has(id) && status !== 'processed') || search.texts.isIn(text);
        if (isNamed) (status === 'received' || status === 'failed' ? unread : read).push(id);
      }
    }
  }
  return { read, unread };
}

export async function* pagesOfGrant(knex: Knex, grantId: string | null): AsyncGenerator<string[]> {
  let after = { received_on: new Date(0), id: '' };
  for (;;) {
    const page: (typeof after)[] = await knex('uploads')
      .where({ grant_id: grantId })
      .whereRaw('(received_on, id) > (?, ?)', [after.received_on, after.id])
      // The order of an index, also without a grant.
      .orderBy(['grant_id', 'received_on', 'id'])
      .limit(BATCH)
      .select('received_on', 'id');
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map(({ id }) => id);
    after = last;
  }
}

async function isInContent(
  { store, buckets }: Storage,
  { id, product, bucket, key, etag, status }: Upload,
  names: UploadSearch['contents'],
): Promise<boolean> {
  if (names.isEmpty || status === 'processed' || bucket === operatorBucket) return false;
  for (const place of [
    { bucket, key },
    { bucket: buckets.files, key: rejectedKeys({ id, product }).bytes },
  ]) {
    const content = await store.get(place.bucket, place.key).catch(orUnreadable);
    if (content === undefined || content === 'unreadable') continue;
    // A later upload with the same key is searched by itself.
    if (place.bucket === bucket && content.etag !== etag) await discard(content.bytes);
    else if (await names.isInBytes(content.bytes)) return true;
  }
  return false;
}

export async function eraseUploads(
  dependencies: ErasureDependencies,
  ids: readonly string[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    await removeFromBuckets(dependencies, batch);
    await inTransaction(dependencies.knex, (trx) =>
      eraseUploadRows(trx, batch, dependencies.now()),
    );
  }
}

/** Removes uploads before their rows are deleted, because only these say where they are. */
export async function removeFromBuckets(
  { knex, storage: { store } }: ErasureDependencies,
  ids: readonly string[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) {
    for (const upload of await findUploads(knex, ids.slice(from, from + BATCH))) {
      if (upload.bucket !== operatorBucket) await removeUpload(store, upload);
    }
  }
}

/**
 * Deletes the rows of uploads, and schedules the removal of their copies. A row to which files or
 * held deliveries of others refer is kept, without its file's name and findings. A worker that is
 * reading such an upload records nothing of it any more.
 *
 * @param options.keepsReferred - false to delete also those to which only files refer
 */
export async function eraseUploadRows(
  trx: Knex.Transaction,
  ids: readonly string[],
  now: Date,
  { keepsReferred = true } = {},
): Promise<void> {
  await deleteJobsOf(trx, ids);
  const firms = await trx('uploads')
    .whereRaw('id = any(?)', [[...ids]])
    .distinct()
    .pluck('firm_id');
  for (const firmId of firms.toSorted()) {
    const uploads = await lockUploads(trx, firmId, ids);
    for (const upload of uploads.filter(({ hasCopy }) => hasCopy)) {
      // A worker that is reading it may still be storing the copy.
      const removeAfter = new Date(now.getTime() + (upload.status === 'received' ? STORED_MS : 0));
      await scheduleRemoval(trx, Object.values(rejectedKeys(upload)), removeAfter);
    }
    const own = { firmId, ids: uploads.map(({ id }) => id) };
    const referred = await referredUploads(trx, own.ids, keepsReferred);
    await trx.raw(
      `with deleted as (
         delete from uploads
          where firm_id = :firmId and id = any(:ids) and id <> all(:referred) returning grant_id)
       update upload_grants g set upload_count = g.upload_count - uploads
         from (select grant_id, count(*) as uploads from deleted group by grant_id) gone
        where g.firm_id = :firmId and g.id = gone.grant_id`,
      { ...own, referred },
    );
    await trx.raw(
      `update uploads u
          set findings = '[]', omitted_findings = 0, failure = null, has_copy = false,
              settled_on = coalesce(u.settled_on, :now),
              status = case when u.settled_on is null then 'rejected' else u.status end,
              copy_removed_on = case when u.status = 'processed' then u.copy_removed_on
                                     else coalesce(u.copy_removed_on, :now) end,
              object_key = coalesce((select g.prefix || '/' from upload_grants g
                                      where g.id = u.grant_id and g.firm_id = :firmId),
                                    '') || 'erased-' || u.id
        where u.firm_id = :firmId and u.id = any(:referred)`,
      { firmId, referred, now },
    );
  }
}

type ErasedUpload = Pick<Upload, 'id' | 'product' | 'status'> & { readonly hasCopy: boolean };

/** Locks uploads of a firm, so that nothing refers to them from now on that did not before. */
async function lockUploads(
  trx: Knex.Transaction,
  firmId: string,
  ids: readonly string[],
): Promise<ErasedUpload[]> {
  const { rows } = await trx.raw<{ rows: ErasedUpload[] }>(
    `select id, product, status, copy_removed_on is null and (has_copy or status <> 'processed')
              and bucket <> :operatorBucket as "hasCopy"
       from uploads where firm_id = :firmId and id = any(:ids) order by id for update`,
    { firmId, ids: [...ids], operatorBucket },
  );
  return rows;
}

/** Returns the ids of uploads to which files or held deliveries refer, perhaps of other firms. */
async function referredUploads(
  trx: Knex.Transaction,
  ids: readonly string[],
  byFiles: boolean,
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select upload_id as id from files where :byFiles and upload_id = any(:ids)
      union select upload_id from held_deliveries where upload_id = any(:ids)`,
    { ids: [...ids], byFiles },
  );
  return rows.map(({ id }) => id);
}
