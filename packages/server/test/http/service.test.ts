import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { createApiKeyStore } from '../../src/identity/api-keys.js';
import { type RunningService, startService } from '../../src/service.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { processSettings } from '../support/process-settings.js';
import { sendRequest } from '../support/send-request.js';

let database: TestDatabase;
let service: RunningService;
let apiKey: string;
const lines: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const settings = await processSettings(database.url);
  const config = loadConfig({ ...settings, CORS_ORIGIN: 'https://portal.example' }, 'service');
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  service = await startService(config, { logger });
  apiKey = (await createApiKeyStore(service.knex).issue({ partner: 'Tests', scopes: [] })).key;
});
afterAll(async () => {
  await service?.close();
  await database?.release();
});
beforeEach(() => {
  lines.length = 0;
});

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${service.url}${path}`, init);
}

/** Returns the log once it has this many lines. */
async function logged(count: number): Promise<Record<string, unknown>[]> {
  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(count);
  return lines.map((line) => JSON.parse(line));
}

test.each([
  ['without an API key', { key: false }, '/v1/hello-world', 403],
  ['without an ID token', { key: true }, '/v1/hello-world', 401],
  ['to a path that does not exist', { key: true }, '/v1/nothing', 404],
])('http: an answer %s forbids caching and content sniffing', async (_, { key }, path, status) => {
  const { status: answered, headers } = await call(path, {
    headers: key ? { 'x-api-key': apiKey } : {},
  });
  expect(answered).toBe(status);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('access-control-allow-origin')).toBe('https://portal.example');
  expect(headers.get('vary')).toBe('Origin');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('D-35 the answer to each call with an old secret says when it ends, also to web pages', async () => {
  const store = createApiKeyStore(service.knex);
  const { id, key } = await store.issue({ partner: 'Tests', scopes: [] });
  const headersOf = async (secret: string, path = '/v1/hello-world') =>
    (await call(path, { headers: { 'x-api-key': secret } })).headers;
  const rotated = await store.rotate(id, { overlapMs: 3_600_000 });
  if (typeof rotated !== 'object') throw new Error('The key was not rotated');
  const until = rotated.old?.until.toISOString() ?? expect.fail();
  // From the database, then from the cache; a refusal and an unknown path.
  for (const path of ['/v1/hello-world', '/v1/hello-world', '/v1/nothing']) {
    const headers = await headersOf(key, path);
    expect(headers.get('x-api-key-expires')).toBe(until);
    expect(headers.get('access-control-expose-headers')).toContain('X-Api-Key-Expires');
  }
  expect((await headersOf(rotated.key)).get('x-api-key-expires')).toBeNull();
  expect((await headersOf('adx_live_unknown')).get('x-api-key-expires')).toBeNull();
});

test('http: the keys of ID tokens may be cached for five minutes', async () => {
  const { status, headers } = await call('/.well-known/jwks.json');
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
});

test('http: health checks are not logged', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await call(path)).status).toBe(200);
  await call('/v1/hello-world');
  expect(await logged(1)).toEqual([
    expect.objectContaining({ method: 'GET', status: 403, code: 'invalidApiKey' }),
  ]);
});

test('http: the log says that a body was not JSON, without the body', async () => {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const body = '{"password": Geheim}';
  expect((await call('/v1/token', { method: 'POST', headers, body })).status).toBe(400);
  expect(await logged(1)).toEqual([
    expect.objectContaining({
      ...{ operation: 'getToken', status: 400, complete: true },
      code: 'invalidJson',
    }),
  ]);
  expect(lines.join('')).not.toContain('Geheim');
});

test('D-04 a refused request target is logged with its id, but without the target', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /sign/secret-token#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const answer = (await socket.setEncoding('latin1').toArray()).join('');
  const requestId = answer.match(/^X-Request-Id: (.*)$/m)?.[1];
  expect(await logged(1)).toEqual([expect.objectContaining({ requestId, status: 400 })]);
  expect(lines.join('')).not.toContain('secret-token');
});

/** A path of each part of the service, and targets that are refused before any part. */
const targets = [
  ...['/v1/customers', '/v1/hello', '/sign/x', '/docs/', '/docs/none', '/openapi.yaml', '/'],
  ...['/.well-known/jwks.json', '/healthz', '/readyz', '/none', '/%', '*', '/v1/customers#a'],
];

test.each([
  ['https://adx.example.org', 'max-age=31536000'],
  ['HTTPS://adx.example.org', 'max-age=31536000'],
  ['http://localhost:3000', undefined],
])('security: every response of a service at %s has HSTS %s', async (url, expected) => {
  const settings = { ...(await processSettings(database.url)), PUBLIC_URL: url };
  const other = await startService(loadConfig(settings, 'service'));
  const answers = await Promise.all(targets.map((path) => sendRequest(other.url, path)));
  await other.close();
  expect(answers.map(({ headers }) => headers['strict-transport-security'])).toEqual(
    targets.map(() => expected),
  );
});
