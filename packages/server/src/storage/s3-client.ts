import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

/** What it takes to reach an object storage. */
export interface S3Access {
  /** Absent for AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly pathStyle: boolean;
  /** Absent where the SDK looks for them by itself. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
}

/** How the SDK's clients wait and repeat, all times in ms. */
export const patience = {
  maxAttempts: 4,
  requestHandler: {
    connectionTimeout: 3_000,
    /** Until the answer begins. */
    requestTimeout: 30_000,
    throwOnRequestTimeout: true,
    /** While nothing moves. */
    socketTimeout: 30_000,
    httpAgent: { maxSockets: 50 },
    httpsAgent: { maxSockets: 50 },
  },
} satisfies S3ClientConfig;

/** The client of an object storage: one for the embedded one, AWS, and all that speak S3. */
export function createS3Client({ endpoint, region, pathStyle, credentials }: S3Access): S3Client {
  // That the SDK will want a later Node one day is no news for operators, on each command's stderr.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return new S3Client({
    ...patience,
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
    // Checksums that S3 learnt lately make older servers refuse requests.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
