import { S3Client } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import { createLogger } from '../../src/logger.js';
import { openStorage, type Storage } from '../../src/storage/open-storage.js';
import { type StorageBuckets, toStorageSettings } from '../../src/storage/storage-settings.js';
import { createTestBuckets } from '../support/buckets.js';

/** The storage of a test, with the settings for other processes. */
export interface TestStorage extends Storage {
  readonly settings: Readonly<Record<string, string>>;
}

/** Calls a function at the end of a test, as `onTestFinished`, or of a file, as `afterAll`. */
export type AtEnd = (close: () => Promise<void>) => void;

/**
 * Opens a storage for one test, or with `afterAll` for a file, with new buckets or those of the
 * settings.
 */
export async function openTestStorage(
  settings?: Readonly<Record<string, string>>,
  atEnd: AtEnd = onTestFinished,
): Promise<TestStorage> {
  const all = settings ?? (await createTestBuckets());
  const storage = await openStorage(toStorageSettings(all), createLogger('silent'));
  atEnd(() => storage.close());
  return { ...storage, settings: all };
}

/** Creates a client of the SDK as partners do, with only the address and the credentials. */
export function partnerClient(
  { settings }: TestStorage,
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
): S3Client {
  const client = new S3Client({
    endpoint: settings['S3_ENDPOINT'] ?? '',
    region: 'eu-west-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials,
  });
  onTestFinished(() => client.destroy());
  return client;
}

/** Returns an object as text; undefined if there is none. */
export async function textOf(
  storage: Storage,
  bucket: keyof StorageBuckets,
  key: string,
): Promise<string | undefined> {
  return (await contentOf(storage, bucket, key))?.toString();
}

/** Returns the content of an object; undefined if there is none. */
export async function contentOf(
  { store, buckets }: Storage,
  bucket: keyof StorageBuckets,
  key: string,
): Promise<Buffer | undefined> {
  const found = await store.get(buckets[bucket], key);
  if (found === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of found.bytes) parts.push(part);
  return Buffer.concat(parts);
}

/** Returns the keys of the objects with a prefix. */
export async function keysOf(
  { store, buckets }: Storage,
  bucket: keyof StorageBuckets,
  prefix = '',
): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(buckets[bucket], prefix)) keys.push(key);
  return keys;
}
