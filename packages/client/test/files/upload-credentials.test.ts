import { describe, expect, it, vi } from 'vitest';
import { StorageError } from '../../src/index.js';
import { errorOf, failure, gate } from '../support/test-service.js';
import { refuse } from '../support/test-storage.js';
import {
  content,
  credentials,
  issue,
  name,
  uploadsForEachTest,
} from '../support/upload-credentials.js';

const { service, storage, files } = uploadsForEachTest();

describe('client: upload credentials', () => {
  it('§2.7 are requested once for any number of uploads', async () => {
    const codaFiles = files();
    await Promise.all([codaFiles.upload(content, name), codaFiles.upload(content, name)]);
    await codaFiles.upload(content, name);
    expect(service.count(issue)).toBe(1);
    expect(storage.received).toHaveLength(3);
  });

  it('§2.7 are not those of another client', async () => {
    await files().upload(content, name);
    await files().upload(content, name);
    expect(service.count(issue)).toBe(2);
  });

  it('§2.7 are renewed 5 minutes before they expire', async () => {
    const codaFiles = files();
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    await codaFiles.upload(content, name);
    vi.setSystemTime(start + 54 * 60_000);
    await codaFiles.upload(content, name);
    expect(service.count(issue)).toBe(1);
    vi.setSystemTime(start + 56 * 60_000);
    await codaFiles.upload(content, name);
    expect(service.count(issue)).toBe(2);
    expect(storage.received[2]?.headers.authorization).toContain('ASIAEXAMPLEKEY2');
  });

  it('§2.7 are renewed once if the storage reports that they have expired', async () => {
    storage.answering = (response, { headers }) =>
      headers.authorization?.includes('KEY1')
        ? refuse(response, 400, 'ExpiredToken')
        : response.end();
    const codaFiles = files();
    await Promise.all([codaFiles.upload(content, name), codaFiles.upload(content, name)]);
    expect(service.count(issue)).toBe(2);
  });

  it('§2.7 are not renewed twice, and not after another refusal', async () => {
    storage.answering = (response) => refuse(response, 400, 'ExpiredToken');
    const codaFiles = files();
    const expired = await errorOf(codaFiles.upload(content, name));
    expect(expired).toBeInstanceOf(StorageError);
    expect(service.count(issue)).toBe(2);
    storage.answering = (response) => refuse(response, 403, 'AccessDenied');
    const denied = await errorOf(codaFiles.upload(content, name));
    expect(denied).toMatchObject({
      name: 'StorageError',
      operation: 'getCodaUploadCredentials',
      status: 403,
      code: 'AccessDenied',
      message: expect.stringContaining('About AccessDenied.'),
    });
    expect(service.count(issue)).toBe(2);
  });

  it('§2.7 are requested again after a failure', async () => {
    service.on(issue, (_, nth) =>
      nth === 1 ? failure(500, 'internalError') : { json: credentials(nth) },
    );
    const codaFiles = files({ maxRetries: 0 });
    await expect(codaFiles.upload(content, name)).rejects.toMatchObject({ status: 500 });
    await codaFiles.upload(content, name);
    expect(storage.received).toHaveLength(1);
  });

  it('§2.7 still arrive for other uploads if one that waits is cancelled', async () => {
    const asked = gate();
    const held = gate();
    service.on(issue, async (_, nth) => {
      asked.open();
      await held.opened;
      return { json: credentials(nth) };
    });
    const codaFiles = files();
    const controller = new AbortController();
    const { signal } = controller;
    const cancelled = errorOf(codaFiles.upload(content, name, { signal }));
    const other = codaFiles.upload(content, name);
    await asked.opened;
    controller.abort(new Error('enough'));
    expect(await cancelled).toBe(signal.reason);
    held.open();
    await other;
    expect(service.count(issue)).toBe(1);
  });
});
