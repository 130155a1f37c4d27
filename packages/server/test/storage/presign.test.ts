import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import { sign } from 'aws4';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../src/logger.js';
import { contentDisposition, createPresign, endpointOf } from '../../src/storage/presign.js';
import { cacheCredentials } from '../../src/storage/s3-client.js';
import { openTestStorage, type TestStorage } from './open-test-storage.js';

const key = 'coda/Relevé (n° 1) & co+%2F=?#.cod';

async function openWithFile(): Promise<{ storage: TestStorage; url: string }> {
  const storage = await openTestStorage();
  await storage.store.put(storage.buckets.files, key, Buffer.from('bytes'), 'text/plain');
  const url = storage.presign({ key, fileName: 'Extrait d’août.cod' }, new Date());
  return { storage, url };
}

test('D-09 a presigned URL downloads the file under its name, without headers', async () => {
  const { url } = await openWithFile();
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('bytes');
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="Extrait d_ao_t.cod"; filename*=UTF-8''Extrait%20d%E2%80%99ao%C3%BBt.cod`,
  );
});

test('D-09 a web page can download a file, also in part', async () => {
  const { url } = await openWithFile();
  const origin = { origin: 'https://a.example' };
  const part = await fetch(url, { headers: { ...origin, range: 'bytes=1-2' } });
  expect(part.status).toBe(206);
  expect(await part.text()).toBe('yt');
  expect(part.headers.get('access-control-allow-origin')).toBe('*');
  expect(part.headers.get('access-control-expose-headers')).toContain('Content-Disposition');
  expect((await fetch(url, { headers: { range: 'bytes=9-' } })).status).toBe(416);
  expect(await (await fetch(url, { headers: { range: 'bytes=-2' } })).text()).toBe('bytes');
});

test('D-09 a presigned URL is valid for 30 minutes', async () => {
  const { storage } = await openWithFile();
  const answerTo = async (ageInSeconds: number) => {
    const signedAt = new Date(Date.now() - ageInSeconds * 1000);
    const response = await fetch(storage.presign({ key, fileName: 'a.cod' }, signedAt));
    return [response.status, await response.text()];
  };
  // The tests of the storage cover its clock to the second.
  expect(await answerTo(29 * 60)).toEqual([200, 'bytes']);
  const expired = '<Code>AccessDenied</Code><Message>Request has expired';
  expect(await answerTo(30 * 60 + 1)).toEqual([403, expect.stringContaining(expired)]);
  expect(await answerTo(-16 * 60)).toEqual([403, expect.any(String)]);
});

const tamperings: Record<string, (url: string) => string> = {
  key: (url) => url.replace('Relev', 'relev'),
  bucket: (url) => url.replace('/files-', '/coda-'),
  validity: (url) => url.replace('X-Amz-Expires=1800', 'X-Amz-Expires=18000'),
  date: (url) =>
    url.replace(
      /(X-Amz-Date=\d{8}T\d{5})(\d)/,
      (_, start, digit) => `${start}${9 - Number(digit)}`,
    ),
  'file name': (url) => url.replace('Extrait', 'Anything'),
  'further parameter': (url) => `${url}&response-content-type=text%2Fhtml`,
  signature: (url) => url.replace(/(X-Amz-Signature=)./, '$1z'),
};

test('D-09 a presigned URL of which anything was changed is refused', async () => {
  const { url } = await openWithFile();
  for (const [what, tamper] of Object.entries(tamperings)) {
    const tampered = tamper(url);
    expect(tampered, what).not.toBe(url);
    const response = await fetch(tampered);
    expect(response.status, what).toBe(403);
    expect(await response.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
  }
});

test('D-09 a presigned URL is valid for GET, for its host, and with one signature', async () => {
  const { url } = await openWithFile();
  const { pathname, search, host, hostname, port } = new URL(url);
  const path = pathname + search;
  // `fetch` sets the Host header itself.
  const send = (method: string, headers: Record<string, string>, at = path) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ hostname, port, method, path: at, headers, agent: false });
      sent.once('response', resolve).once('error', reject).end();
    });
  const codeOf = async (...call: Parameters<typeof send>) =>
    /<Code>(\w+)<\/Code>/.exec(await text(await send(...call)))?.[1];
  expect(await codeOf('GET', { host })).toBeUndefined();
  expect(await codeOf('GET', { host: 'other.example' })).toBe('SignatureDoesNotMatch');
  expect(await codeOf('DELETE', { host })).toBe('SignatureDoesNotMatch');
  expect(await codeOf('PUT', { host })).toBe('SignatureDoesNotMatch');
  expect((await send('HEAD', { host })).statusCode).toBe(403);
  expect(await codeOf('GET', { host, authorization: 'AWS4-HMAC-SHA256 x' })).toBe(
    'InvalidArgument',
  );
  expect(await codeOf('GET', { host, 'x-amz-acl': 'x' })).toBe('AccessDenied');
  expect(await codeOf('GET', { host }, `${path}&X-Amz-Expires=1800`)).toBe('InvalidArgument');
  expect(await codeOf('GET', { host }, pathname)).toBe('AccessDenied');
});

test.each([undefined, 'tok/en+='])(
  'D-09 a URL equals that of another signer (session token %s)',
  (sessionToken) => {
    const credentials = {
      ...{ accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'sec/ret+' },
      ...(sessionToken !== undefined && { sessionToken }),
    };
    const now = new Date('2026-11-21T10:20:30.456Z');
    const fileName = `l'été (1)*!.pdf`;
    const presign = createPresign(
      'https://s3.example.org:9000/files',
      'eu-west-1',
      () => credentials,
    );
    const url = new URL(presign({ key, fileName }, now));
    const disposition = encodeURIComponent(contentDisposition(fileName));
    const { path = '' } = sign(
      {
        ...{ service: 's3', region: 'eu-west-1', host: 's3.example.org:9000', signQuery: true },
        path: `${url.pathname}?X-Amz-Date=20261121T102030Z&X-Amz-Expires=1800&response-content-disposition=${disposition}`,
      },
      credentials,
    );
    const other = new URL(path, url.origin);
    const sorted = (parameters: URLSearchParams) => [...parameters].sort();
    expect(sorted(url.searchParams)).toEqual(sorted(other.searchParams));
    expect(url.pathname).toBe(other.pathname);
  },
);

test('D-09 a missing file is NoSuchKey, as in S3', async () => {
  const { storage, url } = await openWithFile();
  await storage.store.remove(storage.buckets.files, key);
  const response = await fetch(url);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('<Code>NoSuchKey</Code>');
});

test.each([
  ['plain.cod', 'plain.cod', 'plain.cod'],
  ['a\u202efdp.exe', 'a_fdp.exe', 'a_fdp.exe'],
  ['a "b" \\ c/d.pdf', 'a _b_ _ c_d.pdf', 'a%20%22b%22%20_%20c_d.pdf'],
  [`l'été (1)*!.pdf`, `l'_t_ (1)*!.pdf`, 'l%27%C3%A9t%C3%A9%20%281%29%2A!.pdf'],
  ['100%41.pdf', '100_41.pdf', '100%2541.pdf'],
  ['a\r\nSet-Cookie: b', 'a__Set-Cookie: b', 'a__Set-Cookie%3A%20b'],
  ['\ud83d.pdf', '_.pdf', '%EF%BF%BD.pdf'],
  ['📄;a=b.pdf', '_;a=b.pdf', '%F0%9F%93%84%3Ba%3Db.pdf'],
])('D-09 the file name %j is safe in a header', (name, plain, encoded) => {
  expect(contentDisposition(name)).toBe(
    `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
  );
});

test('D-09 URLs contain the session token of a role, and a newer one before they would expire early', async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
  let token = 'first/+=';
  const region = 'eu-west-1';
  const credentials = async () => ({
    accessKeyId: 'ASIAEXAMPLE',
    secretAccessKey: 'secret',
    sessionToken: token,
    expiration: new Date(Date.now() + 3_600_000),
  });
  const client = new S3Client({ region, credentials });
  const { current, close } = await cacheCredentials(client, createLogger('silent'));
  onTestFinished(close);
  const presign = createPresign('https://adx-files.s3.eu-west-1.amazonaws.com', region, current);
  const tokenIn = () => {
    const url = new URL(presign({ key: 'a/b', fileName: 'b' }, new Date()));
    expect(url.host).toBe('adx-files.s3.eu-west-1.amazonaws.com');
    expect(url.pathname).toBe('/a/b');
    return url.searchParams.get('X-Amz-Security-Token');
  };
  expect(tokenIn()).toBe('first/+=');
  token = 'second';
  await vi.advanceTimersByTimeAsync(29 * 60_000);
  expect(tokenIn()).toBe('second');
});

test('D-09 each URL has its own time', () => {
  const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' };
  const presign = createPresign('https://s3.example.org/files', 'eu-west-1', () => keys);
  const dateAt = (now: string) =>
    new URL(presign({ key: 'a', fileName: 'a' }, new Date(now))).searchParams.get('X-Amz-Date');
  expect(dateAt('2026-11-21T10:00:00Z')).toBe('20261121T100000Z');
  expect(dateAt('2026-11-21T10:00:01Z')).toBe('20261121T100001Z');
});

test.each([
  ['https://adx-files.ceph.example.org', 'https://{bucket}.ceph.example.org'],
  ['https://minio.example.org/adx-files', 'https://minio.example.org'],
  ['https://adx-files.example.org/adx-files', 'https://adx-files.example.org'],
])('D-32 the address of the storage of %s is %s', (url, endpoint) => {
  expect(endpointOf(url, 'adx-files')).toBe(endpoint);
});
