import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { type RunningService, startService } from '../../src/service.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { processSettings } from '../support/process-settings.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A path of each part of the service, and targets that are refused before any part. */
const targets = [
  ...['/v1/customers', '/v1/hello', '/sign/x', '/docs/', '/docs/none', '/openapi.yaml', '/'],
  ...['/.well-known/jwks.json', '/healthz', '/readyz', '/none', '/%', '*', '/v1/customers#a'],
];

/** Returns the header of the response to a target, which `fetch` would normalise. */
function hstsOf({ url }: RunningService, path: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.headers['strict-transport-security']);
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  ['https://adx.example.org', 'max-age=31536000'],
  ['HTTPS://adx.example.org', 'max-age=31536000'],
  ['http://localhost:3000', undefined],
])('security: every response of a service at %s has HSTS %s', async (url, expected) => {
  const settings = { ...(await processSettings(database.url)), PUBLIC_URL: url };
  const service = await startService(loadConfig(settings, 'service'));
  const headers = await Promise.all(targets.map((path) => hstsOf(service, path)));
  await service.close();
  expect(headers).toEqual(targets.map(() => expected));
});
