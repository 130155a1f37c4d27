import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { deriveCredentials } from '../src/storage/credentials.js';
import { largestUpload } from '../src/storage/operations.js';
import {
  keysOf,
  partnerClient,
  secret,
  textOf,
  upload,
  useTestStorage,
} from './open-test-storage.js';
import { type Credentials, sendSigned } from './send-signed.js';

const { bucket: Bucket, prefix } = upload;
const Key = `${prefix}/Relevé (1) & co+.cod`;
const smallest = 5 * 1024 * 1024;
const storage = useTestStorage();
const owner = deriveCredentials(secret);

const refused = (sent: Promise<unknown>, name: string) =>
  expect(sent).rejects.toThrow(expect.objectContaining({ name }));

/** Begins an upload with temporary keys of its own. */
async function begin() {
  const keys = await storage.issueUploadCredentials(upload);
  const client = partnerClient(storage, keys);
  const place = { Bucket, Key };
  const create = { ...place, ContentType: 'text/x-coda', StorageClass: 'STANDARD' } as const;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(create));
  const put = async (PartNumber: number, Body: Buffer | Readable, ContentLength?: number) => {
    const length = ContentLength === undefined ? {} : { ContentLength };
    const part = { ...place, ...length, UploadId, PartNumber, Body };
    const { ETag } = await client.send(new UploadPartCommand(part));
    return { PartNumber, ETag };
  };
  const complete = (Parts: CompletedPart[], more = {}) => {
    const parameters = { ...place, UploadId, MultipartUpload: { Parts }, ...more };
    return client.send(new CompleteMultipartUploadCommand(parameters));
  };
  return { client, UploadId, put, complete };
}

test('§2.7 multipart: parts in any order become one object, and nothing is listed before', async () => {
  const { put, complete } = await begin();
  const last = await put(7, Readable.from([Buffer.from('la'), Buffer.from('st')]), 4);
  await put(2, Buffer.from('replaced by what follows'));
  const first = await put(2, Buffer.alloc(smallest, 'x'));
  await put(9, Buffer.from('not in the list'));
  expect(await keysOf(storage, 'codaUploads')).toEqual([]);
  const { ETag } = await complete([first, last], { MpuObjectSize: smallest + 4 });
  expect(ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
  expect(await textOf(storage, 'codaUploads', Key)).toBe(`${'x'.repeat(smallest)}last`);
  const head = new HeadObjectCommand({ Bucket, Key });
  const found = await partnerClient(storage, owner).send(head);
  expect(found).toMatchObject({ ContentType: 'text/x-coda', ETag });
  expect((await complete([first, last])).ETag, 'a repeated call').toBe(ETag);
  await refused(complete([first]), 'NoSuchUpload');
  await refused(put(1, Buffer.from('x')), 'NoSuchUpload');
});

test.each(['<Part><PartNumber>', '<Part>', ' ', '<ETag> '])(
  '§2.7 multipart: the longest list is read in one pass, here full of `%s`',
  async (text) => {
    const body = `<Part><PartNumber>${text.repeat((1024 * 1024 - 30) / text.length)}</Part>`;
    const path = `/${Bucket}/${prefix}/a.cod?uploadId=x`;
    // Reading it again from each of its characters would take hours.
    const { code } = await sendSigned(storage, owner, { method: 'POST', path, body });
    expect(code).toBe('MalformedXML');
  },
);

test('§2.7 multipart: an upload that breaks a rule of S3 stays as it was, and can be completed', async () => {
  const { client, UploadId, put, complete } = await begin();
  const small = await put(1, Buffer.from('small'));
  const last = await put(2, Buffer.from('last'));
  const absent = { PartNumber: 3, ETag: '"x-1"' };
  await refused(complete([last, small]), 'InvalidPartOrder');
  await refused(complete([last, last]), 'InvalidPartOrder');
  await refused(complete([small, absent]), 'InvalidPart');
  await refused(complete([{ ...small, ETag: last.ETag }]), 'InvalidPart');
  await refused(complete([small, last]), 'EntityTooSmall');
  await refused(complete([]), 'MalformedXML');
  await refused(complete([last], { MpuObjectSize: 5 }), 'InvalidRequest');
  await refused(put(0, Buffer.from('x')), 'InvalidArgument');
  await refused(put(10_001, Buffer.from('x')), 'InvalidArgument');
  const elsewhere = { Bucket, Key: `${Key}2`, UploadId, PartNumber: 1, Body: 'x' };
  await refused(client.send(new UploadPartCommand(elsewhere)), 'NoSuchUpload');
  await complete([last]);
});

test('§2.7 multipart: all parts together are as large as a single upload at most', {
  tags: 'long',
}, async () => {
  const { put } = await begin();
  await put(1, Buffer.alloc(largestUpload - 4));
  const both = await Promise.allSettled([put(2, Buffer.from('two')), put(3, Buffer.from('six'))]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await refused(put(4, Buffer.from('xx')), 'EntityTooLarge');
  await put(1, Buffer.alloc(largestUpload - 5));
  await put(4, Buffer.from('xx'));
});

/** Begins an upload without the SDK, and returns the request that puts its first part. */
async function beginSigned(keys: Credentials) {
  const path = `/${Bucket}/${prefix}/a.cod`;
  const begun = await sendSigned(storage, keys, { method: 'POST', path: `${path}?uploads` });
  const id = /<UploadId>(.+)<\/UploadId>/.exec(begun.text)?.[1];
  return { method: 'PUT', path: `${path}?partNumber=1&uploadId=${id}`, body: 'x' };
}

test('§2.7 multipart: a part that is put again counts once', async () => {
  const keys = await storage.issueUploadCredentials(upload);
  const headers = { 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' };
  const part = { ...(await beginSigned(keys)), headers, body: Buffer.alloc(largestUpload / 2 + 1) };
  for (const _ of ['first', 'again']) {
    expect((await sendSigned(storage, keys, part)).status).toBe(200);
  }
});

test('§2.7 multipart: the owner of the storage can abort', async () => {
  const { UploadId, put } = await begin();
  const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
  await partnerClient(storage, owner).send(abort);
  await refused(put(1, Buffer.from('x')), 'NoSuchUpload');
});

test('§2.7 multipart: an upload is removed after a day', async () => {
  const part = await beginSigned(owner);
  const begin = storage.clock.now.getTime();
  for (const [ms, code] of [
    [-1, undefined],
    [0, 'NoSuchUpload'],
  ] as const) {
    storage.clock.now = new Date(begin + 24 * 3_600_000 + ms);
    expect((await sendSigned(storage, owner, part)).code).toBe(code);
  }
});

test('§2.7 a put with `If-None-Match: *` never replaces an object, and one of several at once succeeds', async () => {
  const own = { Bucket, Key: `${prefix}/once.cod`, IfNoneMatch: '*' };
  const { client } = await begin();
  const put = (Body: string) => client.send(new PutObjectCommand({ ...own, Body }));
  const puts = await Promise.allSettled(['a', 'b', 'c'].map(put));
  expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const kept = await textOf(storage, 'codaUploads', own.Key);
  const create = new CreateMultipartUploadCommand({ Bucket, Key: own.Key });
  const { UploadId } = await client.send(create);
  const part = { Bucket, Key: own.Key, UploadId, PartNumber: 1 };
  const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: 'parts' }));
  const list = { MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] }, UploadId };
  await refused(
    client.send(new CompleteMultipartUploadCommand({ ...own, ...list })),
    'PreconditionFailed',
  );
  await refused(put('d'), 'PreconditionFailed');
  expect(await textOf(storage, 'codaUploads', own.Key)).toBe(kept);
  await client.send(
    new CompleteMultipartUploadCommand({ ...own, ...list, IfNoneMatch: undefined }),
  );
  expect(await textOf(storage, 'codaUploads', own.Key)).toBe('parts');
});
