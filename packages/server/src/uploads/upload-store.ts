import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import type { Principal } from '../identity/principal.js';
import type { StoredObject } from '../storage/object-store.js';
import { largestCopy } from '../storage/storage-settings.js';
import type { Product } from './documents/document.js';
import { storableText, type UploadFinding } from './documents/finding.js';

export type UploadStatus = 'received' | 'processed' | 'rejected';

/** A file uploaded by a partner, or delivered to the operator by a bank or payroll provider. */
export interface Upload {
  readonly id: string;
  /** The user of its grant; null for a delivery and for an object that no grant covers (D-31). */
  readonly principal: Principal | null;
  readonly product: Product;
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  readonly receivedOn: Date;
  readonly status: UploadStatus;
}

/** Stands in for the bucket of files that the operator ingests from a folder. */
export const operatorBucket = 'operator';

export async function findUpload(knex: Knex, id: string): Promise<Upload | undefined> {
  const { rows } = await knex.raw<{ rows: Upload[] }>(
    `select u.id, u.product, u.bucket, u.object_key as "key", u.etag, u.size::float8 as size,
            u.received_on as "receivedOn", u.status,
            case when g.id is not null then json_build_object(
              'userId', g.user_id, 'firmId', g.firm_id, 'accessLevel', g.access_level,
              'seesCustomers', g.sees_customers) end as principal
       from uploads u left join upload_grants g on g.id = u.grant_id
      where u.id = ?`,
    [id],
  );
  return rows[0];
}

/**
 * Records new objects of an upload bucket, each with the grant that its prefix names.
 *
 * @param endedBefore - uploads settled before this are removed if they are still in the bucket
 * @returns the ids of new uploads, and of those that have to be removed from the bucket
 */
export async function recordUploads(
  trx: Knex.Transaction,
  { product, bucket }: Pick<Upload, 'product' | 'bucket'>,
  objects: readonly StoredObject[],
  endedBefore: Date,
): Promise<string[]> {
  const listed = JSON.stringify(
    objects.map(({ key, etag, size, lastModified }) => ({
      id: newObjectId(),
      grant_id: grantIdOf(key),
      object_key: storableText(key),
      // An object whose key PostgreSQL cannot store is recorded, but can be neither read nor removed.
      is_removable: key === storableText(key),
      etag,
      size,
      received_on: lastModified,
    })),
  );
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with listed as (
       select * from jsonb_to_recordset(:listed::jsonb) as object (id text, grant_id text,
              object_key text, is_removable boolean, etag text, size bigint,
              received_on timestamptz(3))),
     known as (
       select u.id, u.size, u.settled_on, o.is_removable, o.id as listed_id from listed o
         join uploads u on u.bucket = :bucket and u.object_key = o.object_key
                       and u.etag = o.etag and u.received_on = o.received_on),
     new as (
       insert into uploads (id, source, grant_id, product, bucket, object_key, etag, size, received_on)
       select o.id, 'upload', g.id, :product, :bucket, o.object_key, o.etag, o.size, o.received_on
         from listed o
         left join upload_grants g on g.id = o.grant_id and g.product = :product
                                  and starts_with(o.object_key, g.prefix || '/')
        where o.id not in (select listed_id from known)
        order by o.id
       on conflict do nothing returning id)
     select id from new union all select id from known
      where settled_on < :endedBefore and size <= :largestCopy and is_removable
     order by id`,
    { listed, product, bucket, endedBefore, largestCopy },
  );
  return rows.map(({ id }) => id);
}

/** Returns the id at the end of the first segment below `uploads/` (D-31). There may be no such grant. */
function grantIdOf(key: string): string | null {
  return /^uploads\/[^/]*([0-9a-f]{24})\//.exec(key)?.[1] ?? null;
}

/** A file that the operator ingests from a folder. */
export type DeliveredFile = Pick<Upload, 'product' | 'key' | 'etag' | 'size' | 'receivedOn'>;

/** Upserts a delivered file as received and returns its upload id. */
export async function recordDelivery(trx: Knex.Transaction, file: DeliveredFile): Promise<string> {
  const { product, key, etag, size, receivedOn } = file;
  const source = product === 'CODA' ? 'bank' : 'payrollProvider';
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `insert into uploads (id, source, product, bucket, object_key, etag, size, received_on)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (bucket, object_key, etag, received_on)
       do update set status = 'received', settled_on = null
     returning id`,
    [newObjectId(), source, product, operatorBucket, key, etag, size, receivedOn],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The delivered file was not recorded');
  return row.id;
}

/** Locks an upload until the transaction ends. Returns false if it already has an outcome. */
export async function lockReceived(trx: Knex.Transaction, id: string): Promise<boolean> {
  const row = await trx('uploads').where({ id, status: 'received' }).forNoKeyUpdate().first('id');
  return row !== undefined;
}

/** The outcome of an upload. */
export interface UploadOutcome {
  readonly status: 'processed' | 'rejected';
  readonly settledOn: Date;
  readonly findings: readonly UploadFinding[];
}

export async function recordUploadOutcome(
  trx: Knex.Transaction,
  id: string,
  { status, settledOn, findings }: UploadOutcome,
): Promise<void> {
  await trx('uploads')
    .where({ id })
    .update({ status, settled_on: settledOn, findings: JSON.stringify(findings) });
}

/** Sets a rejected upload back to received, unless its copy was removed. A processed upload stays as it is. */
export async function reopenUpload(trx: Knex.Transaction, id: string): Promise<void> {
  await trx('uploads')
    .where({ id, status: 'rejected', copy_removed_on: null })
    .update({ status: 'received', settled_on: null });
}
