import { createClient } from '@adx/client';
import { expect, test } from 'vitest';
import { callOperation } from '../support/call-operation.js';
import { useTestService } from '../support/use-service.js';

const quota = 12;

const service = useTestService({
  settings: { RATE_LIMIT_PER_MINUTE: String(quota), METRICS_PORT: '0' },
});

/** Returns a user of a new firm. The sign-in counts for another API key. */
async function newCaller() {
  const user = await service.createUser({ firmId: await service.createFirm() });
  const { key } = await service.issueApiKey();
  const response = await service.raw('/token', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      username: user.username,
      password: Buffer.from(user.password).toString('base64'),
    }),
  });
  const { idToken } = (await response.json()) as { idToken: string };
  const { key: apiKey } = await service.issueApiKey();
  return { user, idToken, apiKey };
}

/** Runs calls of new callers, and runs them again if a new minute has begun meanwhile. */
async function inOneMinute<Result>(calls: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const minute = Math.floor(Date.now() / 60_000);
    const result = await calls();
    if (Math.floor(Date.now() / 60_000) === minute) return result;
  }
}

/** Returns the limit and the calls that are left, by the headers of an answer. */
function limitOf({ headers }: { headers: Pick<Headers, 'get'> }): [string | undefined, number] {
  const [, name, left] = /^"(\w+)";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? [];
  expect(headers.get('ratelimit-policy')).toBe(`"${name}";q=${quota};w=60`);
  return [name, Number(left)];
}

test('D-23 the client gives the id of a request, and what is left', async () => {
  const [first, second] = await inOneMinute(async () => {
    const { user, apiKey } = await newCaller();
    const { baseUrl } = service;
    const { username, password } = user;
    const client = createClient({ baseUrl, apiKey, username, password });
    const earlier = await client.auth.hello().withResponse();
    return [earlier, await client.auth.hello().withResponse()] as const;
  });
  expect(second.data).toEqual(first.data);
  const [id, otherId] = [first, second].map((each) => each.response.headers.get('x-request-id'));
  expect(id).toMatch(/\S{8}/);
  expect(otherId).not.toBe(id);
  const [[scope, left], [sameScope, leftNow]] = [limitOf(first.response), limitOf(second.response)];
  expect([sameScope, leftNow]).toEqual([scope, left - 1]);
});

test('D-23 every answer says what is left, for the firm of the user, sign-ins or refused calls', async () => {
  const answers = await inOneMinute(async () => {
    const { idToken, apiKey } = await newCaller();
    const call = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
      service.raw(path, {
        method,
        headers: { 'x-api-key': apiKey, authorization: `Bearer ${idToken}`, ...headers },
      });
    const json = { 'content-type': 'application/json' };
    return [
      await call('/hello-world'),
      await call('/customers/ffffffffffffffffffffffff'),
      await call('/customers/x'),
      await call('/customers', 'POST'),
      await call('/customers', 'POST', { 'content-type': 'text/plain' }),
      // These are refused before the user is known.
      await call('/hello-world', 'GET', { authorization: 'Bearer x' }),
      await call('/nowhere'),
      await call('/customers', 'DELETE'),
      await call('/customers/%zz'),
      await call('/token', 'POST', json),
      await call('/hello-world', 'HEAD'),
      await call('/hello-world'),
    ];
  });
  expect(answers.map((answer) => [answer.status, ...limitOf(answer)])).toEqual([
    [200, 'default', 11],
    [404, 'default', 10],
    [400, 'default', 9],
    [400, 'default', 8],
    [415, 'default', 7],
    [401, 'refused', 11],
    [404, 'refused', 10],
    [405, 'refused', 9],
    [400, 'refused', 8],
    [400, 'apiKey', 11],
    [405, 'refused', 7],
    [200, 'default', 6],
  ]);
});

test('D-23 an API key without the scope is refused, and the call counts for the firm', async () => {
  const { idToken } = await newCaller();
  const { key: apiKey } = await service.issueApiKey([]);
  const answer = await callOperation(service, 'listCustomers', { apiKey, idToken });
  expect([answer.status, ...limitOf(answer)]).toEqual([403, 'default', 11]);
});

test('D-55 metrics count the calls that a limit refuses, by operation and partner', async () => {
  const countRefused = async () => {
    const metrics = await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`);
    const series =
      /^adx_errors_total\{operation="helloWorld",code="tooManyRequests",partner="Tests"\} (\d+)/m;
    return Number(series.exec(await metrics.text())?.[1] ?? 0);
  };
  const counted = await inOneMinute(async () => {
    const { apiKey, idToken } = await newCaller();
    const before = await countRefused();
    for (let n = 0; n < quota + 2; n += 1)
      await callOperation(service, 'helloWorld', { apiKey, idToken });
    return (await countRefused()) - before;
  });
  expect(counted).toBe(2);
});

test('D-23 an API key that is refused learns nothing about limits', async () => {
  const { headers } = await callOperation(service, 'helloWorld', { apiKey: 'rubbish' });
  expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
});

test('D-23 a loop of one firm uses up nothing that others have, and is told when to go on', async () => {
  const { refused, ...statuses } = await inOneMinute(async () => {
    const [greedy, other] = [await newCaller(), await newCaller()];
    const { apiKey } = greedy;
    const hello = (idToken: string, key = apiKey) =>
      callOperation(service, 'helloWorld', { apiKey: key, idToken });
    const loop = [];
    for (let n = 0; n <= quota; n += 1) loop.push(await hello(greedy.idToken));
    return {
      refused: loop.at(-1)?.headers,
      loop: loop.map(({ status }) => status),
      sameKey: (await hello(other.idToken)).status,
      sameFirm: (await hello(greedy.idToken, other.apiKey)).status,
      withoutUser: (await hello('x')).status,
    };
  });
  expect(statuses).toEqual({
    loop: [...Array.from({ length: quota }, () => 200), 429],
    sameKey: 200,
    sameFirm: 200,
    withoutUser: 401,
  });
  const seconds = Number(refused?.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(refused?.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`);
});

test.each([
  ['a wrong ID token', '/hello-world', { authorization: 'Bearer x' }, 401],
  ['an unknown path', '/nowhere', {}, 404],
  ['a malformed path', '/customers/%zz', {}, 400],
])(
  'D-23 calls with %s are limited too, and use up neither sign-ins nor the calls of users',
  async (_, path, more, status) => {
    const statuses = await inOneMinute(async () => {
      const { apiKey, idToken, user } = await newCaller();
      const headers = { 'x-api-key': apiKey, ...more };
      const all = [];
      for (let n = 0; n <= quota; n += 1) all.push((await service.raw(path, { headers })).status);
      const hello = await callOperation(service, 'helloWorld', { apiKey, idToken });
      const password = Buffer.from(user.password).toString('base64');
      const body = { username: user.username, password };
      const signIn = await callOperation(service, 'getToken', { apiKey, body });
      return [...all, hello.status, signIn.status];
    });
    expect(statuses).toEqual([...Array.from({ length: quota }, () => status), 429, 200, 200]);
  },
);

test('D-23 a refusal by another limit names both limits', async () => {
  const last = await inOneMinute(async () => {
    const { apiKey, user } = await newCaller();
    const body = { username: user.username, password: 'd3Jvbmc=' };
    const signIn = () => callOperation(service, 'getToken', { apiKey, body });
    for (let n = 0; n < 10; n += 1) expect((await signIn()).status).toBe(500);
    return signIn();
  });
  expect(last.status).toBe(429);
  expect(last.headers.get('ratelimit-policy')).toBe(
    `"apiKey";q=${quota};w=60, "failedSignIns";q=10;w=900`,
  );
  expect(last.headers.get('ratelimit')).toMatch(/^"apiKey";r=1;t=\d+, "failedSignIns";r=0;t=\d+$/);
});
