import type { Logger } from 'pino';
import { createRoleCredentials } from './assume-role.js';
import { bucketUrl } from './bucket-url.js';
import { checkBuckets } from './check-buckets.js';
import { createObjectStore, type ObjectStore } from './object-store.js';
import { createPresign, type Presign } from './presign.js';
import { createS3Client } from './s3-client.js';
import { holdCredentials } from './signing-credentials.js';
import type { StorageBuckets, StorageSettings } from './storage-settings.js';
import type { IssueUploadCredentials } from './upload-credentials.js';

/** The object storage of the service. */
export interface Storage {
  readonly buckets: StorageBuckets;
  readonly store: ObjectStore;
  readonly presign: Presign;
  readonly issueUploadCredentials: IssueUploadCredentials;
  /** Rejects where the storage does not answer or lacks a bucket. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the object storage. Nothing is asked of it yet: `check` does that.
 *
 * @throws Error where there is no key to sign with
 */
export async function openStorage(settings: StorageSettings, logger: Logger): Promise<Storage> {
  const { buckets, endpoint, publicUrl, region, pathStyle } = settings;
  const client = createS3Client(settings);
  const held = await holdCredentials(client, logger);
  const role = createRoleCredentials(settings);
  const place = { endpoint: publicUrl ?? endpoint, pathStyle };
  return {
    buckets,
    store: createObjectStore(client),
    presign: createPresign(bucketUrl(client, buckets.files, region, place), region, held.current),
    issueUploadCredentials: role.issue,
    check: () => checkBuckets(client, buckets),
    async close() {
      held.close();
      role.close();
      client.destroy();
    },
  };
}
