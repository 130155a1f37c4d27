import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { createLogger } from '../../server/src/logger.js';
import { openStorage, type Storage } from '../../server/src/storage/open-storage.js';
import { toStorageSettings } from '../../server/src/storage/storage-settings.js';
import { createTestDatabase } from '../../server/test/support/database.js';
import { startStorage } from '../src/storage/storage-server.js';

export { keysOf, textOf } from '../../server/test/storage/open-test-storage.js';

/** A storage of the sandbox, and the client of the service for it. */
export interface TestStorage extends Storage {
  readonly url: string;
  /** The clock of the storage, which the test may set. */
  readonly clock: { now: Date };
}

export const secret = 'a secret of this storage';

/** Starts an empty storage, by default for one test. */
export async function openTestStorage(
  onEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<TestStorage> {
  const database = await createTestDatabase({ empty: true });
  onEnd(() => database.drop());
  const clock = { now: new Date() };
  const server = await startStorage({
    databaseUrl: database.url,
    secret,
    port: 0,
    now: () => clock.now,
  });
  onEnd(() => server.close());
  const storage = await openStorage(toStorageSettings(server.settings), createLogger('silent'));
  onEnd(() => storage.close());
  return { ...storage, url: server.settings.S3_ENDPOINT, clock };
}

/** Starts one storage for several tests that leave it as it was. */
export function shareTestStorage(): () => TestStorage {
  let storage: TestStorage | undefined;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    storage = await openTestStorage((close) => closing.unshift(close));
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });
  return () => storage ?? expect.fail();
}

/** The bucket and prefix of the upload credentials. */
export const upload = { bucket: 'adx-coda-uploads', prefix: 'uploads/kantoor-maes-4f7a6c' };

/** Creates a client of the SDK as partners do, with only the address and the credentials. */
export function partnerClient(
  { url }: TestStorage,
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
): S3Client {
  const client = new S3Client({
    endpoint: url,
    region: 'eu-west-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials,
  });
  onTestFinished(() => client.destroy());
  return client;
}
