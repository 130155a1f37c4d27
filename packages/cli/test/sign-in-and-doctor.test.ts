import { once } from 'node:events';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkStorage } from '../src/doctor/check-storage.js';
import { runProgram } from '../src/program.js';
import { clientOf } from '../src/settings/open-client.js';
import type { Fetch } from '../src/settings/open-fetch.js';
import { openCuttingProxy } from './support/cutting-proxy.js';
import { createFirm, type Firm, startFirm } from './support/firm.js';
import { newFolder } from './support/folders.js';
import { runAdx } from './support/run-adx.js';

let firm: Firm;
let folder: string;
let profileFolder: string;
beforeAll(async () => {
  firm = await startFirm();
});
afterAll(() => firm.service.close());
beforeEach(async () => {
  folder = await newFolder();
  profileFolder = join(folder, 'profiles');
  return () => rm(folder, { recursive: true });
});

const profile = async (name = 'default') =>
  JSON.parse(await readFile(join(profileFolder, `${name}.json`), 'utf8'));

test('D-51 login stores the sign-in, without the password, for its owner alone', async () => {
  const { exitCode, stdout } = await runAdx(['login'], { env: firm.env, profileFolder });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('30 days')]);
  expect(await readdir(profileFolder)).toEqual(['default.json']);
  expect((await stat(join(profileFolder, 'default.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(profileFolder)).mode & 0o777).toBe(0o700);
  expect(await profile()).toEqual({
    ...{ url: firm.env['ADX_URL'], apiKey: firm.apiKey, username: firm.user.username },
    ...{ refreshToken: expect.any(String), signedInOn: expect.any(String) },
  });
  expect(JSON.stringify(await profile())).not.toContain(firm.user.password);
  expect(await runAdx(['hello'], { profileFolder })).toMatchObject({ exitCode: 0, stderr: '' });
});

test('D-51 login asks on a terminal for what is missing, and shows neither key nor password', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const answers: Readonly<Record<string, string>> = {
    'Address: ': firm.service.baseUrl.replace(/\/v1$/, ''),
    'API key: ': firm.apiKey,
    'Username: ': firm.user.username,
    'Password: ': firm.user.password,
  };
  let shown = '';
  const asked = new Set<string>();
  stderr.on('data', (chunk) => {
    shown += chunk;
    for (const [question, answer] of Object.entries(answers)) {
      if (asked.has(question) || !shown.includes(question)) continue;
      asked.add(question);
      // Behind the question, when the line is read.
      setImmediate(() => stdin.write(`${answer}\r`));
    }
  });
  const context = { env: {}, stdin, stdout, stderr, profileFolder };
  expect(await runProgram(['login'], context), shown).toBe(0);
  expect(shown).not.toContain(firm.apiKey);
  expect(shown).not.toContain(firm.user.password);
  expect(await profile()).toMatchObject({ url: firm.service.baseUrl });
});

test('D-51 login without a terminal names everything that is missing', async () => {
  const { exitCode, stderr } = await runAdx(['login'], { profileFolder });
  expect(exitCode).toBe(2);
  for (const name of ['--url', 'ADX_API_KEY', '--username', '--password-file', 'ADX_PASSWORD']) {
    expect(stderr).toContain(name);
  }
});

test('D-51 a password file is read again by each command, so the sign-in has no end', async () => {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `\uFEFF${firm.user.password}\r\n`, { mode: 0o600 });
  const { ADX_PASSWORD: _, ...env } = firm.env as Record<string, string>;
  const given = relative(process.cwd(), passwordFile);
  const login = ['login', '--password-file', given, '--profile', 'nightly'];
  expect(await runAdx(login, { env, profileFolder })).toMatchObject({ exitCode: 0 });
  expect(await profile('nightly')).toMatchObject({ passwordFile });
  expect(await profile('nightly')).not.toHaveProperty('refreshToken');
  const hello = ['hello', '--profile', 'nightly'];
  expect(await runAdx(hello, { profileFolder })).toMatchObject({ exitCode: 0 });
  await writeFile(passwordFile, 'changed\n');
  expect(await runAdx(hello, { profileFolder })).toMatchObject({ exitCode: 3 });
});

test('D-51 a sign-in that has ended is exit code 3, and says what to do', async () => {
  await runAdx(['login'], { env: firm.env, profileFolder });
  const stored = await profile();
  const ended = { ...stored, refreshToken: `${stored.refreshToken}x` };
  await writeFile(join(profileFolder, 'default.json'), JSON.stringify(ended));
  expect(await runAdx(['hello'], { profileFolder })).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('Run `adx login`'),
  });
});

test('D-51 a refused login stores nothing', async () => {
  const env = { ...firm.env, ADX_PASSWORD: 'wrong' };
  expect(await runAdx(['login'], { env, profileFolder })).toMatchObject({ exitCode: 3 });
  await expect(readdir(profileFolder)).rejects.toThrow('ENOENT');
});

test('D-51 the key of a profile is not sent to another address', async () => {
  await runAdx(['login'], { env: firm.env, profileFolder });
  const env = { ADX_URL: 'https://elsewhere.example/v1' };
  expect(await runAdx(['hello'], { env, profileFolder })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('ADX_API_KEY'),
  });
});

test('D-51 a profile of another user, and one that is damaged, are errors that say what to do', async () => {
  await runAdx(['login'], { env: firm.env, profileFolder });
  const env = { ADX_USERNAME: 'jan@kantoor.example' };
  expect(await runAdx(['hello'], { env, profileFolder })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`is for the user ${firm.user.username}`),
  });
  await writeFile(join(profileFolder, 'default.json'), '');
  expect(await runAdx(['login'], { env: firm.env, profileFolder })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Delete it'),
  });
});

test('D-51 an address without encryption, and a key that no key can be, are refused', async () => {
  const env = { ...firm.env, ADX_URL: 'http://adx.example.org' };
  expect(await runAdx(['hello'], { env })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('must begin with https'),
  });
  expect(await runAdx(['hello'], { env: { ...firm.env, ADX_API_KEY: 'é' } })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('characters that no key has'),
  });
});

test('D-51 a variable that is empty, and an address that does not end in /v1, are named', async () => {
  for (const name of ['ADX_USERNAME', 'ADX_PASSWORD', 'ADX_API_KEY', 'ADX_URL']) {
    const env = { ...firm.env, [name]: '' };
    const stderr = `error: ${name} is empty.\n`;
    for (const command of ['hello', 'login']) {
      expect(await runAdx([command], { env })).toEqual({ exitCode: 2, stdout: '', stderr });
    }
  }
  const env = { ...firm.env, ADX_URL: `${firm.env['ADX_URL']}/v2` };
  const found = expect.stringContaining('The address ends in /v1');
  expect(await runAdx(['hello'], { env })).toMatchObject({ exitCode: 2, stderr: found });
  expect(await doctor(env)).toMatchObject({
    exitCode: 2,
    checks: [{ name: 'settings', found }, {}],
  });
  const passwordFile = { ...firm.env, ADX_PASSWORD_FILE: join(folder, 'absent') };
  const { ADX_PASSWORD: _, ...absent } = passwordFile as Record<string, string>;
  expect(await runAdx(['hello'], { env: absent })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('it does not exist'),
  });
});

test('D-51 a name of a profile does not lead out of its folder', async () => {
  const login = ['login', '--profile', '../evil'];
  expect(await runAdx(login, { env: firm.env, profileFolder })).toMatchObject({ exitCode: 2 });
});

test.skipIf(process.platform === 'win32')(
  'D-51 doctor warns of a profile that others can read, and of a sign-in that ends soon',
  async () => {
    await runAdx(['login'], { env: firm.env, profileFolder });
    await chmod(join(profileFolder, 'default.json'), 0o644);
    const { exitCode, stdout } = await runAdx(['doctor'], { profileFolder });
    expect([exitCode, stdout]).toEqual([2, expect.stringContaining('chmod 600')]);
    const signedInOn = new Date(Date.now() - 25 * 86_400_000).toISOString();
    const aged = JSON.stringify({ ...(await profile()), signedInOn });
    await writeFile(join(profileFolder, 'default.json'), aged);
    const later = await runAdx(['doctor'], { profileFolder });
    expect(later.stdout).toMatch(/problem +sign-in +\S+, for [45] more days\n +Run `adx login`/);
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

test('D-51 doctor finds nothing wrong, with and without a file to download', async () => {
  expect(await doctor(firm.env)).toMatchObject({ exitCode: 0, results: good });
  await firm.addCoda();
  expect(await doctor(firm.env)).toMatchObject({ exitCode: 0, results: good });
  expect(await firm.countPending()).toBe(1);
});

test('D-51 doctor finds a wrong address, and what it cannot check then', async () => {
  const other = createServer((_, response) => response.end('<h1>Welcome</h1>'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const skipped = { key: 'skipped', 'sign-in': 'skipped', scopes: 'skipped', storage: 'skipped' };
  const results = { ...good, ...skipped, address: 'problem' };
  expect(await doctor({ ...firm.env, ADX_URL: elsewhere })).toMatchObject({ exitCode: 2, results });
  other.close();
  const { exitCode, checks } = await doctor({ ...firm.env, ADX_URL: elsewhere });
  expect(exitCode).toBe(1);
  expect(checks.find(({ name }) => name === 'address')?.found).toContain('ECONNREFUSED');
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
