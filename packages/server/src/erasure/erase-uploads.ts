import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { isUnreadable } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import { scheduleRemoval } from '../uploads/object-removals.js';
import { rejectedKeys, removeUpload } from '../uploads/upload-objects.js';
import { findUploads, operatorBucket, type Upload } from '../uploads/upload-store.js';
import type { NameSearch } from './name-search.js';

export interface ErasureDependencies {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly now: () => Date;
}

/** The number of uploads that are searched, or erased, at once. Their findings are in memory meanwhile. */
const BATCH = 100;

/** How long a worker that reads an upload may take to store its copy, in ms. */
const COPIED_MS = 3_600_000;

/** Searches of texts about uploads, and of their contents. */
export interface UploadSearch {
  readonly texts: NameSearch;
  readonly contents: NameSearch;
}

/**
 * Erases the uploads that name a customer: in the file's name, in findings, or in a file that is not read
 * yet or was rejected. They are those of one firm, of no grant, and the deliveries.
 *
 * @param firmId - null to search only those of no firm
 * @returns the ids of the erased uploads
 */
export async function eraseUploadsNaming(
  dependencies: ErasureDependencies,
  firmId: string | null,
  search: UploadSearch,
): Promise<string[]> {
  const { knex, storage } = dependencies;
  const erased: string[] = [];
  let after = '';
  for (;;) {
    const { rows } = await knex.raw<{ rows: { id: string; text: string }[] }>(
      `select u.id, concat_ws(' ', u.object_key, u.findings, u.last_error) as text
         from uploads u left join upload_grants g on g.id = u.grant_id
        where u.id > ? and (u.grant_id is null or g.firm_id = ?)
        order by u.id limit ${BATCH}`,
      [after, firmId],
    );
    const texts = new Map(rows.map(({ id, text }) => [id, text]));
    const found: string[] = [];
    for (const upload of await findUploads(knex, [...texts.keys()])) {
      const isNamed =
        search.texts.isIn(texts.get(upload.id) ?? '') ||
        (await isInContent(storage, upload, search.contents));
      if (isNamed) found.push(upload.id);
    }
    await eraseUploads(dependencies, found);
    erased.push(...found);
    const last = rows.at(-1);
    if (last === undefined) return erased;
    after = last.id;
  }
}

/** Returns true if an upload that is not read yet, or the copy of a rejected one, has one of the names. */
async function isInContent(
  { store, buckets }: Storage,
  { id, product, bucket, key, status }: Upload,
  names: NameSearch,
): Promise<boolean> {
  if (status === 'processed' || bucket === operatorBucket) return false;
  for (const place of [
    { bucket, key },
    { bucket: buckets.files, key: rejectedKeys({ id, product }).bytes },
  ]) {
    const content = await store.get(place.bucket, place.key).catch((error: unknown) => {
      if (isUnreadable(error)) return undefined;
      throw error;
    });
    if (content !== undefined && (await names.isInBytes(content.bytes))) return true;
  }
  return false;
}

/** Erases uploads with their objects. */
async function eraseUploads(
  dependencies: ErasureDependencies,
  ids: readonly string[],
): Promise<void> {
  await removeFromBuckets(dependencies, ids);
  await inTransaction(dependencies.knex, (trx) => eraseUploadRows(trx, ids, dependencies.now()));
}

/** Removes uploads from the upload buckets. Only their rows say where they are, so this comes first. */
export async function removeFromBuckets(
  { knex, storage: { store } }: ErasureDependencies,
  ids: readonly string[],
): Promise<void> {
  for (const upload of await findUploads(knex, ids)) {
    if (upload.bucket !== operatorBucket) await removeUpload(store, upload);
  }
}

/**
 * Deletes the rows of uploads, and schedules the removal of their copies. A row to which files or held
 * deliveries of others refer is kept, without the name of the file and its findings.
 */
export async function eraseUploadRows(
  trx: Knex.Transaction,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  const { rows } = await trx.raw<{ rows: Pick<Upload, 'id' | 'product' | 'status'>[] }>(
    `select id, product, status from uploads
      where id = any(:ids) and copy_removed_on is null and (has_copy or status = 'rejected')
        and bucket <> :operatorBucket
      order by id for no key update`,
    { ids: [...ids], operatorBucket },
  );
  for (const upload of rows) {
    // A worker that is reading it may still be storing the copy.
    const delayMs = upload.status === 'received' ? COPIED_MS : 0;
    const removeAfter = new Date(now.getTime() + delayMs);
    await scheduleRemoval(trx, Object.values(rejectedKeys(upload)), removeAfter);
  }
  await trx.raw(
    `with referred as (
       select u.id from uploads u
        where u.id = any(:ids)
          and (exists (select from files f where f.upload_id = u.id)
               or exists (select from held_deliveries h where h.upload_id = u.id))),
     deleted as (
       delete from uploads where id = any(:ids) and id not in (select id from referred))
     update uploads u
        set findings = '[]', omitted_findings = 0, last_error = null, has_copy = false,
            copy_removed_on = case when u.status = 'rejected' then coalesce(u.copy_removed_on, :now)
                                   else u.copy_removed_on end,
            object_key = coalesce((select g.prefix || '/' from upload_grants g where g.id = u.grant_id),
                                  '') || 'erased-' || u.id
      where u.id in (select id from referred)`,
    { ids: [...ids], now },
  );
}
