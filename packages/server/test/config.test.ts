import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../src/config.js';

test('config: without any setting the embedded default serves on loopback', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
  });
  expect(config.databaseUrl).toBeUndefined();
  expect(isAbsolute(config.dataDir)).toBe(true);
});

test('config: an empty setting counts as absent', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toEqual(loadConfig({}));
});

test('config: the environment of other programs is left alone', () => {
  expect(loadConfig({ PATH: '/bin', LANG: 'nl_BE.UTF-8', npm_config_yes: 'true' })).toEqual(
    loadConfig({}),
  );
});

test('config: a closing slash of the public URL does not end up in the issuer', () => {
  expect(loadConfig({ PUBLIC_URL: 'https://adx.example.org/' }).publicUrl).toBe(
    'https://adx.example.org',
  );
});

test.each(['*', 'https://a.example', 'http://localhost:5173'])(
  'config: CORS_ORIGIN=%s is accepted as it stands',
  (origin) => expect(loadConfig({ CORS_ORIGIN: origin }).corsOrigin).toBe(origin),
);

test('config: a closing slash of the origin is left out, as browsers leave it out', () => {
  expect(loadConfig({ CORS_ORIGIN: 'https://a.example/' }).corsOrigin).toBe('https://a.example');
});

test('config: an IPv6 address stands in brackets in the public URL', () => {
  expect(loadConfig({ HOST: '::1', PORT: '8080' })).toMatchObject({
    host: '::1',
    port: 8080,
    publicUrl: 'http://[::1]:8080',
  });
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '1.5'],
  ['PORT', '0x1f90'],
  ['PORT', '8e3'],
  ['PUBLIC_URL', 'adx.example.org'],
  ['PUBLIC_URL', 'ftp://adx.example.org'],
  ['TRUST_PROXY', '00'],
  ['TRUST_PROXY', '11'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '10.0.0.1, proxy.example'],
  ['TRUST_PROXIES', '3'],
  ['DATABASE_URL', 'mysql://secret:word@db/adx'],
  ['DATABASE_POOL_SIZE', '0'],
  ['DATABASE_POOL_SIZE', '0b11'],
  ['RATE_LIMIT_PER_MINUTE', '-1'],
  ['SMTP_URL', 'https://mail.example.org'],
  ['MAIL_FROM', 'nobody in particular'],
  ['MAIL_FROM', 'Kantoor <een@a.example>, <twee@a.example>'],
  ['MAIL_ATTEMPTS', '0'],
  ['JOBS_CONCURRENCY', '-2'],
  ['LINK_SECRET', 'te kort'],
  ['SMTP_ULR', 'smtp://mail.example.org'],
  ['STORAGE_PORT', '65536'],
  ['STORAGE_PUBLIC_URL', 'files.example.org'],
  ['STORAGE_PUBLIC_URL', 'https://files.example.org/storage'],
  ['STORAGE_PUBLIC_URL', 'https://files.example.org?a=b'],
  ['S3_ENDPOINT', 's3.example.org'],
  ['S3_REGION', 'West Europe'],
  ['S3_PATH_STYLE', 'perhaps'],
  ['S3_BUCKET_FILES', 'Files/of/adx'],
  ['S3_BUKCET_FILES', 'files-of-adx'],
  ['STS_ROLE_ARN', 'adx-upload-role'],
  ['STS_ENDPOINT', 'sts.example.org'],
  ['CORS_ORIGIN', 'anywhere'],
  ['CORS_ORIGIN', 'https://a.example/app'],
  ['CORS_ORIGIN', 'https://A.example'],
  ['CORS_ORIGIN', 'https://a.example:443'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_ULR', 'postgres://db/adx'],
  ['ADX_DATADIR', '/data'],
])('config: %s=%s is refused by name, and its value is not repeated', (name, value) => {
  const error = refusalOf({ [name]: value });
  expect(error.message).toContain(`${name}: `);
  expect(error.message).not.toContain(value);
});

test.each(['adx@example.org', 'Accounting Data Exchange <adx@example.org>'])(
  'config: MAIL_FROM=%s is accepted as it stands',
  (sender) => expect(loadConfig({ MAIL_FROM: sender }).mailFrom).toBe(sender),
);

test.each([
  ['2', 2],
  ['loopback', ['loopback']],
  ['10.0.0.0/8, 192.0.2.1,2001:db8::/32', ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']],
])('config: TRUST_PROXY=%s is how many proxies there are, or where', (text, proxies) =>
  expect(loadConfig({ TRUST_PROXY: text }).trustedProxies).toEqual(proxies),
);

test('config: no proxy is believed unless it is named', () => {
  expect(loadConfig({}).trustedProxies).toBeUndefined();
});

test('config: a mail server takes a sender of yours', () => {
  const { message } = refusalOf({ SMTP_URL: 'smtp://mail.example.org' });
  expect(message).toContain('MAIL_FROM: ');
});

test('config: jobs are left to workers where the database is not the embedded one', () => {
  const DATABASE_URL = 'postgresql://db/adx';
  expect(loadConfig({})).toMatchObject({ jobsConcurrency: 4, workerConcurrency: 4 });
  expect(loadConfig({ DATABASE_URL })).toMatchObject({ jobsConcurrency: 0, workerConcurrency: 4 });
  expect(loadConfig({ DATABASE_URL, JOBS_CONCURRENCY: '2' })).toMatchObject({
    jobsConcurrency: 2,
    workerConcurrency: 2,
  });
});

const ownStorage = {
  S3_ENDPOINT: 'http://minio:9000/',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  S3_BUCKET_FILES: 'files',
  S3_BUCKET_CODA_UPLOADS: 'coda',
  S3_BUCKET_CODB_UPLOADS: 'codb',
  STS_ROLE_ARN: 'arn:aws:iam::123456789012:role/upload',
};
const { S3_ENDPOINT: _endpoint, ...onAws } = { ...ownStorage, S3_REGION: 'eu-west-1' };

test('config: without settings the embedded storage serves', () => {
  expect(loadConfig({}).storage).toEqual({ kind: 'embedded', port: 3001, publicUrl: undefined });
});

test('config: a storage of your own has its token service at the same place, buckets in the path', () => {
  expect(loadConfig(ownStorage).storage).toEqual({
    kind: 's3',
    endpoint: 'http://minio:9000',
    publicUrl: undefined,
    region: 'us-east-1',
    pathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    buckets: { files: 'files', codaUploads: 'coda', codbUploads: 'codb' },
    roleArn: 'arn:aws:iam::123456789012:role/upload',
    stsEndpoint: 'http://minio:9000',
  });
});

test('config: AWS is used with the key of the machine where none is set', () => {
  const { S3_ACCESS_KEY_ID: _id, S3_SECRET_ACCESS_KEY: _secret, ...settings } = onAws;
  expect(loadConfig(settings).storage).toMatchObject({
    endpoint: undefined,
    stsEndpoint: undefined,
    pathStyle: false,
    credentials: undefined,
    region: 'eu-west-1',
  });
});

test.each([
  ['S3_BUCKET_FILES', { ...ownStorage, S3_BUCKET_FILES: '' }],
  ['S3_BUCKET_CODA_UPLOADS', { ...onAws, S3_BUCKET_CODA_UPLOADS: '' }],
  ['S3_BUCKET_CODB_UPLOADS', { S3_ENDPOINT: 'http://minio:9000' }],
  ['S3_BUCKET_FILES', { ...ownStorage, S3_BUCKET_FILES: 'coda' }],
  ['STS_ROLE_ARN', { ...ownStorage, STS_ROLE_ARN: '' }],
  ['S3_ACCESS_KEY_ID', { ...ownStorage, S3_ACCESS_KEY_ID: '' }],
  ['S3_ACCESS_KEY_ID', { ...onAws, S3_SECRET_ACCESS_KEY: '' }],
  ['S3_ACCESS_KEY_ID', { ...ownStorage, S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }],
  ['S3_REGION', { ...onAws, S3_REGION: '' }],
  ['S3_REGION', { S3_REGION: 'eu-west-1' }],
  ['STS_ROLE_ARN', { STS_ROLE_ARN: 'arn:aws:iam::123456789012:role/upload' }],
])('config: storage settings that do not go together are refused by name: %s', (name, settings) => {
  expect(refusalOf(settings).message).toContain(`${name}: `);
});

test('config: every wrong setting is named at once', () => {
  const { message } = refusalOf({ PORT: 'x', LOG_LEVEL: 'x', LOG_LEVLE: 'x' });
  expect(message).toMatch(/PORT/);
  expect(message).toMatch(/LOG_LEVEL/);
  expect(message).toMatch(/LOG_LEVLE/);
});

function refusalOf(environment: Record<string, string>): ConfigError {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The settings were accepted');
}
