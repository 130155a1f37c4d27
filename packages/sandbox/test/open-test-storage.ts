import { S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { beforeEach, onTestFinished } from 'vitest';
import { useStarted } from '../../../test/support/use-service.js';
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
  /** The time in ms that the scenario `time` has let pass, which the test may set. */
  readonly elapsed: { ms: number };
}

export const secret = 'a secret of this storage';

async function startTestStorage() {
  const database = await createTestDatabase({ empty: true });
  const [clock, elapsed] = [{ now: new Date() }, { ms: 0 }];
  const server = await startStorage({
    databaseUrl: database.url,
    secret,
    port: 0,
    now: () => clock.now,
    elapsedSince: () => elapsed.ms,
  });
  const storage = await openStorage(toStorageSettings(server.settings), createLogger('silent'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return {
    ...{ ...storage, url: server.settings.S3_ENDPOINT, clock, elapsed },
    async empty() {
      await client.query('delete from objects; delete from multipart_uploads');
      clock.now = new Date();
      elapsed.ms = 0;
    },
    async close() {
      await client.end();
      await storage.close();
      await server.close();
      await database.release();
    },
  };
}

/** Gives a test file a storage, which each test finds empty. */
export function useTestStorage(): TestStorage {
  const storage = useStarted(startTestStorage, ({ close }) => close());
  beforeEach(() => storage.empty());
  return storage;
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
