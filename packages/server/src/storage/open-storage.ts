import { HeadBucketCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { Logger } from 'pino';
import { createRoleCredentials, type IssueUploadCredentials } from './assume-role.js';
import { createObjectStore, type ObjectStore } from './object-store.js';
import { bucketUrl, createPresign, endpointOf, type Presign } from './presign.js';
import { cacheCredentials, createS3Client } from './s3-client.js';
import type { StorageBuckets, StorageSettings } from './storage-settings.js';

export interface Storage {
  readonly buckets: StorageBuckets;
  readonly store: ObjectStore;
  readonly presign: Presign;
  readonly issueUploadCredentials: IssueUploadCredentials;
  /** Rejects if the storage does not respond or a bucket is missing. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the object storage. It sends no request to the buckets; `check` does.
 *
 * @throws Error if there are no credentials to sign URLs with
 */
export async function openStorage(settings: StorageSettings, logger: Logger): Promise<Storage> {
  const { buckets, endpoint, publicUrl, region, pathStyle } = settings;
  const client = createS3Client(settings);
  const credentials = await cacheCredentials(client, logger);
  const place = { endpoint: publicUrl ?? endpoint, pathStyle };
  const role = createRoleCredentials(settings, (bucket) =>
    place.endpoint === undefined
      ? undefined
      : endpointOf(bucketUrl(client, bucket, region, place), bucket),
  );
  return {
    buckets,
    store: createObjectStore(client),
    presign: createPresign(
      bucketUrl(client, buckets.files, region, place),
      region,
      credentials.current,
    ),
    issueUploadCredentials: role.issue,
    check: () => checkBuckets(client, buckets),
    async close() {
      credentials.close();
      role.close();
      client.destroy();
    },
  };
}

/** The timeout of `checkBuckets`, in ms: load balancers wait for `/readyz` little longer. */
const checkTimeoutMs = 2_000;

/** @throws AggregateError naming each bucket that is missing, denies access or does not respond */
export async function checkBuckets(client: S3Client, buckets: StorageBuckets): Promise<void> {
  const abortSignal = AbortSignal.timeout(checkTimeoutMs);
  const failures = await Promise.all(
    Object.values(buckets).map((bucket: string) =>
      client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }).then(
        () => [],
        (cause: unknown) => new Error(describe(bucket, cause), { cause }),
      ),
    ),
  );
  const errors = failures.flat();
  if (errors.length === 0) return;
  throw new AggregateError(errors, errors.map(({ message }) => message).join('; '));
}

function describe(bucket: string, error: unknown): string {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 404) return `There is no bucket ${bucket}`;
  if (status === 403) return `The bucket ${bucket} denies access to the service`;
  if (status === 301) return `The bucket ${bucket} is in another region`;
  return `The object storage does not respond for the bucket ${bucket}`;
}
