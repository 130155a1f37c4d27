import type { Knex } from 'knex';
import { newObjectId } from '../../identifiers/object-id.js';
import { largestCopy, type StoredObject } from '../../storage/object-store.js';
import type { UploadFinding } from './upload-finding.js';
import type { Product } from './uploaded-document.js';

export type UploadStatus = 'received' | 'processed' | 'rejected';

/** What came in, as its row has it. */
export interface Upload {
  readonly id: string;
  /** None where no firm has the folder, or the operator brought it in. */
  readonly firmId: string | null;
  readonly product: Product;
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  readonly receivedOn: Date;
  readonly status: UploadStatus;
}

const columns = `id, firm_id as "firmId", product, bucket, object_key as "key", etag,
                 size::float8 as size, received_on as "receivedOn", status`;

export async function findUpload(knex: Knex, id: string): Promise<Upload | undefined> {
  const { rows } = await knex.raw<{ rows: Upload[] }>(
    `select ${columns} from uploads where id = ?`,
    [id],
  );
  return rows[0];
}

/** Objects of a bucket for uploads. */
export interface ListedObjects {
  readonly product: Product;
  readonly bucket: string;
  readonly objects: readonly StoredObject[];
}

/**
 * Notes the objects that were not noted before.
 *
 * @returns the ids of those, and of uploads that were settled before an instant and are still there,
 * though they should not be
 */
export async function noteUploads(
  trx: Knex.Transaction,
  { product, bucket, objects }: ListedObjects,
  settledBefore: Date,
): Promise<string[]> {
  const listed = JSON.stringify(
    objects.map(({ key, etag, size, lastModified }) => ({
      id: newObjectId(),
      tenant: tenantOf(key),
      ...{ object_key: key, etag, size, received_on: lastModified },
    })),
  );
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with listed as (
       select * from jsonb_to_recordset(:listed::jsonb) as object (id text, tenant text,
              object_key text, etag text, size bigint, received_on timestamptz(3))),
     noted as (
       select u.id, u.size, u.settled_on, o.id as listed_id from listed o
         join uploads u on u.bucket = :bucket and u.object_key = o.object_key
                       and u.etag = o.etag and u.received_on = o.received_on),
     new as (
       insert into uploads (id, firm_id, product, bucket, object_key, etag, size, received_on)
       select o.id, f.id, :product, :bucket, o.object_key, o.etag, o.size, o.received_on
         from listed o left join firms f on f.tenant = o.tenant
        where o.id not in (select listed_id from noted)
        order by o.id
       on conflict do nothing returning id)
     select id from new union all select id from noted
      where settled_on < :settledBefore and size <= :largestCopy
     order by id`,
    { listed, product, bucket, settledBefore, largestCopy },
  );
  return rows.map(({ id }) => id);
}

/** The folder of a firm in the buckets for uploads (D-19). */
export function tenantOf(key: string): string {
  return /^uploads\/([^/]*)\//.exec(key)?.[1] ?? '';
}

/** What a file of the operator's is noted with. */
export type BroughtFile = Pick<
  Upload,
  'product' | 'bucket' | 'key' | 'etag' | 'size' | 'receivedOn'
>;

/** Notes a file that the operator brings in, anew or again, as received. */
export async function noteBroughtFile(trx: Knex.Transaction, file: BroughtFile): Promise<string> {
  const { product, bucket, key, etag, size, receivedOn } = file;
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `insert into uploads (id, product, bucket, object_key, etag, size, received_on)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (bucket, object_key, etag, received_on)
       do update set status = 'received', settled_on = null
     returning id`,
    [newObjectId(), product, bucket, key, etag, size, receivedOn],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The file was not noted');
  return row.id;
}

/** Holds an upload until the transaction ends; false where somebody has settled it. */
export async function holdReceived(trx: Knex.Transaction, id: string): Promise<boolean> {
  const row = await trx('uploads').where({ id, status: 'received' }).forNoKeyUpdate().first('id');
  return row !== undefined;
}

/** What became of an upload. */
export interface Settlement {
  readonly status: 'processed' | 'rejected';
  readonly settledOn: Date;
  readonly findings: readonly UploadFinding[];
}

export async function settleUpload(
  trx: Knex.Transaction,
  id: string,
  { status, settledOn, findings }: Settlement,
): Promise<void> {
  await trx('uploads')
    .where({ id })
    .update({ status, settled_on: settledOn, findings: JSON.stringify(findings) });
}

/** Has a rejected upload read again; one that is processed stays so. */
export async function reopenUpload(trx: Knex.Transaction, id: string): Promise<void> {
  await trx('uploads')
    .where({ id, status: 'rejected' })
    .update({ status: 'received', settled_on: null });
}
