import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import type { Principal } from '../identity/principal.js';
import { type KeptFindings, storableText, type UploadFinding } from './documents/finding.js';

/** `failed`: workers have given it up, and an operator can have it read again. */
export type UploadStatus = 'received' | 'failed' | 'processed' | 'rejected';

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
  /** The size in bytes. */
  readonly size: number;
  readonly receivedOn: Date;
  readonly status: UploadStatus;
  /** True if the firm of its grant is disabled (D-60). */
  readonly isFirmDisabled: boolean;
  readonly progress: UploadProgress;
  /** The trace of the call for its credentials, and how many ms earlier that was (D-55). */
  readonly trace: { readonly carried: unknown; readonly afterMs: number };
}

export interface UploadProgress extends KeptFindings {
  /** The number of results of the parser that are recorded (D-38). */
  readonly checkpoint: number;
}

/** Stands in for the bucket of files that the operator ingests from a folder. */
export const operatorBucket = 'operator';

type UploadKey = Pick<Upload, 'id' | 'firmId'>;

const keyOf = ({ id, firmId }: UploadKey) => ({ id, firm_id: firmId });

/** @param firmId - the firm of its key, if that is known */
export async function findUpload(
  knex: Knex,
  id: string,
  firmId?: string,
): Promise<Upload | undefined> {
  const [upload] = await findUploads(knex, [id], firmId);
  return upload;
}

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

/** Locks an upload. Returns false if it has progressed: one of two readers of a step records it. */
export async function lockCheckpoint(
  trx: Knex.Transaction,
  upload: UploadKey,
  checkpoint: number,
): Promise<boolean> {
  const unchanged = { ...keyOf(upload), status: 'received', checkpoint };
  const row = await trx('uploads').where(unchanged).forNoKeyUpdate().first('id');
  return row !== undefined;
}

export interface UploadOutcome {
  readonly status: 'processed' | 'rejected';
  readonly settledOn: Date;
  readonly findings: readonly UploadFinding[];
}

/** Records an outcome, and returns true if a copy of the upload may have been kept. */
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

/** Call this before a copy is kept. Returns false if another process has recorded the outcome. */
export async function markCopied(knex: Knex, upload: UploadKey): Promise<boolean> {
  const received = { ...keyOf(upload), status: 'received' };
  const marked = await knex('uploads').where(received).update({ has_copy: true });
  return marked > 0;
}

/** Reopens an upload, but not one that was processed, or whose copy was removed. */
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

/** Gives up an upload, and returns its product; undefined if it has an outcome. */
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
