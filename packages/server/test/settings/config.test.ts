import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { forJobs, needed, onAws, refusalOf, storage } from './valid-settings.js';

const { DATABASE_URL, PUBLIC_URL, SIGNING_KEY_SECRET } = needed;
const others = { DATABASE_URL, PUBLIC_URL, SIGNING_KEY_SECRET };
const serviceWith = (settings: Record<string, string>) =>
  loadConfig({ ...needed, ...settings }, 'service');

test('config: a service with only the required settings listens on loopback', () => {
  const config = serviceWith({});
  expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, jobs: undefined });
  expect(isAbsolute(config.docsDir)).toBe(true);
  expect(serviceWith({ DOCS_DIR: '/site' }).docsDir).toBe('/site');
});

test.each([
  ['command', ['DATABASE_URL']],
  ['files', ['DATABASE_URL', ...Object.keys(onAws)]],
  ['signingKeys', ['DATABASE_URL', 'SIGNING_KEY_SECRET']],
  ['service', ['DATABASE_URL', 'PUBLIC_URL', 'SIGNING_KEY_SECRET', ...Object.keys(onAws)]],
  ['worker', ['DATABASE_URL', 'PUBLIC_URL', 'LINK_SECRET', 'SMTP_URL', ...Object.keys(onAws)]],
] as const)('config: all missing settings of a %s are named at once', (kind, names) => {
  const { message } = refusalOf({}, kind);
  const optional = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  for (const name of names.filter((each) => !optional.includes(each))) {
    expect(message).toMatch(new RegExp(`^ +${name}: is missing`, 'm'));
  }
  expect(message.match(/is missing/g)).toHaveLength(
    names.filter((each) => !optional.includes(each)).length,
  );
});

test('config: a command requires only the database', () => {
  expect(loadConfig({ DATABASE_URL: 'postgresql://db/adx' }, 'command')).toEqual({
    ...{ databaseUrl: 'postgresql://db/adx', databasePoolSize: 10 },
    ...{ heldDeliveryDays: 90, hasPasswords: true, apiKeyKind: 'live', logLevel: 'info' },
    unsignedLinks: { perFirm: 2000, days: 90 },
  });
});

test('config: an empty setting counts as missing', () => {
  expect(serviceWith({ PORT: '', HOST: '' })).toEqual(serviceWith({}));
});

test('config: the variables of other programs are ignored', () => {
  const others = { PATH: '/bin', LANG: 'nl_BE.UTF-8', npm_config_yes: 'true', ADX_URL: 'x' };
  const alike = { LOG_DIR: '4', MAIL_HOST: '5', DATABASE_HOST: '6', HTTP_URL: '7' };
  expect(serviceWith({ ...others, ...alike })).toEqual(serviceWith({}));
});

test.each([
  ['PUBLIC_URL', 'http://localhost:80', 'publicUrl'],
  ['PUBLIC_URL', 'http://[::1]:3000', 'publicUrl'],
  ['PUBLIC_URL', 'https://A.example/adx/~1_b%20c', 'publicUrl'],
  ['CORS_ORIGIN', '*', 'corsOrigin'],
  ['CORS_ORIGIN', 'https://a.example', 'corsOrigin'],
  ['CORS_ORIGIN', 'http://localhost:5173', 'corsOrigin'],
] as const)('config: %s=%s is accepted unchanged', (name, value, property) =>
  expect(serviceWith({ [name]: value })[property]).toBe(value),
);

test.each([
  ['PUBLIC_URL', 'publicUrl'],
  ['CORS_ORIGIN', 'corsOrigin'],
] as const)('config: the trailing slash of %s is removed', (name, property) =>
  expect(serviceWith({ [name]: 'https://adx.example.org/' })[property]).toBe(
    'https://adx.example.org',
  ),
);

test.each([
  ['2', '10', 2],
  ['50', '10', 9],
  ['5', '1', 1],
])(
  'D-39 of %s concurrent calls and %s connections, a firm that is alone gets %i',
  (calls, connections, atOnce) => {
    const settings = { CONCURRENT_CALLS: calls, DATABASE_POOL_SIZE: connections };
    expect(serviceWith(settings).concurrentCalls).toBe(atOnce);
  },
);

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '1.5'],
  ['PORT', '0x1f90'],
  ['PORT', '8e3'],
  ['PUBLIC_URL', 'adx.example.org'],
  ['PUBLIC_URL', 'ftp://adx.example.org'],
  ['PUBLIC_URL', 'https://els:geheim@adx.example.org'],
  ['PUBLIC_URL', 'https://adx.example.org?tenant=a'],
  ['PUBLIC_URL', 'https://adx.example.org/#home'],
  ['PUBLIC_URL', 'https://kantoor-łódź.example'],
  ['PUBLIC_URL', 'https://adx.example.org/a>b'],
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
  ['CONCURRENT_CALLS', '0'],
  ['SMTP_URL', 'https://mail.example.org'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp:///mail.example.org'],
  ['SMTP_ALLOW_PLAINTEXT', 'perhaps'],
  ['MAIL_FROM', 'nobody in particular'],
  ['MAIL_FROM', 'a,b@c.example'],
  ['MAIL_FROM', 'Kantoor <een@a.example>, <twee@a.example>'],
  ['MAIL_ATTEMPTS', '0'],
  ['MAILS_PER_CUSTOMER_PER_DAY', '0'],
  ['MAILS_PER_FIRM_PER_DAY', 'many'],
  ['MAILS_PER_ADDRESS_PER_DAY', '1.5'],
  ['JOBS_CONCURRENCY', '-2'],
  ['LINK_SECRET', 'te kort'],
  ['SIGNING_KEY_SECRET', 'te kort'],
  ['SMTP_ULR', 'smtp://mail.example.org'],
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
])('config: %s=%s is refused by name, and its value is not repeated', (name, value) => {
  const error = refusalOf({ ...needed, ...forJobs, [name]: value });
  expect(error.message).toContain(`${name}: `);
  // The range of a number may contain its digits.
  expect(error.message.replace(/(?<=whole number) .*/, '')).not.toContain(value);
});

test.each([
  ['DRAIN_SECONDS', '-1', 'is not a whole number from 0 to 60'],
  ['DRAIN_SECONDS', '61', 'is not a whole number from 0 to 60'],
  ['RATE_LIMIT_PER_MINUTE', '0', 'is not a whole number of at least 1'],
  ['SIGNING_KEY_SECRET', 'te kort', 'is shorter than 32 characters'],
  ['LINK_SECRET', 'te kort', 'is shorter than 32 characters'],
  ['STS_ROLE_ARN', 'arn:aws:iam', 'is not an ARN'],
  ['LOG_LEVEL', 'loud', 'is none of trace, debug, info, warn, error, silent'],
  ['PUBLIC_URL', 'adx.example', 'is not an http or https URL'],
  ['DATABASE_URL', 'mysql://db/adx', 'is not a postgresql URL'],
  ['SMTP_URL', 'smtp:///mail.example.org', 'is not an smtp or smtps URL with a host'],
  ['OIDC_ISSUER', 'login.example.org', 'is not an http or https URL'],
  ['OIDC_ISSUER', 'ftp://login.example.org', 'is not an http or https URL'],
])('config: %s=%s is refused in plain words', (name, value, message) => {
  const provider = name === 'OIDC_ISSUER' && { IDENTITY_PROVIDER: 'oidc', OIDC_CLIENT_ID: 'adx' };
  const refusal = refusalOf({ ...needed, ...forJobs, ...provider, [name]: value });
  expect(refusal.findings).toEqual([`${name}: ${message}`]);
  expect(refusal.message).toBe(`The settings are not valid:\n  ${name}: ${message}`);
});

test.each(['adx@example.org', 'Accounting Data Exchange <adx@example.org>'])(
  'config: MAIL_FROM=%s is accepted unchanged',
  (sender) => {
    const { jobs } = loadConfig({ ...needed, ...forJobs, MAIL_FROM: sender }, 'worker');
    expect(jobs.mail.from).toBe(sender);
  },
);

test.each([
  ['2', 2],
  ['loopback', ['loopback']],
  ['10.0.0.0/8, 192.0.2.1,2001:db8::/32', ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']],
])('config: TRUST_PROXY=%s is a number of proxies, or their subnets', (text, proxies) =>
  expect(serviceWith({ TRUST_PROXY: text }).trustedProxies).toEqual(proxies),
);

test('config: no proxy is trusted by default', () => {
  expect(serviceWith({}).trustedProxies).toBeUndefined();
});

test('config: a mail server requires a sender; a folder for messages replaces it', () => {
  const { MAIL_FROM: _sender, SMTP_URL: _server, ...rest } = { ...needed, ...forJobs };
  const { message } = refusalOf({ ...rest, SMTP_URL: 'smtp://mail.example.org' }, 'worker');
  expect(message).toContain('MAIL_FROM: ');
  expect(loadConfig({ ...rest, MAIL_FOLDER: '/mail' }, 'worker').jobs.mail.to).toEqual({
    folder: '/mail',
  });
});

test('config: a service leaves jobs to workers by default', () => {
  expect(serviceWith(forJobs).jobs).toBeUndefined();
  expect(serviceWith({ ...forJobs, JOBS_CONCURRENCY: '0' }).jobs).toBeUndefined();
  expect(serviceWith({ ...forJobs, JOBS_CONCURRENCY: '2' }).jobs?.concurrency).toBe(2);
  const worker = (settings = {}) => loadConfig({ ...needed, ...forJobs, ...settings }, 'worker');
  expect(worker().jobs.concurrency).toBe(16);
  expect(worker({ JOBS_CONCURRENCY: '2' }).jobs.concurrency).toBe(2);
  expect(refusalOf({ ...needed, JOBS_CONCURRENCY: '2' }).message).toContain('LINK_SECRET: ');
});

test('config: a storage other than AWS has STS at the same address and buckets in the path', () => {
  expect(serviceWith({}).storage).toEqual({
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

test('config: AWS is used with the key of the machine if none is set', () => {
  const { S3_ACCESS_KEY_ID: _id, S3_SECRET_ACCESS_KEY: _secret, ...settings } = onAws;
  expect(loadConfig({ ...others, ...settings }, 'service').storage).toMatchObject({
    endpoint: undefined,
    stsEndpoint: undefined,
    pathStyle: false,
    credentials: undefined,
    region: 'eu-west-1',
  });
});

test.each([
  ['S3_BUCKET_FILES', { ...storage, S3_BUCKET_FILES: '' }],
  ['S3_BUCKET_CODA_UPLOADS', { ...onAws, S3_BUCKET_CODA_UPLOADS: '' }],
  ['S3_BUCKET_CODB_UPLOADS', { S3_ENDPOINT: 'http://minio:9000' }],
  ['S3_BUCKET_FILES', { ...storage, S3_BUCKET_FILES: 'coda' }],
  ['STS_ROLE_ARN', { ...storage, STS_ROLE_ARN: '' }],
  ['S3_ACCESS_KEY_ID', { ...storage, S3_ACCESS_KEY_ID: '' }],
  ['S3_ACCESS_KEY_ID', { ...onAws, S3_SECRET_ACCESS_KEY: '' }],
  ['S3_ACCESS_KEY_ID', { ...storage, S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }],
  ['S3_REGION', { ...onAws, S3_REGION: '' }],
])('config: contradictory storage settings are refused by name: %s', (name, settings) => {
  expect(refusalOf({ ...others, ...settings }).message).toContain(`${name}: `);
});

test('config: all wrong settings are named at once', () => {
  const { message } = refusalOf({ ...needed, PORT: 'x', LOG_LEVEL: 'x', LOG_LEVLE: 'x' });
  for (const name of ['PORT', 'LOG_LEVEL', 'LOG_LEVLE']) expect(message).toContain(name);
});

test('D-56 config: what an identity provider lacks, and what belongs to another one, is named at once', () => {
  const named = refusalOf({ ...needed, IDENTITY_PROVIDER: 'oidc' }, 'service').message;
  expect(named).toMatch(/OIDC_ISSUER: is missing\n +OIDC_CLIENT_ID: is missing$/);
  expect(refusalOf({ ...needed, OIDC_CLIENT_ID: 'adx' }, 'service').message).toMatch(
    /OIDC_CLIENT_ID: is only for IDENTITY_PROVIDER=oidc$/,
  );
  const mixed = { ...needed, IDENTITY_PROVIDER: 'cognito', OIDC_CLIENT_ID: 'adx' };
  expect(refusalOf({ ...mixed, COGNITO_CLIENT_ID: '1a2b' }, 'service').message).toMatch(
    /COGNITO_USER_POOL_ID: is missing\n +OIDC_CLIENT_ID: is only for IDENTITY_PROVIDER=oidc$/,
  );
  const cognito = {
    IDENTITY_PROVIDER: 'cognito',
    COGNITO_USER_POOL_ID: 'eu-west-1_aB3',
    COGNITO_CLIENT_ID: '1a2b',
  };
  expect(serviceWith(cognito).identityProvider).toEqual({
    ...{ kind: 'cognito', userPoolId: 'eu-west-1_aB3', clientId: '1a2b', clientSecret: undefined },
    issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_aB3',
    endpoint: 'https://cognito-idp.eu-west-1.amazonaws.com',
    ...{ rotatesTokens: false, usernameClaim: 'cognito:username' },
  });
  for (const [changed, problem] of [
    [{ COGNITO_USER_POOL_ID: 'evil.example/_a' }, 'COGNITO_USER_POOL_ID: is not the id'],
    [{ COGNITO_ENDPOINT: 'http://cognito.example' }, 'COGNITO_ENDPOINT: is not https'],
    [{ COGNITO_REGION: 'eu-west-1' }, 'COGNITO_REGION: there is no such setting'],
  ] as const) {
    expect(refusalOf({ ...needed, ...cognito, ...changed }, 'service').message).toContain(problem);
  }
  const settings = { IDENTITY_PROVIDER: 'oidc', OIDC_CLIENT_ID: 'adx' };
  for (const [OIDC_ISSUER, problem] of [
    ['http://login.example.org', 'is not https'],
    ['http://localhost.example.org', 'is not https'],
    ['https://adx:secret@login.example.org', 'has more than'],
    ['https://login.example.org?x=1', 'has more than'],
  ] as const) {
    expect(refusalOf({ ...needed, ...settings, OIDC_ISSUER }, 'service').message).toContain(
      `OIDC_ISSUER: ${problem}`,
    );
  }
  for (const OIDC_ISSUER of ['https://login.example.org/realms/adx', 'http://[::1]:8080']) {
    expect(serviceWith({ ...settings, OIDC_ISSUER }).identityProvider).toMatchObject({
      ...{ kind: 'oidc', issuer: OIDC_ISSUER, clientSecret: undefined },
      ...{ scope: 'openid profile', usernameClaim: 'preferred_username' },
    });
  }
  expect(() =>
    serviceWith({ ...settings, OIDC_ISSUER: 'https://a.example', OIDC_SCOPE: 'email' }),
  ).toThrow('OIDC_SCOPE: does not contain openid');
});
