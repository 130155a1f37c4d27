import { createHash } from 'node:crypto';
import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import type { StoredObject } from '../storage/object-store.js';
import { largestCopy } from '../storage/storage-settings.js';
import type { Sender } from './deliveries/sender.js';
import { storableText } from './documents/finding.js';
import { operatorBucket, type Upload } from './upload-store.js';

/**
 * Returns the id of an object, so that it is recorded once: as of other ids, the first eight digits
 * are the seconds since 1970. An uploader who makes two objects have the same id loses one of them.
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

/** The uploads of a firm among the objects of a bucket. */
export interface FoundUploads {
  /** Empty for the objects that no grant covers (D-31). */
  readonly firmId: string;
  /** The number of those that wait for their first attempt, and of folder markers. */
  readonly waiting: number;
  /** The uploads that need a job, the oldest first: to be read, or removed from the bucket. */
  readonly due: readonly Pick<Upload, 'id' | 'size'>[];
}

/**
 * Records new objects of an upload bucket, each with the grant that its prefix names. Folder
 * markers are not recorded. Uploads of disabled firms are not due (D-60).
 *
 * @param settledBefore - uploads settled before this are due again, to be removed from the bucket
 * @returns the firms with objects that wait or are due
 */
export async function recordUploads(
  trx: Knex.Transaction,
  { product, bucket }: Pick<Upload, 'product' | 'bucket'>,
  objects: readonly StoredObject[],
  settledBefore: Date,
): Promise<FoundUploads[]> {
  const ids = objects.map((object) => uploadId(bucket, object));
  const owners = await findOwners(trx, product, objects);
  const firmIds = [...new Set(owners.map(({ firm_id }) => firm_id))];
  const found = JSON.stringify(
    objects.map((object, place) => ({
      id: ids[place],
      ...owners[place],
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
  const { rows } = await trx.raw<{ rows: FoundUploads[] }>(
    `with found as materialized (
       select * from jsonb_to_recordset(:found::jsonb) as o (id text, grant_id text, firm_id text,
              object_key text, is_removable boolean, is_marker boolean, etag text, size bigint,
              received_on timestamptz(3))),
     reading as materialized (
       select key, attempts from graphile_worker.jobs where key = any(:keys)),
     known as (
       select u.id, u.firm_id, u.size, u.received_on, u.object_key, j.key is null as is_idle,
              u.status = 'received' and coalesce(j.attempts, 0) = 0 as is_waiting,
              u.status = 'received' or u.settled_on < :settledBefore and u.size <= :largestCopy
                                       and o.is_removable as is_open
         from found o
         join uploads u on u.id = o.id and u.firm_id = o.firm_id
         left join reading j on j.key = 'readUpload:' || u.id
        -- So that the index is used for each object, and the table never scanned.
        where u.id = any(:ids) and u.firm_id = any(:firmIds)),
     new as (
       insert into uploads (id, firm_id, source, grant_id, product, bucket, object_key, etag, size,
              received_on)
       select o.id, o.firm_id, 'upload', o.grant_id, :product, :bucket, o.object_key, o.etag,
              o.size, o.received_on
         from found o
        where not o.is_marker and o.id not in (select id from known)
        order by o.id
       on conflict do nothing returning id, firm_id, grant_id, size, received_on, object_key),
     counted as (
       update upload_grants g set upload_count = g.upload_count + added.uploads
         from (select grant_id, firm_id, count(*) as uploads from new group by 1, 2) added
        where g.id = added.grant_id and g.firm_id = added.firm_id and g.firm_id = any(:firmIds))
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
             select null, firm_id, 0, null, null, false, true from found where is_marker) as l
       left join firms f on f.id = l.firm_id
      where l.is_due or l.is_waiting
      group by l.firm_id order by l.firm_id`,
    {
      ...{ found, product, bucket, settledBefore, largestCopy, ids, firmIds },
      keys: ids.map((id) => `readUpload:${id}`),
    },
  );
  return rows;
}

/** Returns the grant that the prefix of each key names, and its firm; of no firm without one. */
async function findOwners(
  trx: Knex.Transaction,
  product: Product,
  objects: readonly StoredObject[],
): Promise<{ readonly grant_id: string | null; readonly firm_id: string }[]> {
  const named = objects.flatMap(({ key }) => ownerOf(key) ?? []);
  const firms: string[] = await trx('firms')
    .whereRaw('tenant = any(?)', [[...new Set(named.map(({ tenant }) => tenant))]])
    .pluck('id');
  const grants: { id: string; firm_id: string; prefix: string }[] = await trx('upload_grants')
    .where({ product })
    .whereRaw('firm_id = any(?)', [firms])
    .whereIn('id', [...new Set(named.map(({ grantId }) => grantId))])
    .select('id', 'firm_id', 'prefix');
  const byId = new Map(grants.map((grant) => [grant.id, grant]));
  return objects.map(({ key }) => {
    const grant = byId.get(grantIdOf(key) ?? '');
    const isCovered = grant !== undefined && key.startsWith(`${grant.prefix}/`);
    return isCovered
      ? { grant_id: grant.id, firm_id: grant.firm_id }
      : { grant_id: null, firm_id: '' };
  });
}

/** Programs that show a bucket as folders create an empty object for each of them. */
export function isFolderMarker({ key, size }: Pick<StoredObject, 'key' | 'size'>): boolean {
  return size === 0 && key.endsWith('/');
}

/** Returns the firm and the grant that the prefix of a key names (D-31). There may be none such. */
export function ownerOf(
  key: string,
): { readonly tenant: string; readonly grantId: string } | undefined {
  const [, tenant, grantId] = /^uploads\/([^/]*)-([0-9a-f]{24})\//.exec(key) ?? [];
  return tenant === undefined || grantId === undefined ? undefined : { tenant, grantId };
}

export function grantIdOf(key: string): string | null {
  return ownerOf(key)?.grantId ?? null;
}

export type DeliveredFile = Pick<Upload, 'product' | 'key' | 'etag' | 'size' | 'receivedOn'> & {
  readonly sender: Sender;
};

/** Records a delivery, also one that came before, and returns the id of the upload. */
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
