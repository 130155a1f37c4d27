import type { UploadCredentials } from '@adx/contract';

/** How long upload credentials are valid, in seconds. */
export const uploadSeconds = 3600;

/**
 * Temporary credentials that permit to put objects under `<prefix>/` of a bucket for an hour, and
 * nothing else (§2.7).
 *
 * @throws Error where the storage's token service refuses or does not answer
 */
export type IssueUploadCredentials = (
  upload: { readonly bucket: string; readonly prefix: string },
  now: Date,
) => Promise<UploadCredentials>;
