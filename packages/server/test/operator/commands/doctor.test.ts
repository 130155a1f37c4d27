import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { toProviderSettings } from '../../../src/identity/providers/provider-settings.js';
import { createSigningKeyStore } from '../../../src/identity/signing-keys.js';
import { checkProvider } from '../../../src/operator/doctor/check-provider.js';
import { captureProgram } from '../../../src/operator/program.js';
import { settings as allSettings } from '../../../src/settings.js';
import { startMailServer } from '../../mail/mail-server.js';
import { createTestDatabase } from '../../support/database.js';
import { operatorForFile } from '../operator-for-file.js';

const { url, knex, storage, settings: common } = await operatorForFile();
const mailServer = await startMailServer({
  onAuth: ({ password }, _session, callback) =>
    password === 'right' ? callback(null, { user: 'adx' }) : callback(new Error('Wrong')),
});
afterAll(() => mailServer.close());
const SMTP_URL = `smtp://adx:right@127.0.0.1:${mailServer.port}`;
const settings: Record<string, string> = { ...common, SMTP_URL, DOCS_DIR: 'docs/guides' };

/** Runs `adx-server doctor --json` with other settings, and returns the checks by name. */
async function doctor(changed: Readonly<Record<string, string>> = {}) {
  const result = await captureProgram(['doctor', '--json'], { ...settings, ...changed });
  const checks = JSON.parse(result.stdout) as { name: string; result: string; found: string }[];
  const byName = Object.fromEntries(
    checks.map(({ name, result, found }) => [name, `${result}: ${found}`]),
  );
  return { ...result, checks: byName };
}

test('D-61 doctor says that the port of PUBLIC_URL speaks http', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const PUBLIC_URL = `https://127.0.0.1:${Object(server.address()).port}`;
  const { checks } = await doctor({ PUBLIC_URL });
  expect(checks['settings']).toBe(`problem: the port of ${PUBLIC_URL} speaks http, and no TLS`);
});

test('D-61 doctor finds nothing wrong with a role whose settings are odd, because connections set them', async () => {
  const options = '-c DateStyle=German -c search_path=none -c statement_timeout=100';
  const DATABASE_URL = `${url}?options=${encodeURIComponent(options)}`;
  const { checks } = await doctor({ DATABASE_URL });
  expect(checks['database']).toMatch(/^ok: PostgreSQL/);
});

test('D-61 doctor checks every part that the service needs, and leaves nothing behind', async () => {
  // It is of the next release, whose schema this one runs on too (D-64).
  const newer = { name: '9001-newer', batch: 2, migration_time: new Date() };
  await knex('knex_migrations').insert(newer);
  const { checks, exitCode, stderr } = await doctor();
  const { S3_BUCKET_FILES: files, S3_BUCKET_CODA_UPLOADS: coda } = settings;
  expect(checks).toMatchObject({
    settings: 'ok: http://localhost:3000, listening on 127.0.0.1:0',
    database: expect.stringMatching(/^ok: PostgreSQL \d/),
    clock: expect.stringMatching(/^ok: [01] s/),
    migrations: 'ok: none is pending; a newer release has added 9001-newer',
    [`bucket ${files}`]: 'ok: put, get, list and delete are allowed',
    [`bucket ${coda}`]: 'ok: put, get, list and delete are allowed',
    [`upload credentials for ${coda}`]: 'ok: issued, and limited to their prefix',
    mail: 'ok: the mail server accepts the connection; no message was sent',
    'identity provider': 'ok: built-in',
    documentation: expect.stringMatching(/^problem: there is none in .*guides$/),
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'error: 1 problem found.\n' });
  expect(mailServer.delivered).toEqual([]);
  for (const bucket of Object.values<string>({ ...storage.buckets })) {
    for await (const { key } of storage.store.list(bucket, '')) expect(key).toBe('no object');
  }
});

test.each([
  ['behind', -1],
  ['ahead of', 1],
])('D-61 doctor says that the clock is an hour %s that of the database', async (found, hours) => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
  const { checks } = await doctor();
  expect(checks['clock']).toMatch(new RegExp(`^problem: 3[56]\\d\\d s ${found} the database$`));
});

test('D-59 doctor says that a service signs with another secret', async () => {
  await knex('signing_keys').delete();
  await createSigningKeyStore(knex, 'that of a service which was forgotten').rotate();
  expect((await doctor()).checks['signing keys']).toBe(
    'problem: the newest is encrypted with another SIGNING_KEY_SECRET',
  );
});

test('D-61 a database that is not in UTF-8 is named by doctor and refused by migrate', async () => {
  const latin = await createTestDatabase({ empty: true, encoding: 'LATIN1' });
  const { checks } = await doctor({ DATABASE_URL: latin.url });
  const migrated = await captureProgram(['migrate'], { DATABASE_URL: latin.url });
  await latin.release();
  expect(checks['database']).toBe('problem: its encoding is LATIN1 instead of UTF8');
  expect(migrated.stderr).toBe(
    "error: The encoding of the database is LATIN1 instead of UTF8. Create it with `create database adx template template0 encoding 'UTF8' locale 'C'`.\n",
  );
  expect(migrated.exitCode).toBe(1);
});

test('D-61 doctor finds a database that is read-only, although it reads', async () => {
  const readOnly = await createTestDatabase();
  const name = new URL(readOnly.url).pathname.slice(1);
  await knex.raw('alter database ?? set default_transaction_read_only = on', [name]);
  const { checks } = await doctor({ DATABASE_URL: readOnly.url });
  const listed = await captureProgram(['firm', 'list'], { DATABASE_URL: readOnly.url });
  await readOnly.release();
  expect(checks).toMatchObject({
    database: 'problem: The database is read-only.',
    migrations: 'ok: none is pending',
  });
  expect(listed.stderr).toBe('error: The database is read-only.\n');
});

test.each(['{"error":"not found"}', '<html>Not found</html>'])(
  'D-61 doctor names the address and status of a provider that answers 404 with %s',
  async (body) => {
    const provider = createServer((_request, response) => response.writeHead(404).end(body));
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    const issuer = `http://127.0.0.1:${Object(provider.address()).port}/realm`;
    const oidc = { IDENTITY_PROVIDER: 'oidc', OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'adx' };
    const check = await checkProvider(toProviderSettings(allSettings.parse(oidc)));
    provider.close();
    const metadata = `${issuer}/.well-known/openid-configuration`;
    expect(check).toMatchObject({
      result: 'problem',
      found: `${issuer} gives no metadata: GET ${metadata}: it answered 404`,
    });
  },
);

test('D-61 doctor finds out whether messages can be written to a folder, and does not create it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'adx-mails-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'new', 'mails');
  const find = async (path: string) =>
    (await doctor({ SMTP_URL: '', MAIL_FOLDER: path })).checks['mail'];
  expect(await find(folder)).toBe(`ok: messages are written to ${folder}, and not sent`);
  expect(await find(parent)).toMatch(/^ok/);
  expect(await readdir(parent)).toEqual([]);
  await writeFile(join(parent, 'new'), 'a file');
  expect(await find(folder)).toBe(
    `problem: ${folder}: a part of the path is not a folder (ENOTDIR)`,
  );
  await symlink(join(parent, 'unmounted'), join(parent, 'drive'));
  expect(await find(join(parent, 'drive', 'mails'))).toMatch(/^problem: .*\(ENOENT\)$/);
});

test('D-61 doctor says what is wrong with each part, without the secrets', async () => {
  const empty = await createTestDatabase({ empty: true });
  onTestFinished(() => empty.release());
  const broken = await doctor({
    DATABASE_URL: empty.url,
    S3_BUCKET_FILES: 'no-such-bucket',
    STS_ROLE_ARN: 'arn:aws:iam::000000000000:role/other',
    SMTP_URL: `smtp://adx:wrong-password@127.0.0.1:${mailServer.port}`,
    IDENTITY_PROVIDER: 'oidc',
    OIDC_ISSUER: 'http://127.0.0.1:9/realm',
    OIDC_CLIENT_ID: 'adx',
  });
  expect(broken.checks).toMatchObject({
    migrations: expect.stringMatching(/^problem: \d+ pending$/),
    'bucket no-such-bucket': 'problem: NoSuchBucket',
    [`upload credentials for ${settings['S3_BUCKET_CODB_UPLOADS']}`]:
      expect.stringMatching(/^problem: AccessDenied/),
    mail: expect.stringMatching(/^problem: The mail server refused the credentials/),
    'identity provider': expect.stringMatching(/^problem: \S+ gives no metadata/),
  });
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout + broken.stderr).not.toContain('wrong-password');
  const keys = await doctor({
    DATABASE_URL: 'postgresql://adx:hidden@127.0.0.1:9/adx',
    S3_SECRET_ACCESS_KEY: 'another secret',
  });
  expect(keys.checks).toMatchObject({
    database: 'problem: The database cannot be reached (ECONNREFUSED).',
    migrations: expect.stringMatching(/^skipped/),
    [`bucket ${settings['S3_BUCKET_FILES']}`]: 'problem: SignatureDoesNotMatch',
    [`upload credentials for ${settings['S3_BUCKET_CODA_UPLOADS']}`]:
      expect.stringMatching(/^problem/),
  });
  expect(keys.stdout + keys.stderr).not.toContain('hidden');
  const settingsOnly = await captureProgram(['doctor'], {
    ...settings,
    PORT: 'x',
    LINK_SECRET: '',
  });
  expect(settingsOnly).toMatchObject({ exitCode: 2, stderr: 'error: 2 problems found.\n' });
  expect(settingsOnly.stdout).toMatch(
    /^problem {2}settings +PORT: is not a whole number from 0 to 65535\n/,
  );
  expect(settingsOnly.stdout).toMatch(/^problem {2}settings +LINK_SECRET: is missing$/m);
});
