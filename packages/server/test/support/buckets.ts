import { randomUUID } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { createS3Client } from '../../src/storage/s3-client.js';
import { toStorageSettings } from '../../src/storage/storage-settings.js';
import { sandboxPart } from './sandbox-parts.js';

/**
 * Creates new buckets for a test, and returns the settings that lead to them: in the object store
 * that `TEST_STORAGE` describes, as settings in JSON, or in that of the sandbox.
 */
export async function createTestBuckets(): Promise<Record<string, string>> {
  const { TEST_STORAGE: other } = process.env;
  const storage = other === undefined ? await sandboxPart('storage') : JSON.parse(other);
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
