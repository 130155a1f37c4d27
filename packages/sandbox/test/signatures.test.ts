import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { deriveCredentials } from '../src/storage/credentials.js';
import {
  keysOf,
  secret,
  type TestStorage,
  textOf,
  upload,
  useTestStorage,
} from './open-test-storage.js';
import { type Credentials, type RawRequest, send, sendSigned, signed } from './send-signed.js';

const { bucket, prefix } = upload;
const key = `${prefix}/a.cod`;
const path = `/${bucket}/${key}`;
const put: RawRequest = { method: 'PUT', path, body: 'bytes' };

const storage = useTestStorage();
let keys: Credentials;
beforeEach(async () => {
  keys = await storage.issueUploadCredentials(upload);
});

test('§2.7 an unsigned request is refused, and nothing of it is stored', async () => {
  for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
    for (const at of ['/', `/${bucket}`, path, `/${bucket}?list-type=2`]) {
      const answer = await send(storage, { method, path: at });
      expect([method, at, answer.status, answer.code]).toEqual([method, at, 403, 'AccessDenied']);
    }
  }
  expect(await keysOf(storage, 'codaUploads')).toEqual([]);
});

const changes: Record<string, (request: ReturnType<typeof signed>) => RawRequest> = {
  method: (request) => ({ ...request, method: 'GET' }),
  key: (request) => ({ ...request, path: `${path}x` }),
  query: (request) => ({ ...request, path: `${path}?x-id=PutObject` }),
  host: (request) => withHeader(request, 'Host', 'other.example'),
  date: (request) =>
    withHeader(request, 'X-Amz-Date', (request.headers['X-Amz-Date'] ?? '').replace(/.Z/, 'xZ')),
  hash: (request) => withHeader(request, 'X-Amz-Content-Sha256', 'UNSIGNED-PAYLOAD'),
  region: (request) => withAuthorization(request, 'eu-west-1', 'eu-west-2'),
  'list of signed headers': (request) => withAuthorization(request, 'host;', ''),
  signature: (request) => withAuthorization(request, /Signature=./, 'Signature=g'),
  'key id': (request) => withAuthorization(request, 'Credential=ADXT', 'Credential=ADXS'),
};

test.each(Object.entries(changes))(
  '§2.7 a signed request whose %s was changed is refused',
  async (_what, change) => {
    const request = signed(storage, keys, put);
    const answer = await send(storage, change(request));
    expect([400, 403]).toContain(answer.status);
    expect(answer.code).toMatch(
      /^(SignatureDoesNotMatch|AccessDenied|InvalidToken|AuthorizationHeaderMalformed)$/,
    );
    expect(await keysOf(storage, 'codaUploads')).toEqual([]);
    expect((await send(storage, request)).status).toBe(200);
  },
);

test('§2.7 a header of S3 that is not signed is refused', async () => {
  const request = withHeader(signed(storage, keys, put), 'X-Amz-Meta-A', 'b');
  expect(await send(storage, request)).toMatchObject({ status: 403, code: 'AccessDenied' });
});

test.each(['constructor', '__proto__', 'toString', ''])(
  '§2.7 a signature over the header "%s", which was not sent, is refused',
  async (name) => {
    const { headers, ...request } = signed(storage, keys, put);
    const authorization = String(headers['Authorization']);
    const Authorization = authorization.replace('SignedHeaders=', `SignedHeaders=${name};`);
    expect(
      await send(storage, { ...request, headers: { ...headers, Authorization } }),
    ).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
  },
);

test.each([-16, 16])('§2.7 a request %i minutes off is refused', async (minutes) => {
  const request = signed(storage, keys, put);
  storage.clock.now = new Date(storage.clock.now.getTime() + minutes * 60_000);
  expect(await send(storage, request)).toMatchObject({
    status: 403,
    code: 'RequestTimeTooSkewed',
  });
});

test('§2.7 a body other than the signed one is refused, and not stored', async () => {
  const request = signed(storage, keys, put);
  expect(await send(storage, { ...request, body: 'bytez' })).toMatchObject({
    status: 400,
    code: 'XAmzContentSHA256Mismatch',
  });
  expect(await keysOf(storage, 'codaUploads')).toEqual([]);
  await storage.store.put(bucket, key, Buffer.from('before'), 'x/y');
  await send(storage, { ...request, body: 'bytez' });
  expect(await textOf(storage, 'codaUploads', key)).toBe('before');
});

test.each([
  ['Content-MD5', 'md5'],
  ['X-Amz-Checksum-Sha256', 'sha256'],
])('§2.7 a body that does not match its %s is refused', async (header, algorithm) => {
  const sum = (text: string) => createHash(algorithm).update(text).digest('base64');
  const withSum = (text: string) => ({ ...put, headers: { [header]: sum(text) } });
  expect((await sendSigned(storage, keys, withSum('other'))).code).toBe('BadDigest');
  expect((await sendSigned(storage, keys, withSum('bytes'))).status).toBe(200);
});

test('§2.7 an interrupted upload leaves nothing', async () => {
  const { headers } = signed(storage, keys, put);
  const { hostname, port } = new URL(storage.url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PUT ${path} HTTP/1.1\r\n${lines.join('')}\r\nby`);
  // After the response to a later request, the storage has started to read the first.
  await sendSigned(storage, keys, { ...put, path: `${path}2` });
  socket.destroy();
  await sendSigned(storage, keys, { ...put, path: `${path}3` });
  expect(await keysOf(storage, 'codaUploads')).toEqual([`${key}2`, `${key}3`]);
});

test('§2.7 a client that sends `Expect: 100-continue` gets it, or the refusal', async () => {
  const firstAnswer = (request: RawRequest) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(storage.url);
      const { method, headers } = signed(storage, keys, request);
      const sent = httpRequest({
        hostname,
        port,
        method,
        path: request.path,
        agent: false,
        headers: { ...headers, Expect: '100-continue' },
      });
      let answer = '';
      sent.on('continue', () => {
        answer = 'continue, ';
        sent.end(request.body);
      });
      sent.once('response', (response) => resolve(answer + response.resume().statusCode));
      sent.on('error', reject);
      sent.flushHeaders();
    });
  expect(await firstAnswer(put)).toBe('continue, 200');
  expect(await firstAnswer({ ...put, path: `/${bucket}/uploads/other/a.cod` })).toBe('403');
});

test('§2.7 a body without a length is refused', async () => {
  const answer = await sendSigned(storage, keys, {
    ...put,
    headers: { 'Transfer-Encoding': 'chunked', 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
  });
  expect(answer).toMatchObject({ status: 411, code: 'MissingContentLength' });
});

/** Returns a body in signed chunks, as the SDK for Java sends it. */
function signedChunks(
  storage: TestStorage,
  keys: Credentials,
  chunks: readonly string[],
): RawRequest {
  const length = chunks.join('').length;
  const sizes = [...chunks, ''].map((chunk) => chunk.length.toString(16).length + chunk.length);
  const encodedLength = sizes.reduce((sum, size) => sum + size + 85, 0);
  const { headers } = signed(storage, keys, {
    method: 'PUT',
    path,
    headers: {
      'Content-Encoding': 'aws-chunked',
      'Content-Length': encodedLength,
      'X-Amz-Content-Sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      'X-Amz-Decoded-Content-Length': length,
    },
  });
  const date = headers['X-Amz-Date'] ?? '';
  const hmac = (secret: string | Buffer, text: string) =>
    createHmac('sha256', secret).update(text).digest();
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const scope = `${date.slice(0, 8)}/eu-west-1/s3/aws4_request`;
  const signingKey = scope
    .split('/')
    .reduce(hmac as (k: Buffer, t: string) => Buffer, Buffer.from(`AWS4${keys.secretAccessKey}`));
  let previous = /Signature=(\w+)/.exec(headers['Authorization'] ?? '')?.[1] ?? '';
  const body = [...chunks, ''].map((chunk) => {
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', date, scope, previous, hash(''), hash(chunk)];
    previous = hmac(signingKey, text.join('\n')).toString('hex');
    return `${chunk.length.toString(16)};chunk-signature=${previous}\r\n${chunk}\r\n`;
  });
  return { method: 'PUT', path, headers, body: body.join('') };
}

test('§2.7 a body in signed chunks is accepted, and refused if a chunk was changed', async () => {
  const request = signedChunks(storage, keys, ['first;', 'second']);
  const changed = { ...request, body: String(request.body).replace('second', 'secand') };
  expect(await send(storage, changed)).toMatchObject({
    status: 403,
    code: 'SignatureDoesNotMatch',
  });
  expect(await keysOf(storage, 'codaUploads')).toEqual([]);
  expect((await send(storage, request)).status).toBe(200);
  expect(await textOf(storage, 'codaUploads', key)).toBe('first;second');
});

test.each([
  ['as announced', '5\r\nbytes\r\n0\r\nx-amz-checksum-crc32:sZlDzg==\r\n\r\n', undefined],
  [
    'with a wrong checksum',
    '5\r\nbytes\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n',
    'BadDigest',
  ],
  ['without its checksum', '5\r\nbytes\r\n0\r\n\r\n', 'BadDigest'],
  ['without the last chunk', '5\r\nbytes\r\n', 'IncompleteBody'],
  ['that is longer than it says', '6\r\nbytes!\r\n0\r\n\r\n', 'IncompleteBody'],
  ['that is shorter than it says', '4\r\nbyte\r\n0\r\n\r\n', 'IncompleteBody'],
  ['with a chunk longer than it says', '4\r\nbytes\r\n0\r\n\r\n', 'IncompleteBody'],
  ['with a malformed size', 'x\r\nbytes\r\n0\r\n\r\n', 'IncompleteBody'],
  ['with a line that does not end', '5'.repeat(2000), 'IncompleteBody'],
])('§2.7 a body in chunks %s', async (_what, body, code) => {
  const answer = await sendSigned(storage, keys, {
    method: 'PUT',
    path,
    body,
    headers: {
      'Content-Encoding': 'aws-chunked',
      'X-Amz-Content-Sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'X-Amz-Decoded-Content-Length': 5,
      'X-Amz-Trailer': 'x-amz-checksum-crc32',
    },
  });
  expect(answer.code).toBe(code);
  const stored = code === undefined ? 'bytes' : undefined;
  expect(await textOf(storage, 'codaUploads', key)).toBe(stored);
});

test('§2.7 a web page is told what it may send', async () => {
  const answer = await send(storage, {
    method: 'OPTIONS',
    path,
    headers: {
      Origin: 'https://a.example',
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization, x-amz-meta-a',
    },
  });
  expect(answer.status).toBe(204);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, POST, PUT',
    'access-control-allow-headers': 'authorization, x-amz-meta-a',
  });
});

function withHeader(request: ReturnType<typeof signed>, name: string, value: string): RawRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

function withAuthorization(
  request: ReturnType<typeof signed>,
  from: string | RegExp,
  to: string,
): RawRequest {
  const authorization = request.headers['Authorization'] ?? '';
  return withHeader(request, 'Authorization', authorization.replace(from, to));
}

test('§2.7 a download has the headers that its URL asks for, and none with a line end', async () => {
  const owner = deriveCredentials(secret);
  await sendSigned(storage, owner, put);
  const get = (disposition: string) =>
    sendSigned(storage, owner, {
      method: 'GET',
      path: `${path}?response-content-disposition=${encodeURIComponent(disposition)}`,
    });
  const { status, text, headers } = await get('attachment; filename="a 1.cod"');
  expect([status, text]).toEqual([200, 'bytes']);
  expect(headers['content-disposition']).toBe('attachment; filename="a 1.cod"');
  expect(await get('a\r\nX-Injected: 1')).toMatchObject({ status: 400, code: 'InvalidURI' });
});
