import { isIPv6 } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { createRoleCredentials } from './assume-role.js';
import { bucketUrl } from './bucket-url.js';
import { checkBuckets } from './check-buckets.js';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded/embedded-storage.js';
import { createObjectStore, type ObjectStore } from './object-store.js';
import { createPresign, type Presign } from './presign.js';
import { createS3Client } from './s3-client.js';
import { holdCredentials } from './signing-credentials.js';
import type {
  EmbeddedStorageSettings,
  S3StorageSettings,
  StorageBuckets,
} from './storage-settings.js';
import { type IssueUploadCredentials, uploadSeconds } from './upload-credentials.js';

/** The object storage of the service. */
export interface Storage {
  readonly buckets: StorageBuckets;
  readonly store: ObjectStore;
  readonly presign: Presign;
  readonly issueUploadCredentials: IssueUploadCredentials;
  /** Rejects where the storage does not answer or lacks a bucket. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageOptions {
  readonly logger: Logger;
  readonly now: () => Date;
}

/** The buckets of the embedded storage. */
const embeddedBuckets: StorageBuckets = {
  files: 'adx-files',
  codaUploads: 'adx-coda-uploads',
  codbUploads: 'adx-codb-uploads',
};

/**
 * Opens the storage of the settings, or the embedded one of the data folder, which is started where
 * no other process runs it. One of your own is not asked for anything yet: `check` does that.
 *
 * @throws Error when the port of the embedded storage is taken, or there is no key to sign with
 */
export function openStorage(config: Config, options: StorageOptions): Promise<Storage> {
  const { storage } = config;
  return storage.kind === 'embedded'
    ? openEmbedded(config, storage, options)
    : openOwn(storage, options);
}

async function openEmbedded(
  { dataDir, host, corsOrigin }: Config,
  { port, publicUrl }: EmbeddedStorageSettings,
  { logger, now }: StorageOptions,
): Promise<Storage> {
  const buckets = embeddedBuckets;
  const embedded = await startEmbeddedStorage({
    ...{ dataDir, host, port, corsOrigin, now, logger },
    buckets: Object.values(buckets),
  });
  const credentials = embedded.keys.service;
  const access = { endpoint: urlOf(embedded), region: 'us-east-1', pathStyle: true, credentials };
  const client = createS3Client(access);
  return {
    buckets,
    store: createObjectStore(client),
    presign: createPresign(
      `${publicUrl ?? access.endpoint}/${buckets.files}`,
      access.region,
      () => credentials,
    ),
    async issueUploadCredentials({ bucket, prefix }, issuedAt) {
      const expires = new Date(issuedAt.getTime() + uploadSeconds * 1000);
      const keys = embedded.keys.issue({ bucket, prefix }, expires);
      return { ...keys, bucketName: bucket, prefix, expirationUtc: expires.toISOString() };
    },
    check: () => checkBuckets(client, buckets),
    async close() {
      client.destroy();
      await embedded.close();
    },
  };
}

async function openOwn(settings: S3StorageSettings, { logger }: StorageOptions): Promise<Storage> {
  const { buckets, endpoint, publicUrl, region, pathStyle } = settings;
  const client = createS3Client(settings);
  const held = await holdCredentials(client, logger);
  const role = createRoleCredentials(settings);
  const place = { endpoint: publicUrl ?? endpoint, pathStyle };
  return {
    buckets,
    store: createObjectStore(client),
    presign: createPresign(bucketUrl(client, buckets.files, region, place), region, held.current),
    issueUploadCredentials: role.issue,
    check: () => checkBuckets(client, buckets),
    async close() {
      held.close();
      role.close();
      client.destroy();
    },
  };
}

function urlOf({ host, port }: EmbeddedStorage): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
