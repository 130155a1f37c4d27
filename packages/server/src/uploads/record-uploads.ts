import { createHash } from 'node:crypto';
import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import { findDisabledFirms } from '../db/firms.js';
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

interface FoundObject extends StoredObject {
  readonly id: string;
  readonly firmId: string;
  readonly grantId: string | null;
}

/**
 * Records new objects of an upload bucket, each with the grant that its prefix names. Folder
 * markers are not recorded. Uploads of disabled firms are not due (D-60). Each statement names the
 * firms, and none needs the node of another one (D-72).
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
  const found = await findOwners(trx, product, bucket, objects);
  const firmIds = [...new Set(found.map(({ firmId }) => firmId))];
  const known = await knownUploads(trx, found, firmIds);
  const added = await insertUploads(
    trx,
    { product, bucket },
    found.filter((object) => !known.has(object.id) && !isFolderMarker(object)),
  );
  const disabled = await findDisabledFirms(trx, firmIds);
  const isDue = ({ id, firmId, key }: FoundObject): boolean => {
    if (disabled.has(firmId)) return false;
    const upload = known.get(id);
    if (upload === undefined) return added.has(id);
    const { attempts, isReceived, settledOn, size } = upload;
    if (attempts !== null) return false;
    // An object whose key PostgreSQL cannot store is recorded, but can be neither read nor removed.
    const isRemovable = size <= largestCopy && key === storableText(key);
    return isReceived || (settledOn !== null && settledOn < settledBefore && isRemovable);
  };
  const isWaiting = (object: FoundObject): boolean => {
    const upload = known.get(object.id);
    if (upload !== undefined) return upload.isReceived && (upload.attempts ?? 0) === 0;
    return added.has(object.id) || isFolderMarker(object);
  };
  const byFirm = new Map<string, FoundObject[]>(firmIds.toSorted().map((id) => [id, []]));
  for (const object of found) byFirm.get(object.firmId)?.push(object);
  return [...byFirm].flatMap(([firmId, ofFirm]) => {
    const waiting = ofFirm.filter(isWaiting).length;
    const due = ofFirm
      .filter(isDue)
      .toSorted((a, b) => a.lastModified.getTime() - b.lastModified.getTime() || byKey(a, b))
      .map(({ id, size }) => ({ id, size }));
    return waiting + due.length === 0 ? [] : { firmId, waiting, due };
  });
}

const byKey = (a: StoredObject, b: StoredObject) => (a.key < b.key ? -1 : 1);

interface KnownUpload {
  readonly isReceived: boolean;
  readonly size: number;
  readonly settledOn: Date | null;
  /** The failed attempts of its job; null if it has none. */
  readonly attempts: number | null;
}

/** Returns the objects that are recorded, by their ids. */
async function knownUploads(
  trx: Knex.Transaction,
  objects: readonly FoundObject[],
  firmIds: readonly string[],
): Promise<ReadonlyMap<string, KnownUpload>> {
  const ids = objects.map(({ id }) => id);
  // First, so that one whose job ends meanwhile has its outcome below.
  const jobs: { key: string; attempts: number }[] = await trx('graphile_worker.jobs')
    .whereRaw('key = any(?)', [ids.map((id) => `readUpload:${id}`)])
    .select('key', 'attempts');
  const { rows } = await trx.raw<{ rows: (Omit<KnownUpload, 'attempts'> & { id: string })[] }>(
    `select id, status = 'received' as "isReceived", size, settled_on as "settledOn"
       from uploads where id = any(?) and firm_id = any(?)`,
    [ids, [...firmIds]],
  );
  const attempts = new Map(jobs.map((job) => [job.key, job.attempts]));
  return new Map(
    rows.map((row) => [row.id, { ...row, attempts: attempts.get(`readUpload:${row.id}`) ?? null }]),
  );
}

/** Returns the ids of those that no other process has recorded meanwhile. */
async function insertUploads(
  trx: Knex.Transaction,
  { product, bucket }: Pick<Upload, 'product' | 'bucket'>,
  objects: readonly FoundObject[],
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set();
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `insert into uploads (id, firm_id, source, grant_id, product, bucket, object_key, etag, size,
            received_on)
     select id, "firmId", 'upload', "grantId", ?, ?, key, etag, size, "lastModified"
       from json_to_recordset(?::json) as o (id text, "firmId" text, "grantId" text, key text,
              etag text, size bigint, "lastModified" timestamptz(3))
      order by id
     on conflict do nothing returning id`,
    [
      ...[product, bucket],
      JSON.stringify(objects.map((object) => ({ ...object, key: storableText(object.key) }))),
    ],
  );
  const added = new Set(rows.map(({ id }) => id));
  const counted = objects.filter(({ id, grantId }) => grantId !== null && added.has(id));
  if (counted.length === 0) return added;
  await trx.raw(
    `update upload_grants g set upload_count = g.upload_count + added.uploads
       from (select "grantId", "firmId", count(*) as uploads
               from json_to_recordset(?::json) as o ("grantId" text, "firmId" text)
              group by 1, 2) added
      where g.id = added."grantId" and g.firm_id = added."firmId" and g.firm_id = any(?)`,
    [
      JSON.stringify(counted.map(({ grantId, firmId }) => ({ grantId, firmId }))),
      [...new Set(counted.map(({ firmId }) => firmId))],
    ],
  );
  return added;
}

/** Adds the grant that the prefix of each key names, and its firm; of no firm without one. */
async function findOwners(
  trx: Knex.Transaction,
  product: Product,
  bucket: string,
  objects: readonly StoredObject[],
): Promise<FoundObject[]> {
  const firmIds = new Set(await firmsOf(trx, objects));
  const grantIds = new Set(objects.map(({ key }) => grantIdOf(key) ?? ''));
  const grants: { id: string; firm_id: string; prefix: string }[] = await trx('upload_grants')
    .where({ product })
    .whereRaw('firm_id = any(?)', [[...firmIds]])
    .whereRaw('id = any(?)', [[...grantIds]])
    .select('id', 'firm_id', 'prefix');
  const byId = new Map(grants.map((grant) => [grant.id, grant]));
  return objects.map((object) => {
    const grant = byId.get(grantIdOf(object.key) ?? '');
    const isCovered = grant !== undefined && object.key.startsWith(`${grant.prefix}/`);
    const owner = isCovered
      ? { grantId: grant.id, firmId: grant.firm_id }
      : { grantId: null, firmId: '' };
    return { ...object, ...owner, id: uploadId(bucket, object) };
  });
}

/** Returns the firm that the prefix of each key names; empty if there is none. */
export async function firmsOf(
  knex: Knex,
  objects: readonly Pick<StoredObject, 'key'>[],
): Promise<string[]> {
  const tenants = objects.map(({ key }) => ownerOf(key)?.tenant ?? '');
  const firms: { id: string; tenant: string }[] = await knex('firms')
    .whereRaw('tenant = any(?)', [[...new Set(tenants)]])
    .select('id', 'tenant');
  const ids = new Map(firms.map(({ id, tenant }) => [tenant, id]));
  return tenants.map((tenant) => ids.get(tenant) ?? '');
}

/** Programs that show a bucket as folders create an empty object for each of them. */
export function isFolderMarker({ key, size }: Pick<StoredObject, 'key' | 'size'>): boolean {
  return size === 0 && key.endsWith('/');
}

/** Returns the firm and the grant that the prefix of a key names (D-31). There may be none such. */
function ownerOf(key: string): { readonly tenant: string; readonly grantId: string } | undefined {
  const [, tenant, grantId] = /^uploads\/([a-z0-9-]+)-([0-9a-f]{24})\//.exec(key) ?? [];
  return tenant === undefined || grantId === undefined ? undefined : { tenant, grantId };
}

/** Returns the id in the prefix of a key (D-31). There may be no such grant. */
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
