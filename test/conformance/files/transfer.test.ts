import { type Client, createClient, NotFoundError, StorageError } from '@adx/client';
import { describe, expect, test, vi } from 'vitest';
import { insertCodaFile, listedFiles } from '../../../packages/server/test/support/files.js';
import { newCustomer } from '../../support/new-customer.js';
import { useTestService } from '../../support/use-service.js';

const service = useTestService({ now: () => new Date(clock) });
let clock = Date.now();

const content = Buffer.from('0000002032672505        00123456  Één afschrift\r\n'.repeat(20_000));

async function newPartner(): Promise<{ client: Client; tenant: string }> {
  const firmId = await service.createFirm(undefined, { codbUpload: true });
  const { username, password } = await service.createUser({ firmId });
  const { key: apiKey } = await service.issueApiKey();
  const { tenant } = await service.knex('firms').where({ id: firmId }).first('tenant');
  const { presign } = service.storage;
  const storageUrl = new URL(presign({ key: 'k', fileName: 'n' }, new Date())).origin;
  const { baseUrl } = service;
  return { client: createClient({ baseUrl, apiKey, username, password, storageUrl }), tenant };
}

async function storeFile(client: Client): Promise<string> {
  const { id: customerId } = await client.customers.create(newCustomer());
  const id = await insertCodaFile(service.knex, customerId, { fileName: 'march.cod' });
  const { buckets, store } = service.storage;
  const keys = await listedFiles(service.knex).where({ id }).first('object_key', 'pdf_key');
  await store.put(buckets.files, keys.object_key, content, 'text/plain');
  await store.put(buckets.files, keys.pdf_key, Buffer.from('%PDF-1.7'), 'application/pdf');
  return id;
}

async function onlyFile(client: Client) {
  const groups = await client.codaFiles.list({ redownload: true });
  const [file] = groups.flatMap(({ ibans }) => ibans.flatMap(({ files }) => files));
  return file ?? expect.fail('no file is listed');
}

async function bytesAt(bucket: string, key: string): Promise<Buffer> {
  const object = await service.storage.store.get(bucket, key);
  const parts: Uint8Array[] = [];
  for await (const part of object?.bytes ?? []) parts.push(part);
  return Buffer.concat(parts);
}

describe('§2.5 client: download', () => {
  test('§2.5 it returns the file and its PDF', async () => {
    const { client } = await newPartner();
    await storeFile(client);
    const file = await onlyFile(client);
    const own = await client.codaFiles.download(file);
    expect(own).toMatchObject({ fileName: 'march.cod', size: content.length });
    expect(content.equals(await own.bytes())).toBe(true);
    const pdf = await client.codaFiles.download(file, { kind: 'pdf' });
    expect(pdf.fileName).toBe('march.pdf');
    expect(Buffer.from(await pdf.bytes()).toString()).toBe('%PDF-1.7');
  });

  test('§2.5 it replaces a URL that the storage refuses after 30 minutes', async () => {
    // The service signs with the clock of the test, and the storage checks with the real time.
    clock = Date.now() - 31 * 60_000;
    const { client } = await newPartner();
    const id = await storeFile(client);
    const file = await onlyFile(client);
    await client.codaFiles.acknowledge(id);
    clock = Date.now();
    expect((await fetch(file.urls.coda)).status).toBe(403);
    const { bytes } = await client.codaFiles.download(file);
    expect(content.equals(await bytes())).toBe(true);
  });

  test('§2.5 a file of an archived customer is no longer found', async () => {
    const { client } = await newPartner();
    await storeFile(client);
    const { urls, ...file } = await onlyFile(client);
    const [customer] = await client.customers.list();
    await client.customers.archive(customer?.id ?? '');
    const url = new URL(urls.coda);
    url.searchParams.set('X-Amz-Signature', '0'.repeat(64));
    const downloading = client.codaFiles.download({ ...file, urls: { coda: url.href } });
    await expect(downloading).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe('§4.20, §4.21 client: upload', () => {
  test.each(['codaFiles', 'codbFiles'] as const)('%s arrive under the prefix', async (resource) => {
    const { client, tenant } = await newPartner();
    for (const name of ['march.cod', '../Relevé n° 3 (été)+é.cod', 'выписка']) {
      const { bucketName, key } = await client[resource].upload(content, name);
      const { codaUploads, codbUploads } = service.storage.buckets;
      expect(bucketName).toBe(resource === 'codaFiles' ? codaUploads : codbUploads);
      expect(key).toMatch(new RegExp(`^uploads/${tenant}-[0-9a-f]{24}/`));
      expect(content.equals(await bytesAt(bucketName, key))).toBe(true);
    }
  });

  test('§4.20 it uploads a stream, and an empty file', async () => {
    const { client } = await newPartner();
    for (const bytes of [content, Buffer.alloc(0)]) {
      const { bucketName, key } = await client.codaFiles.upload(
        new Blob([bytes]).stream(),
        'a.cod',
      );
      expect(bytes.equals(await bytesAt(bucketName, key))).toBe(true);
    }
  });

  test('§2.7 a clock that is an hour ahead is named as the reason', async () => {
    const { client } = await newPartner();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const error = await client.codaFiles.upload(content, 'a.cod').catch((it: unknown) => it);
    vi.useRealTimers();
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ status: 403, code: 'RequestTimeTooSkewed' });
  });
});
