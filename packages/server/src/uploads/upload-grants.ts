import type { Product, UploadCredentials } from '@adx/contract';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import { DAY } from '../dates/brussels-day.js';
import { lockFirm } from '../db/firms.js';
import { inTransaction } from '../db/transaction.js';
import { newObjectId } from '../identifiers/object-id.js';
import type { Author, Caller } from '../identity/request-context.js';
import { type IssueUploadCredentials, uploadSeconds } from '../storage/assume-role.js';
import { type StorageBuckets, uploadBuckets } from '../storage/storage-settings.js';
import { carriedTrace } from '../tracing/spans.js';
import { storableText } from './documents/finding.js';
import { grantIdOf } from './record-uploads.js';

interface UploadGrantDependencies {
  readonly knex: Knex;
  readonly buckets: StorageBuckets;
  readonly issueUploadCredentials: IssueUploadCredentials;
  readonly now: () => Date;
}

/** The age at which unused grants are deleted, in ms: a day after their credentials expire. */
const UNUSED_MS = uploadSeconds * 1000 + DAY;

interface UploadingFirm {
  readonly tenant: string;
  readonly codb_upload: boolean;
}

const mayUpload: Readonly<Record<Product, (firm: UploadingFirm) => boolean>> = {
  CODA: () => true,
  CODB: (firm) => firm.codb_upload,
};

export type UploadGrants = ReturnType<typeof createUploadGrants>;

/**
 * Creates grants, one for each set of upload credentials, which only allow putting objects under
 * `uploads/<tenant>-<grant>/`. So every object has an owner, and two partners that choose the same
 * file name do not overwrite each other's files (§2.7, D-31).
 */
export function createUploadGrants(dependencies: UploadGrantDependencies) {
  const { knex, buckets, issueUploadCredentials, now } = dependencies;
  return {
    /** Issues credentials. Returns `notAllowed` for CODB if the firm may not upload it (§4.21). */
    async issue(
      product: Product,
      { principal, apiKeyId, record }: Caller & Author,
    ): Promise<UploadCredentials | 'notAllowed'> {
      const firm = await knex('firms')
        .where({ id: principal.firmId })
        .first<UploadingFirm | undefined>('tenant', 'codb_upload');
      if (firm === undefined) throw new Error(`There is no firm ${principal.firmId}`);
      if (!mayUpload[product](firm)) return 'notAllowed';
      const id = newObjectId();
      const bucket = uploadBuckets(buckets)[product];
      const prefix = `uploads/${firm.tenant}-${id}`;
      const issuedOn = now();
      const credentials = await issueUploadCredentials({ bucket, prefix });
      await inTransaction(knex, async (trx) => {
        // The firm is locked: no grant may follow once it is disabled, and maybe erased (D-63).
        await lockFirm(trx, principal.firmId, { isShared: true });
        const isEnabled = await trx('firms')
          .where({ id: principal.firmId, disabled_on: null })
          .first('id');
        if (isEnabled === undefined) throw new ApiError('unauthorized');
        await trx('upload_grants').insert({
          id,
          product,
          prefix,
          api_key_id: apiKeyId,
          firm_id: principal.firmId,
          user_id: principal.userId,
          access_level: principal.accessLevel,
          sees_customers: principal.seesCustomers,
          issued_on: issuedOn,
          trace: carriedTrace() ?? null,
        });
        await record(trx, { objectId: id });
      });
      return credentials;
    },
  };
}

/**
 * Returns the first prefix behind an upload that is of none of the given firms, or null if there is
 * none. Returns undefined if the upload itself is of none of them.
 *
 * @param key - of an object in the bucket of the product
 */
export async function findNextPrefix(
  knex: Knex,
  product: Product,
  key: string,
  firmIds: readonly string[],
): Promise<{ readonly prefix: string | null } | undefined> {
  const grantId = grantIdOf(key);
  if (firmIds.length === 0 || grantId === null) return undefined;
  const { rows } = await knex.raw<{ rows: { prefix: string | null }[] }>(
    `select (select g.prefix from upload_grants g
              where g.product = :product and g.prefix > :key and g.firm_id <> all(:firmIds)
              order by g.prefix limit 1) as prefix
       from upload_grants own
      where own.id = :grantId and own.firm_id = any(:firmIds)`,
    { product, key: storableText(key), grantId, firmIds: [...firmIds] },
  );
  return rows[0];
}

/** The number of grants, the newest, that say in which keys the new objects are. */
const SAMPLE = 1_000;

/**
 * Returns a prefix that has about as many new objects before it as behind it, of those between two
 * keys, or undefined if there is none. Null is the end of all keys.
 */
export async function middlePrefix(
  knex: Knex,
  product: Product,
  after: string,
  before: string | null,
): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: [{ prefix: string | null }] }>(
    `select percentile_disc(0.5) within group (order by prefix) as prefix
       from (select prefix from upload_grants
              where product = :product and prefix > :after
                and (:before::text is null or prefix < :before)
              order by issued_on desc limit ${SAMPLE}) newest`,
    { product, after: storableText(after), before },
  );
  return rows[0].prefix ?? undefined;
}

export async function deleteUnusedGrants(knex: Knex, now: Date): Promise<void> {
  await knex.raw(
    `delete from upload_grants g
      where g.issued_on < ? and g.upload_count = 0
        and not exists (select from uploads u
                         where u.grant_id = g.id and u.firm_id = g.firm_id)`,
    [new Date(now.getTime() - UNUSED_MS)],
  );
}
