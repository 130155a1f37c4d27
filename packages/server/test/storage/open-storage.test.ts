import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/logger.js';
import { openStorage, type Storage } from '../../src/storage/open-storage.js';
import { keysOf, openTestStorage } from './open-test-storage.js';

const roleArn = 'arn:aws:iam::123456789012:role/adx-upload';

/**
 * Starts a token service with the wire format of AWS, which records requests and returns one
 * response.
 */
async function startTokenService(status: number, body: string) {
  const requests: { form: URLSearchParams; authorization: string | undefined }[] = [];
  const url = await listenFor(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    requests.push({ form, authorization: request.headers.authorization });
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(body);
  });
  return { requests, url };
}

/** Starts a server for one test, and returns its URL. */
async function listenFor(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const issued = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
  <AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/adx-upload/x</Arn><AssumedRoleId>A:x</AssumedRoleId></AssumedRoleUser>
  <Credentials><AccessKeyId>ASIAEXAMPLE</AccessKeyId><SecretAccessKey>sec/ret+</SecretAccessKey>
  <SessionToken>tok/en+=</SessionToken><Expiration>2026-11-21T12:00:00Z</Expiration></Credentials>
  </AssumeRoleResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></AssumeRoleResponse>`;
const denied = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>
  <Code>AccessDenied</Code><Message>not authorized to perform: sts:AssumeRole</Message></Error>
  <RequestId>1</RequestId></ErrorResponse>`;

async function openWith(settings: Record<string, string>): Promise<Storage> {
  const { storage: all } = loadConfig(
    {
      DATABASE_URL: 'postgresql://127.0.0.1:9/adx',
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_BUCKET_FILES: 'files-of-adx',
      S3_BUCKET_CODA_UPLOADS: 'coda-of-adx',
      S3_BUCKET_CODB_UPLOADS: 'codb-of-adx',
      STS_ROLE_ARN: roleArn,
      ...settings,
    },
    'files',
  );
  const storage = await openStorage(all, createLogger('silent'));
  onTestFinished(() => storage.close());
  return storage;
}

/** Opens the storage with a token service that issues credentials. */
async function openWithTokens(settings: Record<string, string> = {}) {
  const service = await startTokenService(200, issued);
  return { service, storage: await openWith({ STS_ENDPOINT: service.url, ...settings }) };
}

const upload = { bucket: 'coda-of-adx', prefix: 'uploads/kantoor-maes-4f7a6c' };

test('§2.7 a role is assumed for an hour, to put objects under the prefix only', async () => {
  const { service, storage } = await openWithTokens();
  expect(await storage.issueUploadCredentials(upload)).toEqual({
    accessKeyId: 'ASIAEXAMPLE',
    secretAccessKey: 'sec/ret+',
    sessionToken: 'tok/en+=',
    bucketName: upload.bucket,
    prefix: upload.prefix,
    expirationUtc: '2026-11-21T12:00:00.000Z',
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
  });
  expect(service.requests).toHaveLength(1);
  const { form, authorization } = service.requests[0] ?? {};
  expect(Object.fromEntries(form ?? [])).toEqual({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: 'adx-kantoor-maes-4f7a6c',
    DurationSeconds: '3600',
    Policy: expect.any(String),
  });
  const statement = {
    Effect: 'Allow',
    Action: 's3:PutObject',
    Resource: 'arn:aws:s3:::coda-of-adx/uploads/kantoor-maes-4f7a6c/*',
  };
  // Objects that the service could not read: encrypted with a key of the caller, or archived.
  const noKey = {
    's3:x-amz-server-side-encryption-customer-algorithm': 'true',
    's3:x-amz-server-side-encryption-aws-kms-key-id': 'true',
  };
  const storageClass = 's3:x-amz-storage-class';
  expect(JSON.parse(form?.get('Policy') ?? '')).toEqual({
    Version: '2012-10-17',
    Statement: [
      { ...statement, Condition: { Null: { ...noKey, [storageClass]: 'true' } } },
      {
        ...statement,
        Condition: { Null: noKey, StringEquals: { [storageClass]: 'STANDARD' } },
      },
    ],
  });
  // The limit of AWS.
  expect(form?.get('Policy')?.length).toBeLessThan(2048);
  expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d+\/us-east-1\/sts\//);
});

test('D-55 an error says what was asked of which host, without the key', async () => {
  const hangs = await listenFor(() => {});
  const storage = await openWith({ S3_ENDPOINT: hangs, STS_ENDPOINT: hangs });
  const { host } = new URL(hangs);
  const { name, message } = await storage.store
    .get('files-of-adx', 'secret-name', { abortSignal: AbortSignal.timeout(200) })
    .then(
      () => expect.fail(),
      (error: Error) => error,
    );
  expect({ name, message }).toEqual({
    name: 'AbortError',
    message: `GetObject of the storage at ${host}, bucket files-of-adx: Request aborted`,
  });
  const service = await startTokenService(403, denied);
  const refused = await openWith({ STS_ENDPOINT: service.url });
  await expect(refused.issueUploadCredentials(upload)).rejects.toThrow(
    `AssumeRole of STS at ${new URL(service.url).host}: not authorized`,
  );
});

test('§2.7 the policy names resources of the AWS partition of the role', async () => {
  const STS_ROLE_ARN = 'arn:aws-cn:iam::123456789012:role/adx-upload';
  const { service, storage } = await openWithTokens({ STS_ROLE_ARN });
  await storage.issueUploadCredentials(upload);
  expect(service.requests[0]?.form.get('Policy')).toContain(
    '"arn:aws-cn:s3:::coda-of-adx/uploads/',
  );
});

test.each([
  'uploads/*',
  'uploads/a?',
  'uploads/$' + '{aws:username}',
  'uploads/a"b',
  'uploads//a',
  '',
  '../a',
])(
  '§2.7 no role is assumed for the prefix %j, which a policy may not take literally',
  async (prefix) => {
    const { service, storage } = await openWithTokens();
    const issuing = storage.issueUploadCredentials({ ...upload, prefix });
    await expect(issuing).rejects.toThrow('that policies do not take literally');
    expect(service.requests).toEqual([]);
  },
);

test('§2.7 a token service that refuses, fails or returns no credentials is an error', async () => {
  const codeOf = async (status: number, body: string) => {
    const service = await startTokenService(status, body);
    const storage = await openWith({ STS_ENDPOINT: service.url });
    return storage.issueUploadCredentials(upload).then(
      () => 'issued',
      (error: Error) => [error.name, service.requests.length],
    );
  };
  expect(await codeOf(403, denied)).toEqual(['AccessDenied', 1]);
  expect(await codeOf(200, '<AssumeRoleResponse/>')).toEqual(['Error', 1]);
  const [name, attempts] = await codeOf(503, 'x');
  expect([name === 'issued', attempts]).toEqual([false, 4]);
});

test('storage: the check names the bucket that is missing or denies access', async () => {
  const { settings } = await openTestStorage();
  const own = await openWith(settings);
  await expect(own.check()).resolves.toBeUndefined();
  await own.store.put(own.buckets.files, 'k', Buffer.from('x'), 'x/y');
  expect(await keysOf(own, 'files')).toEqual(['k']);
  const url = own.presign({ key: 'k', fileName: 'k.cod' }, new Date());
  expect(await (await fetch(url)).text()).toBe('x');

  const missing = await openWith({ ...settings, S3_BUCKET_CODA_UPLOADS: 'coda-of-adx' });
  await expect(missing.check()).rejects.toThrow('There is no bucket coda-of-adx');
  const stranger = await openWith({ ...settings, S3_SECRET_ACCESS_KEY: 'another' });
  await expect(stranger.check()).rejects.toThrow('denies access');
  const away = await openWith({ ...settings, S3_ENDPOINT: 'http://127.0.0.1:9' });
  await expect(away.check()).rejects.toThrow('does not respond');
});

test.each([
  [{}, 'http://127.0.0.1:9/files-of-adx/a/b%20c'],
  [
    { S3_PATH_STYLE: 'false', S3_ENDPOINT: 'https://s3.example.org' },
    'https://files-of-adx.s3.example.org/a/b%20c',
  ],
  [
    { STORAGE_PUBLIC_URL: 'https://files.example.org' },
    'https://files.example.org/files-of-adx/a/b%20c',
  ],
  [
    { S3_ENDPOINT: '', S3_REGION: 'eu-west-1' },
    'https://files-of-adx.s3.eu-west-1.amazonaws.com/a/b%20c',
  ],
  [
    { S3_ENDPOINT: '', S3_REGION: 'eu-west-1', S3_BUCKET_FILES: 'files.of.adx' },
    'https://s3.eu-west-1.amazonaws.com/files.of.adx/a/b%20c',
  ],
  [
    { S3_ENDPOINT: '', S3_REGION: 'cn-north-1' },
    'https://files-of-adx.s3.cn-north-1.amazonaws.com.cn/a/b%20c',
  ],
])('D-09 with %j URLs start with %s', async (settings, address) => {
  const storage = await openWith(settings);
  const url = storage.presign({ key: 'a/b c', fileName: 'c' }, new Date());
  expect(url.split('?')[0]).toBe(address);
});

test.each([
  [{}, { endpoint: 'http://127.0.0.1:9', region: 'us-east-1' }],
  [
    { S3_ENDPOINT: 'https://s3.example.org/', S3_REGION: 'gent' },
    { endpoint: 'https://s3.example.org', region: 'gent' },
  ],
  [
    { S3_ENDPOINT: 'https://s3.example.org/', S3_PATH_STYLE: 'false' },
    { endpoint: 'https://{bucket}.s3.example.org', region: 'us-east-1' },
  ],
  [
    { STORAGE_PUBLIC_URL: 'https://files.example.org' },
    { endpoint: 'https://files.example.org', region: 'us-east-1' },
  ],
  // Partners find AWS by its region.
  [{ S3_ENDPOINT: '', S3_REGION: 'eu-west-1' }, { region: 'eu-west-1' }],
])('D-32 with %j upload credentials name the storage: %j', async (settings, place) => {
  const { storage } = await openWithTokens(settings);
  const { endpoint, region } = await storage.issueUploadCredentials(upload);
  expect({ ...(endpoint !== undefined && { endpoint }), region }).toEqual(place);
});

test('storage: a storage that lists from the first key again is noticed', async () => {
  const listed = '<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>';
  const url = await listenFor((_request, response) => response.end(listed));
  const { store } = await openWith({ S3_ENDPOINT: url });
  const list = (startAfter?: string) =>
    store.list('coda-of-adx', '', startAfter)[Symbol.asyncIterator]().next();
  expect(await list()).toMatchObject({ value: { key: 'a' } });
  await expect(list('a')).rejects.toThrow('StartAfter');
});

test('storage: if a storage does not support conditional removals, the object is removed without a condition', async () => {
  const requests: (string | undefined)[] = [];
  const url = await listenFor((request, response) => {
    const condition = request.headers['if-match'];
    requests.push(condition);
    response.writeHead(condition === undefined ? 204 : 501).end();
  });
  const { store } = await openWith({ S3_ENDPOINT: url });
  await store.remove('coda-of-adx', 'k', { ifMatch: 'abc' });
  expect(new Set(requests)).toEqual(new Set(['"abc"', undefined]));
  expect(requests.at(-1)).toBeUndefined();
});
