import { randomUUID } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import { createS3Client } from '../../src/storage/s3-client.js';
import { toStorageSettings } from '../../src/storage/storage-settings.js';
// For the type of the provided values.
import './sandbox-parts.js';

/** Creates new buckets for a test, and returns the settings that lead to them. */
export async function createTestBuckets(): Promise<Record<string, string>> {
  const { storage } = inject('sandboxParts');
  const id = randomUUID();
  const buckets = {
    S3_BUCKET_FILES: `files-${id}`,
    S3_BUCKET_CODA_UPLOADS: `coda-${id}`,
    S3_BUCKET_CODB_UPLOADS: `codb-${id}`,
  };
  const client = createS3Client(toStorageSettings(storage));
  try {
    for (const Bucket of Object.values(buckets)) {
      await client.send(new CreateBucketCommand({ Bucket }));
    }
  } finally {
    client.destroy();
  }
  return { ...storage, ...buckets };
}
