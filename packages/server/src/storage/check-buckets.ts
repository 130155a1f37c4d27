import { HeadBucketCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { StorageBuckets } from './storage-settings.js';

/** How long a storage may take to answer that it is there, in ms. */
const patienceMs = 5_000;

/**
 * Checks that every bucket can be reached.
 *
 * @throws AggregateError that names each bucket which is missing, closed or does not answer
 */
export async function checkBuckets(client: S3Client, buckets: StorageBuckets): Promise<void> {
  const abortSignal = AbortSignal.timeout(patienceMs);
  const failures = await Promise.all(
    Object.values(buckets).map(async (bucket: string) => {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal });
        return [];
      } catch (error) {
        return [new Error(describe(bucket, error), { cause: error })];
      }
    }),
  );
  const errors = failures.flat();
  if (errors.length === 0) return;
  throw new AggregateError(errors, errors.map(({ message }) => message).join('; '));
}

function describe(bucket: string, error: unknown): string {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 404) return `There is no bucket ${bucket}`;
  if (status === 403) return `The bucket ${bucket} does not let the service in`;
  if (status === 301) return `The bucket ${bucket} is in another region`;
  return `The object storage does not answer for the bucket ${bucket}`;
}
