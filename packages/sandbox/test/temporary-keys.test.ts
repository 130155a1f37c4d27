import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { AwsClient } from 'aws4fetch';
import { beforeEach, describe, expect, test } from 'vitest';
import { deriveCredentials, issueTemporary } from '../src/storage/credentials.js';
import { largestUpload } from '../src/storage/operations.js';
import { keysOf, partnerClient, textOf, upload, useTestStorage } from './open-test-storage.js';
import { type Credentials, type RawRequest, send, sendSigned, signed } from './send-signed.js';

const { bucket, prefix } = upload;
const own = `/${bucket}/${prefix}/a.cod`;

const storage = useTestStorage();
let keys: Credentials;
beforeEach(async () => {
  keys = await storage.issueUploadCredentials(upload);
});

test('§2.7 upload credentials name bucket, prefix and an hour of validity', async () => {
  expect(keys).toEqual({
    accessKeyId: expect.stringMatching(/^[A-Z0-9]{20}$/),
    secretAccessKey: expect.stringMatching(/^[\w-]{40}$/),
    sessionToken: expect.any(String),
    bucketName: bucket,
    prefix,
    endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    region: 'us-east-1',
    expirationUtc: new Date(storage.clock.now.getTime() + 3_600_000).toISOString(),
  });
  const others = await storage.issueUploadCredentials(upload);
  expect(others.accessKeyId).not.toBe(keys.accessKeyId);
});

test.each([
  ['text', () => 'bytes'],
  ['bytes', () => Buffer.from('bytes')],
  ['a stream of known length', () => Readable.from([Buffer.from('by'), Buffer.from('tes')])],
])('§2.7 the AWS SDK puts %s', async (_what, body) => {
  const key = `${prefix}/Relevé (1) & co+.cod`;
  await partnerClient(storage, keys).send(
    new PutObjectCommand({ Bucket: bucket, Key: key, Body: body(), ContentLength: 5 }),
  );
  expect(await textOf(storage, 'codaUploads', key)).toBe('bytes');
});

test('§2.7 the AWS SDK puts a large object, with `Expect: 100-continue`', async () => {
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'x');
  await partnerClient(storage, keys).send(
    new PutObjectCommand({ Bucket: bucket, Key: `${prefix}/large.cod`, Body: bytes }),
  );
  expect((await storage.store.get(bucket, `${prefix}/large.cod`))?.size).toBe(bytes.length);
});

test('§2.7 aws4fetch puts, as browsers do', async () => {
  const client = new AwsClient({ ...keys, service: 's3', region: 'eu-west-1', retries: 0 });
  const url = `${storage.url}/${bucket}/${prefix}/map%20een/a.cod`;
  const response = await client.fetch(url, { method: 'PUT', body: 'bytes' });
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await textOf(storage, 'codaUploads', `${prefix}/map een/a.cod`)).toBe('bytes');

  const query = await client.sign(`${storage.url}${own}`, {
    method: 'PUT',
    aws: { signQuery: true },
  });
  expect((await fetch(query.url, { method: 'PUT', body: 'more' })).status).toBe(200);
  expect(await textOf(storage, 'codaUploads', `${prefix}/a.cod`)).toBe('more');
});

test('§2.7 a temporary key may name the storage class STANDARD, which is the default', async () => {
  const answer = await sendSigned(storage, keys, put(own, { 'X-Amz-Storage-Class': 'STANDARD' }));
  expect(answer.status).toBe(200);
  expect(await textOf(storage, 'codaUploads', `${prefix}/a.cod`)).toBe('bytes');
});

test('§2.7 a put in another storage class is refused by its name', async () => {
  const archived = put(own, { 'X-Amz-Storage-Class': 'STANDARD_IA' });
  const { status, text } = await sendSigned(storage, keys, archived);
  expect([status, text]).toEqual([
    403,
    expect.stringContaining(' x-amz-storage-class: STANDARD_IA<'),
  ]);
});

test('§2.7 curl puts', async () => {
  const { stdout } = await promisify(execFile)('curl', [
    ...['-sS', '--aws-sigv4', 'aws:amz:eu-west-1:s3', '-w', '%{http_code}'],
    ...['--user', `${keys.accessKeyId}:${keys.secretAccessKey}`],
    ...['-H', `x-amz-security-token: ${keys.sessionToken}`],
    ...['-H', 'x-amz-content-sha256: UNSIGNED-PAYLOAD'],
    ...['-X', 'PUT', '--data-binary', 'bytes', `${storage.url}${own}`],
  ]);
  expect(stdout).toBe('200');
  expect(await textOf(storage, 'codaUploads', `${prefix}/a.cod`)).toBe('bytes');
});

const put = (path: string, headers = {}): RawRequest => ({
  method: 'PUT',
  path,
  headers,
  body: 'bytes',
});
const copySource = { 'X-Amz-Copy-Source': `${bucket}/${prefix}/kept.cod` };

/** Requests that a temporary key must not permit. Each is signed with one. */
const notPermitted: readonly [string, RawRequest][] = [
  ['list of buckets', { method: 'GET', path: '/' }],
  ['list', { method: 'GET', path: `/${bucket}?list-type=2` }],
  ['list of its prefix', { method: 'GET', path: `/${bucket}?list-type=2&prefix=${prefix}%2F` }],
  ['bucket', { method: 'HEAD', path: `/${bucket}` }],
  ['new bucket', { method: 'PUT', path: '/adx-other' }],
  ['removal of the bucket', { method: 'DELETE', path: `/${bucket}` }],
  ['get', { method: 'GET', path: `/${bucket}/${prefix}/kept.cod` }],
  ['head', { method: 'HEAD', path: `/${bucket}/${prefix}/kept.cod` }],
  ['delete', { method: 'DELETE', path: `/${bucket}/${prefix}/kept.cod` }],
  ['delete of many', { method: 'POST', path: `/${bucket}?delete`, body: '<Delete/>' }],
  ['form', { method: 'POST', path: `/${bucket}`, body: 'x' }],
  ['other prefix', put(`/${bucket}/uploads/other/a.cod`)],
  ['no prefix', put(`/${bucket}/a.cod`)],
  ['sibling that begins the same', put(`/${bucket}/${prefix}d/a.cod`)],
  ['the prefix itself', put(`/${bucket}/${prefix}`)],
  ['other bucket', put(`/adx-codb-uploads/${prefix}/a.cod`)],
  ['bucket of files', put(`/adx-files/${prefix}/a.cod`)],
  ['copy', put(own, copySource)],
  ['begin of parts elsewhere', { method: 'POST', path: `/${bucket}/uploads/other/a.cod?uploads` }],
  ['copy of a part', put(`${own}?partNumber=1&uploadId=x`, copySource)],
  ['abort', { method: 'DELETE', path: `${own}?uploadId=x` }],
  ['list of parts', { method: 'GET', path: `${own}?uploadId=x` }],
  ['list of uploads', { method: 'GET', path: `/${bucket}?uploads` }],
  [
    'begin of an archive',
    { method: 'POST', path: `${own}?uploads`, headers: { 'X-Amz-Storage-Class': 'GLACIER' } },
  ],
  ['access list', put(`${own}?acl`)],
  ['tags', put(`${own}?tagging`)],
  ['version', put(`${own}?versionId=1`)],
  ['access header', put(own, { 'X-Amz-Acl': 'public-read' })],
  ['grant header', put(own, { 'X-Amz-Grant-Read': 'uri=all' })],
  ['tag header', put(own, { 'X-Amz-Tagging': 'a=b' })],
  ['archive', put(own, { 'X-Amz-Storage-Class': 'GLACIER' })],
  ['other storage class', put(own, { 'X-Amz-Storage-Class': 'STANDARD_IA' })],
  ['own key', put(own, { 'X-Amz-Server-Side-Encryption-Customer-Algorithm': 'AES256' })],
  ['own KMS key', put(own, { 'X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id': 'arn:aws:kms:x' })],
  ['lock header', put(own, { 'X-Amz-Object-Lock-Mode': 'COMPLIANCE' })],
  ['redirect header', put(own, { 'X-Amz-Website-Redirect-Location': '/x' })],
];

describe('permissions', () => {
  test.each(notPermitted)('§2.7 a temporary key does not permit: %s', async (_what, request) => {
    await storage.store.put(bucket, `${prefix}/kept.cod`, Buffer.from('kept'), 'x/y');
    const answer = await sendSigned(storage, keys, request);
    expect(answer.status).toBe(403);
    if (request.method !== 'HEAD') expect(answer.code).toBe('AccessDenied');
    expect(await keysOf(storage, 'codaUploads')).toEqual([`${prefix}/kept.cod`]);
    expect(await keysOf(storage, 'files')).toEqual([]);
    expect(await keysOf(storage, 'codbUploads')).toEqual([]);
  });
});

describe('ambiguous keys', () => {
  test.each([
    `/${bucket}/${prefix}/../other/a.cod`,
    `/${bucket}/${prefix}/%2e%2e/other/a.cod`,
    `/${bucket}/${prefix}%2F..%2Fother/a.cod`,
    `/${bucket}/${prefix}%2Fa.cod`,
    `/${bucket}/${prefix}//a.cod`,
    `/${bucket}//${prefix}/a.cod`,
    `//${bucket}/${prefix}/a.cod`,
    `/${bucket}/${prefix}/./a.cod`,
    `/${bucket}/${prefix}/a.cod/`,
    `/${bucket}/${prefix}/`,
    `/${bucket}/${prefix}/%00.cod`,
    `/${bucket}/${prefix}/%0a.cod`,
    `/${bucket}/${prefix}/%zz.cod`,
    `/${bucket}/${prefix}/%ff.cod`,
    `http://x/${bucket}/${prefix}/a.cod`,
  ])('§2.7 a key that could be taken for another is refused: %s', async (path) => {
    const { headers, body } = signed(storage, keys, put(own));
    const answer = await send(storage, { ...put(path), headers, body: body ?? '' });
    expect(answer).toMatchObject({ status: 400, code: 'InvalidURI' });
    expect(await keysOf(storage, 'codaUploads')).toEqual([]);
  });
});

test('§2.7 a temporary key works for an hour, and not a second longer', async () => {
  const issued = storage.clock.now.getTime();
  storage.clock.now = new Date(issued + 3_599_000);
  expect((await sendSigned(storage, keys, put(own))).status).toBe(200);
  storage.clock.now = new Date(issued + 3_600_000);
  expect(await sendSigned(storage, keys, put(own))).toMatchObject({
    status: 400,
    code: 'ExpiredToken',
  });
});

test('D-53 a temporary key also expires by the time that scenarios let pass', async () => {
  storage.elapsed.ms = 3_599_000;
  expect((await sendSigned(storage, keys, put(own))).status).toBe(200);
  storage.elapsed.ms = 3_600_000;
  expect((await sendSigned(storage, keys, put(own))).code).toBe('ExpiredToken');
});

test('§2.7 a changed token, and a token with another secret, are refused', async () => {
  const { sessionToken = '', ...pair } = keys;
  const other = await storage.issueUploadCredentials({ bucket, prefix: 'uploads/other' });
  const [payload = '', mark = ''] = sessionToken.split('.');
  const wider = Buffer.from(
    Buffer.from(payload, 'base64url').toString().replace(prefix, 'uploads'),
  ).toString('base64url');
  const foreign = issueTemporary(
    deriveCredentials('the secret of another storage'),
    { bucket, prefix: `${prefix}/` },
    { issued: storage.clock.now, expires: new Date(storage.clock.now.getTime() + 3_600_000) },
  );
  const codeOf = async (credentials: Credentials) =>
    (await sendSigned(storage, credentials, put(own))).code;
  expect(await codeOf({ ...pair, sessionToken: `${wider}.${mark}` })).toBe('InvalidToken');
  expect(await codeOf({ ...pair, sessionToken: `${sessionToken}.x` })).toBe('InvalidToken');
  expect(await codeOf({ ...pair, sessionToken: payload })).toBe('InvalidToken');
  expect(await codeOf({ ...pair, sessionToken: 'x' })).toBe('InvalidToken');
  expect(await codeOf({ ...pair, sessionToken: other.sessionToken })).toBe('InvalidToken');
  expect(await codeOf(foreign)).toBe('InvalidToken');
  expect(await codeOf(pair)).toBe('InvalidAccessKeyId');
  expect(await codeOf({ ...keys, secretAccessKey: other.secretAccessKey })).toBe(
    'SignatureDoesNotMatch',
  );
});

test('§2.7 an upload that is too large is refused before it is sent', async () => {
  const tooLarge = {
    'Content-Length': largestUpload + 1,
    'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
  };
  const { headers } = signed(storage, keys, put(own, tooLarge));
  const answer = await send(storage, { ...put(own), headers, body: Buffer.alloc(1000) });
  expect(answer).toMatchObject({ status: 400, code: 'EntityTooLarge' });
  expect(answer.headers['connection']).toBe('close');
});

test('§2.7 an upload of 25 MiB is accepted', { tags: 'long' }, async () => {
  const body = Buffer.alloc(25 * 1024 * 1024, 'x');
  expect((await sendSigned(storage, keys, { ...put(own), body })).status).toBe(200);
});
