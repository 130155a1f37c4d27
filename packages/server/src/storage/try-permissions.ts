import { randomUUID } from 'node:crypto';
import { PutObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { Storage } from './open-storage.js';
import { createS3Client } from './s3-client.js';
import type { StorageSettings } from './storage-settings.js';

/** Workers read only what is under `uploads/`, and remove what they do not know. */
const testKey = () => `doctor/${randomUUID()}`;

interface BucketAttempts {
  readonly key: string;
  readonly denied: readonly string[];
  /** The code of any other failure, such as `NoSuchBucket` or `ECONNREFUSED`. */
  readonly failure: string | undefined;
}

/** Tries each permission that the service needs in a bucket, with an object of its own. */
export async function tryBucket({ store }: Storage, bucket: string): Promise<BucketAttempts> {
  const key = testKey();
  const attempts = {
    's3:PutObject': () => store.put(bucket, key, Buffer.from('test'), 'text/plain'),
    's3:GetObject': async () => {
      const found = await store.get(bucket, key);
      for await (const _ of found?.bytes ?? []) break;
    },
    's3:ListBucket': () => store.find(bucket, key),
    's3:DeleteObject': () => store.remove(bucket, key),
  };
  const denied: string[] = [];
  let failure: string | undefined;
  for (const [permission, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === 'AccessDenied') denied.push(permission);
      else failure ??= reason;
    }
  }
  return { key, denied, failure };
}

/** The answer of the storage to credentials of a partner: `allowed`, or why not. */
interface CredentialsAttempts {
  readonly belowPrefix: string;
  readonly elsewhere: string;
}

/**
 * Tries upload credentials. The objects have a wrong checksum, which the storage refuses after it
 * has allowed them, so that nothing is stored that a worker could take for an upload.
 *
 * @throws Error if no credentials are issued
 */
export async function tryUploadCredentials(
  { issueUploadCredentials }: Storage,
  settings: StorageSettings,
  bucket: string,
): Promise<CredentialsAttempts> {
  const prefix = `uploads/${testKey()}`;
  const { accessKeyId, secretAccessKey, sessionToken } = await issueUploadCredentials({
    bucket,
    prefix,
  });
  const credentials = { accessKeyId, secretAccessKey, sessionToken };
  const client = createS3Client({ ...settings, credentials });
  const put = (Key: string) =>
    client
      .send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'test', ContentMD5: wrongChecksum }))
      .then(
        () => 'allowed',
        (error: unknown) => {
          const reason = reasonOf(error);
          return reason === 'BadDigest' ? 'allowed' : reason;
        },
      );
  try {
    return { belowPrefix: await put(`${prefix}/test`), elsewhere: await put(testKey()) };
  } finally {
    client.destroy();
  }
}

const wrongChecksum = 'AAAAAAAAAAAAAAAAAAAAAA==';

/** Refusals with status 403 that say more than that access is denied. */
const plainRefusals = ['SignatureDoesNotMatch', 'InvalidAccessKeyId', 'RequestTimeTooSkewed'];

/** Returns a code such as `AccessDenied`, or of a failed connection `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403) {
    return plainRefusals.includes(error.name) ? error.name : 'AccessDenied';
  }
  const { code, name } = Object(error);
  return String(code ?? name);
}
