import type { S3Client } from '@aws-sdk/client-s3';

/**
 * The address of a bucket, without a closing slash, as the SDK would form it: for AWS of every
 * partition, and for endpoints of one's own.
 *
 * @param endpoint - in place of that of AWS
 */
export function bucketUrl(
  client: S3Client,
  bucket: string,
  region: string,
  { endpoint, pathStyle }: { readonly endpoint: string | undefined; readonly pathStyle: boolean },
): string {
  const { url } = client.config.endpointProvider({
    ...{ Bucket: bucket, Region: region, ForcePathStyle: pathStyle },
    ...{ UseFIPS: false, UseDualStack: false, Accelerate: false },
    ...(endpoint !== undefined && { Endpoint: endpoint }),
  });
  return url.href.replace(/\/$/, '');
}
