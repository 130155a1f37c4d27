import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { isScope, scopes } from '@adx/contract';
import { createApiKeyStore } from '@adx/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../test/support/free-port.js';
import { checkStorage } from '../src/doctor/check-storage.js';
import { clientOf } from '../src/settings/open-client.js';
import type { Fetch } from '../src/settings/open-fetch.js';
import { openCuttingProxy } from './support/cutting-proxy.js';
import { createFirm, type Firm, startFirm } from './support/firm.js';
import { folderOfTest } from './support/folders.js';
import { runAdx } from './support/run-adx.js';

let firm: Firm;
beforeAll(async () => {
  firm = await startFirm();
});
afterAll(() => firm.service.close());

test.skipIf(process.platform === 'win32')(
  'D-51 doctor warns of a profile that others can read, and of a sign-in that ends soon',
  async () => {
    const profileFolder = await folderOfTest();
    const path = join(profileFolder, 'default.json');
    await runAdx(['login'], { env: firm.env, profileFolder });
    for (const mode of [0o640, 0o604]) {
      await chmod(path, mode);
      const { exitCode, stdout } = await runAdx(['doctor'], { profileFolder });
      expect([exitCode, stdout]).toEqual([2, expect.stringContaining('chmod 600')]);
    }
    const signedInOn = new Date(Date.now() - 25 * 86_400_000).toISOString();
    const stored = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...stored, signedInOn }));
    const later = await runAdx(['doctor'], { profileFolder });
    expect(later.stdout).toMatch(/problem +sign-in +\S+, for [45] more days\n +Run `adx login`/);
    await chmod(path, 0o600);
    const env = { ADX_REFRESH_TOKEN: await newRefreshToken() };
    const fresh = await runAdx(['doctor'], { env, profileFolder });
    expect(fresh.stdout).toMatch(/ok +sign-in +with ADX_REFRESH_TOKEN/);
  },
);

/** Returns the results of the checks by name, and the exit code. */
async function doctor(env: Readonly<Record<string, string>>) {
  const { exitCode, stdout } = await runAdx(['doctor', '--json'], { env });
  const checks: { name: string; result: string; found: string; advice?: string }[] =
    JSON.parse(stdout);
  for (const { result, advice } of checks) expect(advice !== undefined).toBe(result === 'problem');
  const results = Object.fromEntries(checks.map(({ name, result }) => [name, result]));
  return { exitCode, results, checks };
}

const adviceOf = ({ checks }: Awaited<ReturnType<typeof doctor>>, name: string) =>
  checks.find((check) => check.name === name)?.advice;

const all = ['settings', 'proxy', 'address', 'clock', 'key', 'sign-in', 'scopes', 'storage'];
const good = Object.fromEntries(all.map((name) => [name, 'ok']));

async function newRefreshToken(): Promise<string> {
  const profileFolder = await folderOfTest();
  await runAdx(['login'], { env: firm.env, profileFolder });
  return JSON.parse(await readFile(join(profileFolder, 'default.json'), 'utf8')).refreshToken;
}

test('D-51 doctor finds nothing wrong, with and without a file to download', async () => {
  expect(await doctor(firm.env)).toMatchObject({ exitCode: 0, results: good });
  await firm.addCoda();
  expect(await doctor(firm.env)).toMatchObject({ exitCode: 0, results: good });
  expect(await firm.countPending()).toBe(1);
});

test('D-51 doctor finds a wrong address, and what it cannot check then', async () => {
  const other = createServer((_, response) => response.end('<h1>Welcome</h1>'));
  const port = await freePort();
  await once(other.listen(port, '127.0.0.1'), 'listening');
  const elsewhere = `http://127.0.0.1:${port}`;
  const skipped = { key: 'skipped', 'sign-in': 'skipped', scopes: 'skipped', storage: 'skipped' };
  const results = { ...good, ...skipped, address: 'problem' };
  expect(await doctor({ ...firm.env, ADX_URL: elsewhere })).toMatchObject({ exitCode: 2, results });
  other.close();
  const { exitCode, checks } = await doctor({ ...firm.env, ADX_URL: elsewhere });
  expect(exitCode).toBe(1);
  expect(checks.find(({ name }) => name === 'address')?.found).toContain('ECONNREFUSED');
});

test('D-51 doctor and other commands say that a port speaks http, and not https', async () => {
  const ADX_URL = firm.env['ADX_URL']?.replace('http:', 'https:') ?? '';
  const { exitCode, checks } = await doctor({ ...firm.env, ADX_URL });
  expect([exitCode, checks.find(({ name }) => name === 'address')]).toMatchObject([
    1,
    {
      found: expect.stringContaining('the port speaks http, not https'),
      advice: expect.stringContaining('http://'),
    },
  ]);
  const { stderr } = await runAdx(['hello'], { env: { ...firm.env, ADX_URL } });
  expect(stderr).toMatch(/the port speaks http, not https\)\. Write .*http:\/\/.* \[http\]/);
});

test('D-51 doctor finds a wrong key and a wrong password', async () => {
  const wrongKey = await doctor({ ...firm.env, ADX_API_KEY: 'adx_wrong' });
  expect(wrongKey.results).toMatchObject({ address: 'ok', key: 'problem', 'sign-in': 'skipped' });
  expect(adviceOf(wrongKey, 'key')).toContain('correct ADX_API_KEY');
  const wrongPassword = await doctor({ ...firm.env, ADX_PASSWORD: 'wrong' });
  expect(wrongPassword.results).toMatchObject({ key: 'ok', 'sign-in': 'problem' });
  expect(adviceOf(wrongPassword, 'sign-in')).toContain('ADX_PASSWORD');
  expect([wrongKey.exitCode, wrongPassword.exitCode]).toEqual([3, 3]);
});

test('D-35 doctor and each command say when the old secret of a rotated key ends', async () => {
  const { id, key } = await firm.service.issueApiKey();
  const env = { ...firm.env, ADX_API_KEY: key };
  const rotation = createApiKeyStore(firm.service.knex).rotate(id, { overlapMs: 3_600_000 });
  const until = Object(await rotation).old.until.toISOString();
  const { exitCode, results, checks } = await doctor(env);
  expect([exitCode, results]).toEqual([3, { ...good, key: 'problem' }]);
  expect(checks.find(({ name }) => name === 'key')).toMatchObject({
    found: `the service accepts it, until ${until}`,
    advice: expect.stringMatching(/a new one\. Run `adx login` with that, or set ADX_API_KEY\.$/),
  });
  // Two calls, with the sign-in: it is said once.
  const note = `note: The API key works until ${until}, because`;
  const hello = await runAdx(['hello'], { env });
  expect([hello.exitCode, hello.stderr.split('note: ').length]).toEqual([0, 2]);
  expect(hello.stderr).toContain(note);
  const json = await runAdx(['hello', '--json'], { env });
  expect([json.exitCode, JSON.parse(json.stderr)]).toEqual([
    0,
    { note: expect.stringContaining(`works until ${until}`) },
  ]);
  const profileFolder = await folderOfTest();
  expect((await runAdx(['login'], { env, profileFolder })).stderr).toContain(note);
});

test('D-20 doctor and login name a test key, also one that the service does not accept', async () => {
  const store = createApiKeyStore(firm.service.knex, undefined, 'test');
  const { key } = await store.issue({
    partner: 'Tests',
    scopes: Object.keys(scopes).filter(isScope),
  });
  const env = { ...firm.env, ADX_API_KEY: key };
  expect((await runAdx(['doctor'], { env })).stdout).toMatch(
    /^ok +key +the service accepts it, a test key$/m,
  );
  const profileFolder = await folderOfTest();
  const { stdout } = await runAdx(['login'], { env, profileFolder });
  expect(stdout).toContain(`at ${firm.env['ADX_URL']}, with a test key.\n`);
  const other = { ...firm.env, ADX_API_KEY: `${key.slice(0, -1)}_` };
  const refused = await runAdx(['doctor'], { env: other });
  expect([refused.exitCode, refused.stdout]).toEqual([
    3,
    expect.stringContaining('API key: it is a test key, which only the sandbox or staging that'),
  ]);
  const refusedLogin = await runAdx(['login'], { env: other, profileFolder });
  expect([refusedLogin.exitCode, refusedLogin.stderr]).toEqual([
    3,
    expect.stringMatching(
      /note: it is a test key, .*\.\nerror: The API key is missing or not valid\./,
    ),
  ]);
});

test('D-51 doctor says which scopes the key has', async () => {
  const { key } = await firm.service.issueApiKey(['customers:read']);
  const { checks } = await doctor({ ...firm.env, ADX_API_KEY: key });
  expect(checks.find(({ name }) => name === 'scopes')).toMatchObject({
    result: 'problem',
    found: expect.stringMatching(/^customers:read; not .*files:read/),
  });
});

test('D-51 doctor names each problem if there are several', async () => {
  const { now } = Date;
  Date.now = () => now() + 3_600_000;
  try {
    const { results } = await doctor({ ...firm.env, ADX_API_KEY: 'adx_wrong' });
    expect(results).toMatchObject({ clock: 'problem', key: 'problem', address: 'ok' });
  } finally {
    Date.now = now;
  }
});

test('D-51 commands use the proxy of the environment, and doctor names it without its password', async () => {
  const proxy = await openCuttingProxy(() => undefined);
  const { host } = new URL(proxy.url);
  const env = { ...firm.env, http_proxy: `http://user:geheim@${host}` };
  const { results, checks } = await doctor(env);
  expect(results).toEqual(good);
  expect(checks.find(({ name }) => name === 'proxy')?.found).toBe(host);
  expect(proxy.counts.connections).toBeGreaterThan(1);
  await proxy.close();
  expect((await doctor(env)).results).toMatchObject({ address: 'problem' });
  for (const HTTPS_PROXY of ['proxy geheim', 'proxy.example.org:3128']) {
    const { results: malformed } = await doctor({ ...firm.env, HTTPS_PROXY });
    expect(malformed).toEqual({ settings: 'problem', proxy: 'problem' });
  }
});

test('D-51 doctor blames the service, and not the storage, if the service does not say where it is', async () => {
  const down: Fetch = async (url, init) =>
    url.includes('-files') ? new Response('', { status: 503 }) : fetch(url, init);
  const { user, apiKey, env } = await createFirm(firm.service);
  const settings = { url: env['ADX_URL'] ?? '', apiKey, signIn: user };
  const client = clientOf(settings, { fetch: down, maxRetries: 0 });
  await expect(checkStorage(client, down)).rejects.toThrow('listCodaFiles got 503');
});

test('D-51 doctor skips the storage if there is no file and the key may not upload', async () => {
  const { key } = await firm.service.issueApiKey(['files:read']);
  const { env } = await createFirm(firm.service);
  const { results } = await doctor({ ...env, ADX_API_KEY: key });
  expect(results).toMatchObject({ storage: 'skipped' });
});

test('D-51 doctor finds a storage of AWS, which has no endpoint', async () => {
  const withoutEndpoint: Fetch = async (url, init) => {
    if (init.method === 'HEAD') return new Response();
    const response = await fetch(url, init);
    if (!url.endsWith('credentials')) return response;
    const { endpoint: _, ...credentials } = await response.json();
    return Response.json(credentials);
  };
  const { user, apiKey, env } = await createFirm(firm.service);
  const settings = { url: env['ADX_URL'] ?? '', apiKey, signIn: user };
  const client = clientOf(settings, { fetch: withoutEndpoint });
  expect(await checkStorage(client, withoutEndpoint)).toMatchObject({
    result: 'ok',
    found: expect.stringMatching(/^[^.]+\.s3\.[^.]+\.amazonaws\.com answers$/),
  });
});
