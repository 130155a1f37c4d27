import { afterEach, beforeEach, vi } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import { clientOf } from './client-of.js';
import { TestService } from './test-service.js';
import { secretAccessKey, TestStorage } from './test-storage.js';

export const issue = 'POST /coda-files/upload-credentials';

/** Returns the nth upload credentials. */
export const credentials = (nth: number) => ({
  accessKeyId: `ASIAEXAMPLEKEY${nth}`,
  secretAccessKey,
  sessionToken: `ZXhhbXBsZS1zZXNzaW9uLXRva2Vu/+=${nth}`,
  bucketName: 'adx-coda-uploads',
  prefix: 'uploads/kantoor-maes',
  expirationUtc: new Date(Date.now() + 60 * 60_000).toISOString(),
});

/** A file to upload, and its name. */
export const content = new TextEncoder().encode('0000002032672505 Één afschrift\r\n');
export const name = 'statement.cod';

/** Makes a service that issues credentials, and a storage, for each test of the calling file. */
export function uploadsForEachTest() {
  const service = TestService.forEachTest();
  const storage = TestStorage.forEachTest();
  beforeEach(() => service.on(issue, (_, nth) => ({ json: credentials(nth) })));
  afterEach(() => vi.useRealTimers());
  const files = (options: Partial<ClientOptions> = {}) =>
    clientOf(service, { storageUrl: storage.url, ...options }).codaFiles;
  return { service, storage, files };
}
