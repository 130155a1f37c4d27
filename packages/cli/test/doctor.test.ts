import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCuttingProxy } from './support/cutting-proxy.js';
import { type Firm, startFirm } from './support/firm.js';
import { runAdx } from './support/run-adx.js';

let firm: Firm;
beforeAll(async () => {
  firm = await startFirm();
});
afterAll(() => firm.service.close());

/** Returns the results of the checks by name, and the exit code. */
async function doctor(env: Readonly<Record<string, string>>) {
  const { exitCode, stdout } = await runAdx(['doctor', '--json'], { env });
  const checks: { name: string; result: string; found: string; advice?: string }[] =
    JSON.parse(stdout);
  for (const { result, advice } of checks) expect(advice !== undefined).toBe(result === 'problem');
  const results = Object.fromEntries(checks.map(({ name, result }) => [name, result]));
  return { exitCode, results, checks };
}

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
  expect(await doctor({ ...firm.env, ADX_URL: elsewhere })).toMatchObject({ exitCode: 1, results });
  other.close();
  const { checks } = await doctor({ ...firm.env, ADX_URL: elsewhere });
  expect(checks.find(({ name }) => name === 'address')?.found).toContain('ECONNREFUSED');
});

test('D-51 doctor finds a wrong key and a wrong password', async () => {
  const wrongKey = await doctor({ ...firm.env, ADX_API_KEY: 'adx_wrong' });
  expect(wrongKey.results).toMatchObject({ address: 'ok', key: 'problem', 'sign-in': 'skipped' });
  const wrongPassword = await doctor({ ...firm.env, ADX_PASSWORD: 'wrong' });
  expect(wrongPassword.results).toMatchObject({ key: 'ok', 'sign-in': 'problem' });
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
