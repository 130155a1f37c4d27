import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { Logger } from 'pino';
import type { SigningCredentials } from './presign.js';

/** What it takes to reach an object storage. */
interface S3Access {
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

/** How often the keys are looked at, in ms. */
const refreshMs = 60_000;
/** Keys that expire before a URL signed with them are asked for anew, where newer ones are to be had. */
const longEnoughMs = 35 * 60_000;

/** The keys of a client, at hand without waiting. */
interface HeldCredentials {
  current(): SigningCredentials;
  close(): void;
}

/**
 * Holds the keys that a client signs with, those of a role being exchanged for newer ones in time. A
 * URL does not outlive the keys that signed it: a machine whose role gives new keys only minutes
 * before the old ones expire makes URLs that are shorter-lived for these minutes.
 *
 * @throws Error where the client finds no keys
 */
export async function holdCredentials(client: S3Client, logger: Logger): Promise<HeldCredentials> {
  let held = await client.config.credentials();
  const refresh = async () => {
    const left = (held.expiration?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
    held = await client.config.credentials({ forceRefresh: left < longEnoughMs });
  };
  const timer = setInterval(() => {
    refresh().catch((error) => logger.warn({ err: error }, 'the storage keys were not renewed'));
  }, refreshMs);
  timer.unref();
  return { current: () => held, close: () => clearInterval(timer) };
}
