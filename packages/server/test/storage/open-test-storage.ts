import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/logger.js';
import { openStorage, type Storage } from '../../src/storage/open-storage.js';

/** An embedded storage of a folder, with what tests need to speak to it by themselves. */
export interface TestStorage extends Storage {
  /** Where it listens. */
  readonly url: string;
  /** Its clock, which the test may move. */
  readonly clock: { now: Date };
}

export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adx-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens the storage of a folder, or of a new one, for one test. */
export async function openTestStorage(
  dataDir = newDataDir(),
  settings: Record<string, string> = {},
): Promise<TestStorage> {
  const clock = { now: new Date() };
  const config = loadConfig({ ADX_DATA_DIR: dataDir, STORAGE_PORT: '0', ...settings });
  const storage = await openStorage(config, {
    logger: createLogger('silent'),
    now: () => clock.now,
  });
  onTestFinished(() => storage.close());
  const { origin } = new URL(storage.presign({ key: 'k', fileName: 'n' }, clock.now));
  return { ...storage, url: origin, clock };
}

/** What the temporary keys of a tenant are issued for. */
export const upload = { bucket: 'adx-coda-uploads', prefix: 'uploads/kantoor-maes-4f7a6c' };

/** The SDK as a partner has it, without settings but for where and who. */
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

/** The bytes of an object as text; undefined where there is none. */
export async function textOf(
  { store }: Storage,
  bucket: string,
  key: string,
): Promise<string | undefined> {
  const found = await store.get(bucket, key);
  if (found === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of found.bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** The keys of a list. */
export async function keysOf({ store }: Storage, bucket: string, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(bucket, prefix)) keys.push(key);
  return keys;
}
