import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Product } from '../files/document.js';
import type { Principal } from '../identity/principal.js';
import type { StoredObject } from '../storage/object-store.js';
import { largestCopy } from '../storage/storage-settings.js';
import type { Sender } from './deliveries/sender.js';
import { type KeptFindings, storableText, type UploadFinding } from './documents/finding.js';

/** `failed`: workers have given it up, and an operator can have it read again. */
export type UploadStatus = 'received' | 'failed' | 'processed' | 'rejected';

/** A file uploaded by a partner, or delivered to the operator by a bank or payroll provider. */
export interface Upload {
  readonly id: string;
  /** The firm of its grant; empty for a delivery and for an object that no grant covers (D-31). */
  readonly firmId: string;
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
  /** True if the firm of its grant is disabled (D-60). */
  readonly isFirmDisabled: boolean;
  readonly progress: UploadProgress;
  /**
   * The trace of the call for its credentials, and how long before the upload that was, in ms
   * (D-55).
   */
  readonly trace: { readonly carried: unknown; readonly afterMs: number };
}

/** The part of an upload that is recorded, and the findings in it (D-38). */
export interface UploadProgress extends KeptFindings {
  /** The number of results of the parser that are recorded. */
  readonly checkpoint: number;
}

/** Stands in for the bucket of files that the operator ingests from a folder. */
export const operatorBucket = 'operator';

/** The key of an upload. */
export type UploadKey = Pick<Upload, 'id' | 'firmId'>;

const keyOf = ({ id, firmId }: UploadKey) => ({ id, firm_id: firmId });

/**
 * The id of an object that was put into a bucket at an instant, so that it is recorded once: as of
 * other ids, the first eight digits are the seconds since 1970. An uploader who makes two of its own
 * objects have the same id loses one of them.
 */
export function uploadId(
  bucket: string,
  { key, etag, lastModified }: Omit<StoredObject, 'size'>,
): string {
  const seconds = Math.floor(lastModified.getTime() / 1000);
  const identity = JSON.stringify([bucket, key, etag, lastModified.toISOString()]);
  const hash = createHash('sha256').update(identity).digest('hex');
  return `${seconds.toString(16).padStart(8, '0')}${hash.slice(0, 16)}`;
}

/** @param firmId - the firm of its key, if that is known */
export async function findUpload(
  knex: Knex,
  id: string,
  firmId?: string,
): Promise<Upload | undefined> {
  const [upload] = await findUploads(knex, [id], firmId);
  return upload;
}

/** @param firmId - the firm of all their keys, if that is known */
export async function findUploads(
  knex: Knex,
  ids: readonly string[],
  firmId?: string,
): Promise<Upload[]> {
  const { rows } = await knex.raw<{ rows: Upload[] }>(
    `select u.id, u.firm_id as "firmId", u.product, u.bucket, u.object_key as "key", u.etag, u.size::float8 as size,
            u.received_on as "receivedOn", u.status, f.disabled_on is not null as "isFirmDisabled",
            json_build_object('checkpoint', u.checkpoint, 'findings', u.findings,
                              'omittedFindings', u.omitted_findings) as progress,
            json_build_object('carried', g.trace, 'afterMs',
              coalesce(1000 * extract(epoch from u.received_on - g.issued_on), 0)) as trace,
            case when g.id is not null then json_build_object(
              'userId', g.user_id, 'firmId', g.firm_id, 'accessLevel', g.access_level,
              'seesCustomers', g.sees_customers) end as principal
       from uploads u
       left join upload_grants g on g.id = u.grant_id and g.firm_id = u.firm_id
       left join firms f on f.id = g.firm_id
      where u.id = any(?) ${firmId === undefined ? '' : 'and u.firm_id = ?'}`,
    [[...ids], ...(firmId === undefined ? [] : [firmId])],
  );
  return rows;
}

/** The uploads of a firm among the listed objects of a bucket. */
export interface ListedUploads {
  /** Empty for the objects that no grant covers (D-31). */
  readonly firmId: string;
  /** The number of those that wait for their first attempt, and of folder markers. */
  readonly waiting: number;
  /** Those that need a job: to be read, or to be removed from the bucket. The oldest first. */
  readonly due: readonly Pick<Upload, 'id' | 'size'>[];
}

/**
 * Records new objects of an upload bucket, each with the grant that its prefix names. Folder
 * markers are not recorded. Uploads of disabled firms are not due (D-60).
 *
 * @param endedBefore - uploads settled before this are due again, to be removed from the bucket
 * @returns the firms with objects that wait or are due
 */
export async function recordUploads(
  trx: Knex.Transaction,
  { product, bucket }: Pick<Upload, 'product' | 'bucket'>,
  objects: readonly StoredObject[],
  endedBefore: Date,
): Promise<ListedUploads[]> {
  const listed = JSON.stringify(
    objects.map((object) => ({
      id: uploadId(bucket, object),
      grant_id: grantIdOf(object.key),
      object_key: storableText(object.key),
      // An object whose key PostgreSQL cannot store is recorded, but can be neither read nor
      // removed.
      is_removable: object.key === storableText(object.key),
      is_marker: isFolderMarker(object),
      etag: object.etag,
      size: object.size,
      received_on: object.lastModified,
    })),
  );
  const { rows } = await trx.raw<{ rows: ListedUploads[] }>(
    `with listed as materialized (
       select o.id, o.object_key, o.is_removable, o.is_marker, o.etag, o.size, o.received_on,
              g.id as grant_id, coalesce(g.firm_id, '') as firm_id
         from jsonb_to_recordset(:listed::jsonb) as o (id text, grant_id text, object_key text,
              is_removable boolean, is_marker boolean, etag text, size bigint,
              received_on timestamptz(3))
         left join upload_grants g on g.id = o.grant_id and g.product = :product
                                  and starts_with(o.object_key, g.prefix || '/')),
     known as (
       select u.id, u.firm_id, u.size, u.received_on, u.object_key, j.id is null as is_idle,
              u.status = 'received' and coalesce(j.attempts, 0) = 0 as is_waiting,
              u.status = 'received' or u.settled_on < :endedBefore and u.size <= :largestCopy
                                       and o.is_removable as is_open
         from listed o
        -- One look-up in the index for each object, never a scan of the table.
        cross join lateral (select * from uploads u
                             where u.id = o.id and u.firm_id = o.firm_id limit 1) u
         left join graphile_worker.jobs j on j.key = 'readUpload:' || u.id),
     new as (
       insert into uploads (id, firm_id, source, grant_id, product, bucket, object_key, etag, size,
              received_on)
       select o.id, o.firm_id, 'upload', o.grant_id, :product, :bucket, o.object_key, o.etag,
              o.size, o.received_on
         from listed o
        where not o.is_marker and o.id not in (select id from known)
        order by o.id
       on conflict do nothing returning id, firm_id, size, received_on, object_key)
     select l.firm_id as "firmId", count(*) filter (where l.is_waiting)::int as waiting,
            coalesce(json_agg(json_build_object('id', l.id, 'size', l.size)
                              order by l.received_on, l.object_key)
                       filter (where l.is_due and f.disabled_on is null), '[]') as due
       from (select id, firm_id, size, received_on, object_key, true as is_due, true as is_waiting
               from new
             union all
             select id, firm_id, size, received_on, object_key, is_open and is_idle, is_waiting
               from known
             union all
             select null, firm_id, 0, null, null, false, true from listed where is_marker) as l
       left join firms f on f.id = l.firm_id
      where l.is_due or l.is_waiting
      group by l.firm_id order by l.firm_id`,
    { listed, product, bucket, endedBefore, largestCopy },
  );
  return rows;
}

/** Programs that show a bucket as folders create an empty object for each of them. */
export function isFolderMarker({ key, size }: Pick<StoredObject, 'key' | 'size'>): boolean {
  return size === 0 && key.endsWith('/');
}

/**
 * Returns the id at the end of the first segment below `uploads/` (D-31). There may be no such
 * grant.
 */
export function grantIdOf(key: string): string | null {
  return /^uploads\/[^/]*([0-9a-f]{24})\//.exec(key)?.[1] ?? null;
}

/** A file that the operator ingests from a folder. */
export type DeliveredFile = Pick<Upload, 'product' | 'key' | 'etag' | 'size' | 'receivedOn'> & {
  readonly sender: Sender;
};

/** Upserts a delivered file as received and returns its upload id. */
export async function recordDelivery(trx: Knex.Transaction, file: DeliveredFile): Promise<string> {
  const { product, sender, key, etag, size, receivedOn } = file;
  const id = uploadId(operatorBucket, { key, etag, lastModified: receivedOn });
  await trx.raw(
    `insert into uploads (id, source, sender, product, bucket, object_key, etag, size, received_on)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id, firm_id) do update set status = 'received', settled_on = null`,
    [...[id, sender.kind, sender.code, product], ...[operatorBucket, key, etag, size, receivedOn]],
  );
  return id;
}

/**
 * Locks an upload until the transaction ends. Returns false if it has an outcome or has progressed,
 * so that of two processes that read the same step one records it.
 */
export async function lockCheckpoint(
  trx: Knex.Transaction,
  upload: UploadKey,
  checkpoint: number,
): Promise<boolean> {
  const unchanged = { ...keyOf(upload), status: 'received', checkpoint };
  const row = await trx('uploads').where(unchanged).forNoKeyUpdate().first('id');
  return row !== undefined;
}

/** The outcome of an upload. */
export interface UploadOutcome {
  readonly status: 'processed' | 'rejected';
  readonly settledOn: Date;
  readonly findings: readonly UploadFinding[];
}

/** Records the outcome of an upload. Returns true if a copy of it may have been kept. */
export async function recordUploadOutcome(
  trx: Knex.Transaction,
  upload: UploadKey,
  { status, settledOn, findings }: UploadOutcome,
): Promise<boolean> {
  const [row] = await trx('uploads')
    .where(keyOf(upload))
    .update({ status, settled_on: settledOn, findings: JSON.stringify(findings) })
    .returning<{ has_copy: boolean }[]>('has_copy');
  return row?.has_copy ?? false;
}

/**
 * Records that a copy of the upload is about to be kept, so that it can be removed later. Returns
 * false if another process has recorded the outcome.
 */
export async function markCopied(knex: Knex, upload: UploadKey): Promise<boolean> {
  const received = { ...keyOf(upload), status: 'received' };
  const marked = await knex('uploads').where(received).update({ has_copy: true });
  return marked > 0;
}

/**
 * Sets an upload back to received that was rejected, unless its copy was removed, or that workers
 * have given up. A processed one stays as it is.
 */
export async function reopenUpload(trx: Knex.Transaction, id: string): Promise<void> {
  await trx.raw(
    `update uploads
        set status = 'received', settled_on = null, failure = null,
            checkpoint = case when status = 'rejected' then 0 else checkpoint end,
            findings = case when status = 'rejected' then '[]' else findings end,
            omitted_findings = case when status = 'rejected' then 0 else omitted_findings end
      where id = ? and (status = 'failed' or status = 'rejected' and copy_removed_on is null)`,
    [id],
  );
}

/**
 * Records that workers have given up an upload, and why, for the operator.
 *
 * @returns its product; undefined if it has an outcome
 */
export async function giveUpUpload(
  knex: Knex,
  upload: UploadKey,
  reason: string,
): Promise<Product | undefined> {
  const [row] = await knex('uploads')
    .where({ ...keyOf(upload), status: 'received' })
    // An operator retries it, which enqueued another job.
    .whereRaw(
      `not exists (select from graphile_worker.jobs
                    where key = 'readUpload:' || uploads.id and locked_at is null)`,
    )
    .update({ status: 'failed', failure: storableText(reason) })
    .returning<{ product: Product }[]>('product');
  return row?.product;
}

/** Records a step that is not the last one. Call it with the upload locked. */
export async function recordProgress(
  trx: Knex.Transaction,
  upload: UploadKey,
  { checkpoint, findings, omittedFindings }: UploadProgress,
): Promise<void> {
  await trx('uploads')
    .where(keyOf(upload))
    .update({ checkpoint, findings: JSON.stringify(findings), omitted_findings: omittedFindings });
}
