import { type Check, ok, problem, skipped } from '@adx/command/check';
import { createLogger } from '../../logger.js';
import { openStorage, type Storage } from '../../storage/open-storage.js';
import { type StorageSettings, uploadBuckets } from '../../storage/storage-settings.js';
import { reasonOf, tryBucket, tryUploadCredentials } from '../../storage/try-permissions.js';

export async function checkStorage(settings: StorageSettings): Promise<Check[]> {
  let storage: Storage;
  try {
    storage = await openStorage(settings, createLogger('silent'));
  } catch (error) {
    const advice = 'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the machine a role.';
    return [problem('storage', reasonOf(error), advice), skipped('upload credentials')];
  }
  try {
    const uploads = Object.values(uploadBuckets(storage.buckets));
    return await Promise.all([
      ...[storage.buckets.files, ...uploads].map((bucket) => checkBucket(storage, bucket)),
      ...uploads.map((bucket) => checkCredentials(storage, settings, bucket)),
    ]);
  } finally {
    await storage.close();
  }
}

async function checkBucket(storage: Storage, bucket: string): Promise<Check> {
  const name = `bucket ${bucket}`;
  const { key, denied, failure } = await tryBucket(storage, bucket);
  if (failure !== undefined) return problem(name, failure, adviceFor(failure));
  if (denied.length === 0) return ok(name, 'put, get, list and delete are allowed');
  const left = denied.includes('s3:DeleteObject') ? ` Then remove ${key}.` : '';
  const advice = `Allow ${denied.join(', ')} to the access key or role of the service.${left}`;
  return problem(name, `${denied.join(', ')} denied`, advice);
}

async function checkCredentials(
  storage: Storage,
  settings: StorageSettings,
  bucket: string,
): Promise<Check> {
  const name = `upload credentials for ${bucket}`;
  try {
    const { belowPrefix, elsewhere } = await tryUploadCredentials(storage, settings, bucket);
    if (belowPrefix === 'AccessDenied') {
      const advice = `Allow s3:PutObject on uploads/* of ${bucket} to the role STS_ROLE_ARN.`;
      return problem(name, belowPrefix, advice);
    }
    if (belowPrefix !== 'allowed') return problem(name, belowPrefix, adviceFor(belowPrefix));
    if (elsewhere === 'AccessDenied') return ok(name, 'issued, and limited to their prefix');
    const found = 'partners could put objects outside their prefix';
    return problem(name, found, 'Use a storage that enforces session policies of AssumeRole.');
  } catch (error) {
    const reason = reasonOf(error);
    const advice =
      'Allow sts:AssumeRole on STS_ROLE_ARN to the access key or role of the service, and let the role trust it.';
    return problem(name, reason, reason === 'AccessDenied' ? advice : adviceFor(reason));
  }
}

const advices: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Create the bucket, or correct its S3_BUCKET_… setting.',
  PermanentRedirect: 'Set S3_REGION to the region of the bucket.',
  InvalidAccessKeyId: 'Correct S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'Correct S3_SECRET_ACCESS_KEY, or let the proxy pass on the Host header.',
  RequestTimeTooSkewed: 'Set the clock of this machine with NTP.',
};

function adviceFor(reason: string): string {
  return (
    advices[reason] ??
    'Check S3_ENDPOINT (without it, the storage is AWS), STS_ENDPOINT, S3_REGION, and the network to the storage.'
  );
}
