import type { UploadCredentials } from '@adx/contract';
import { ApiError } from '../http/api-error.js';
import type { Principal } from '../identity/principal.js';
import type { IssueUploadCredentials } from '../storage/upload-credentials.js';

/** What uploads need to know of a firm. */
export interface UploadingFirm {
  /** Its folder in the upload buckets (D-19). */
  readonly tenant: string;
  /** Whether it may upload CODB files (§4.21). */
  readonly codbUpload: boolean;
}

export interface UploadGrantParts {
  readonly buckets: { readonly codaUploads: string; readonly codbUploads: string };
  readonly issueUploadCredentials: IssueUploadCredentials;
  readonly findFirm: (firmId: string) => Promise<UploadingFirm>;
  readonly now: () => Date;
}

export type UploadGrants = ReturnType<typeof createUploadGrants>;

/** Credentials for putting files of the principal's firm into the bucket of a product (§2.7, D-19). */
export function createUploadGrants({
  buckets,
  issueUploadCredentials,
  findFirm,
  now,
}: UploadGrantParts) {
  const issue = (bucket: string, { tenant }: UploadingFirm) =>
    issueUploadCredentials({ bucket, prefix: `uploads/${tenant}` }, now());
  return {
    forCoda: async ({ firmId }: Principal): Promise<UploadCredentials> =>
      issue(buckets.codaUploads, await findFirm(firmId)),

    /** @throws ApiError `upload_not_allowed` where the firm may not (§4.21) */
    async forCodb({ firmId }: Principal): Promise<UploadCredentials> {
      const firm = await findFirm(firmId);
      if (!firm.codbUpload) throw new ApiError('upload_not_allowed');
      return issue(buckets.codbUploads, firm);
    },
  };
}
