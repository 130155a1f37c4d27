import type { UploadCredentials } from '@adx/contract';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import { newObjectId } from '../identifiers/object-id.js';
import type { Principal } from '../identity/principal.js';
import { type IssueUploadCredentials, uploadSeconds } from '../storage/assume-role.js';
import type { Product } from './documents/document.js';

/** The settings of a firm that uploads depend on. */
export interface UploadingFirm {
  /** The beginning of its folders in the upload buckets. */
  readonly tenant: string;
  /** True for a firm that may upload CODB files (§4.21). */
  readonly codbUpload: boolean;
}

export interface UploadGrantParts {
  readonly knex: Knex;
  readonly buckets: { readonly codaUploads: string; readonly codbUploads: string };
  readonly issueUploadCredentials: IssueUploadCredentials;
  readonly findFirm: (firmId: string) => Promise<UploadingFirm>;
  readonly now: () => Date;
}

/** The user who asks for upload credentials, and the API key of the software that asks. */
export interface Grantee {
  readonly principal: Principal;
  readonly apiKeyId: string;
}

export type UploadGrants = ReturnType<typeof createUploadGrants>;

/** Grants that were never used are kept for a day after they end, in ms. */
const UNUSED_MS = uploadSeconds * 1000 + 24 * 3_600_000;

/**
 * Issues upload credentials. Each issue is a grant of its own: its credentials can only put objects
 * below `uploads/<firm>-<grant>/`, so every object has an owner, and two partners that choose the same
 * file name do not overwrite each other (§2.7, D-31).
 */
export function createUploadGrants(parts: UploadGrantParts) {
  const { knex, buckets, issueUploadCredentials, findFirm, now } = parts;

  async function issue(
    product: Product,
    bucket: string,
    { tenant }: UploadingFirm,
    { principal, apiKeyId }: Grantee,
  ): Promise<UploadCredentials> {
    const id = newObjectId();
    const prefix = `uploads/${tenant}-${id}`;
    const issuedOn = now();
    const credentials = await issueUploadCredentials({ bucket, prefix }, issuedOn);
    await knex('upload_grants').insert({
      ...{ id, product, prefix, api_key_id: apiKeyId, issued_on: issuedOn },
      ...{ firm_id: principal.firmId, user_id: principal.userId },
      ...{ access_level: principal.accessLevel, sees_customers: principal.seesCustomers },
    });
    return credentials;
  }

  return {
    forCoda: async (grantee: Grantee): Promise<UploadCredentials> =>
      issue('CODA', buckets.codaUploads, await findFirm(grantee.principal.firmId), grantee),

    /** @throws ApiError `upload_not_allowed` where the firm may not upload CODB files (§4.21) */
    async forCodb(grantee: Grantee): Promise<UploadCredentials> {
      const firm = await findFirm(grantee.principal.firmId);
      if (!firm.codbUpload) throw new ApiError('upload_not_allowed');
      return issue('CODB', buckets.codbUploads, firm, grantee);
    },
  };
}

/** Deletes the grants that ended without an upload. */
export async function deleteUnusedGrants(knex: Knex, now: Date): Promise<void> {
  await knex.raw(
    `delete from upload_grants g
      where g.issued_on < ? and not exists (select from uploads u where u.grant_id = g.id)`,
    [new Date(now.getTime() - UNUSED_MS)],
  );
}
