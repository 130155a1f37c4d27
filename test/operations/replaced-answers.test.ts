import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@adx/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdx } from '../../packages/cli/test/support/run-adx.js';
import { eventually } from '../support/eventually.js';
import type { TestUser } from '../support/test-service.js';
import { useTestService } from '../support/use-service.js';

const service = useTestService();
let proxy: Server;
/** How the proxy answers in place of a failure of the service: with this status, or not at all. */
let replacement: number | undefined;
let signIns: number;
beforeAll(async () => {
  // It replaces answers like `proxy_intercept_errors` of nginx and the error pages of others.
  proxy = createServer((incoming, answer) => {
    const { url = '', method, headers } = incoming;
    if (url.endsWith('/token')) signIns += 1;
    const target = new URL(url, service.baseUrl);
    const outgoing = request(target, { method, headers }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 500) {
        response.pipe(answer.writeHead(statusCode, response.headers));
      } else if (replacement === undefined) {
        answer.destroy();
      } else {
        response.resume();
        answer.writeHead(replacement, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>');
      }
    });
    incoming.pipe(outgoing);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

/** Returns a user whose password is wrong at first, and what a client of the user needs. */
async function newUser() {
  const user: TestUser = await service.createUser({ firmId: await service.createFirm() });
  const { key: apiKey } = await service.issueApiKey();
  const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`;
  const options = { apiKey, username: user.username, baseUrl };
  signIns = 0;
  return { user, options, wrong: { ...options, password: 'wrong-password' } };
}

test.each([
  ['500', 500, undefined],
  ['503', 503, 1],
  ['no answer', undefined, 1],
])(
  'D-23 a wrong password behind a proxy that replaces failures by %s does not lock the user out',
  async (_, status, maxRetries) => {
    replacement = status;
    const { user, options, wrong } = await newUser();
    const client = createClient({ ...wrong, maxRetries });
    for (let nth = 0; nth < 50; nth++) {
      const calls = [client.mandates.search(), client.auth.hello(), client.codaFiles.list()];
      const results = await Promise.allSettled(calls);
      expect(results.map((result) => result.status)).toEqual(Array(3).fill('rejected'));
    }
    expect(signIns).toBeLessThanOrEqual(4);
    const right = createClient({ ...options, password: user.password });
    expect(await right.auth.hello()).toHaveProperty('message');
  },
);

test('D-23 following mandates with a wrong password behind such a proxy does not lock the user out', async () => {
  replacement = 500;
  const { user, options, wrong } = await newUser();
  const stop = new AbortController();
  const polls = createClient({ ...wrong, maxRetries: 0 }).mandates.changes({
    ...{ since: new Date(0), intervalMs: 5, signal: stop.signal },
  });
  const ended = polls.next().catch((error: unknown) => error);
  await eventually(async () => signIns === 4);
  await new Promise((resolve) => setTimeout(resolve, 200));
  stop.abort();
  await ended;
  expect(signIns).toBe(4);
  const right = createClient({ ...options, password: user.password });
  expect(await right.auth.hello()).toHaveProperty('message');
});

test('D-51 adx signs in once, and says that the password may be wrong and that it must not be run again', async () => {
  replacement = 500;
  const { options } = await newUser();
  const { baseUrl, apiKey, username } = options;
  const env = { ADX_URL: baseUrl, ADX_API_KEY: apiKey, ADX_USERNAME: username };
  const { exitCode, stderr } = await runAdx(['mandates', 'list'], {
    env: { ...env, ADX_PASSWORD: 'wrong-password' },
  });
  expect([signIns, exitCode]).toEqual([1, 3]);
  expect(stderr).toMatch(/may be a refusal\. Check the username, and the password in ADX_PASSWORD/);
});

test('§5 rule 2 a refresh token that such a proxy refuses is replaced by a sign-in with the password', async () => {
  replacement = 500;
  const { user, options } = await newUser();
  let isExpired = false;
  const client = createClient({
    ...{ ...options, password: user.password },
    async fetch(url, init) {
      if (!(isExpired && url.endsWith('/hello-world'))) return fetch(url, init);
      isExpired = false;
      return Response.json({ error: 'tokenExpired' }, { status: 401 });
    },
  });
  await client.auth.hello();
  await service.knex('refresh_tokens').delete();
  isExpired = true;
  expect(await client.auth.hello()).toHaveProperty('message');
  expect(signIns).toBe(3);
});
