import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { startService } from '../../src/service.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { processSettings } from '../support/process-settings.js';
import { sendRequest } from '../support/send-request.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.release());

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
  const service = await startService(loadConfig(settings, 'service'));
  const answers = await Promise.all(targets.map((path) => sendRequest(service.url, path)));
  await service.close();
  expect(answers.map(({ headers }) => headers['strict-transport-security'])).toEqual(
    targets.map(() => expected),
  );
});
