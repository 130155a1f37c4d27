import { createClient } from '@adx/client';
import type { Tokens } from '@adx/contract';
import { beforeAll, expect, test } from 'vitest';
import { callOperation } from '../../support/call-operation.js';
import type { TestUser } from '../../support/test-service.js';
import { useTestService } from '../../support/use-service.js';
import { validatingFetch } from '../../support/validating-fetch.js';

const minute = 60_000;
const day = 24 * 60 * minute;

let time = Date.parse('2026-03-02T08:00:00Z');
const service = useTestService({ now: () => new Date(time) });
let user: TestUser;
let apiKey: string;
beforeAll(async () => {
  user = await service.createUser({ firmId: await service.createFirm() });
  apiKey = (await service.issueApiKey([])).key;
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const token = (body: object) => callOperation(service, 'getToken', { apiKey, body });
const hello = (idToken: string) => callOperation(service, 'helloWorld', { apiKey, idToken });
const credentials = () => ({ username: user.username, password: base64(user.password) });

async function signIn(): Promise<Required<Tokens>> {
  const { status, body } = await token(credentials());
  expect(status).toBe(200);
  return body as Required<Tokens>;
}

const invalidRefreshToken = { status: 500, body: { error: 'Invalid refresh token' } };

test('§4.1 token: username and password return an ID token and a refresh token', async () => {
  const tokens = await signIn();
  expect(Object.keys(tokens).toSorted()).toEqual(['idToken', 'refreshToken']);
  expect(await hello(tokens.idToken)).toMatchObject({ status: 200 });
});

test('§4.1 token: only the x-api-key header is required, and Authorization is ignored', async () => {
  const answer = await callOperation(service, 'getToken', {
    apiKey,
    idToken: 'rubbish',
    body: credentials(),
  });
  expect(answer.status).toBe(200);
});

test('§4.1, §5 a refresh returns only a new ID token, and the refresh token stays valid', async () => {
  const { refreshToken } = await signIn();
  for (let refresh = 0; refresh < 2; refresh += 1) {
    const { status, body } = await token({ refreshToken });
    expect(status).toBe(200);
    expect(Object.keys(body as Tokens)).toEqual(['idToken']);
    expect(await hello((body as Tokens).idToken)).toMatchObject({ status: 200 });
  }
});

test('§5 an ID token is valid for 1 hour, then calls return 401', async () => {
  const { idToken } = await signIn();
  time += 60 * minute - 1000;
  expect(await hello(idToken)).toMatchObject({ status: 200 });
  time += 2000;
  expect(await hello(idToken)).toMatchObject({ status: 401, body: { error: 'tokenExpired' } });
});

test('§5 a refreshed ID token is valid for an hour from the refresh', async () => {
  const { refreshToken } = await signIn();
  time += 50 * minute;
  const { idToken } = (await token({ refreshToken })).body as Tokens;
  time += 59 * minute;
  expect(await hello(idToken)).toMatchObject({ status: 200 });
  time += 2 * minute;
  expect(await hello(idToken)).toMatchObject({ status: 401 });
});

test('§5 a refresh token is valid for 30 days, and refreshes do not extend that', async () => {
  const { refreshToken } = await signIn();
  time += 30 * day - minute;
  expect(await token({ refreshToken })).toMatchObject({ status: 200 });
  time += 2 * minute;
  expect(await token({ refreshToken })).toMatchObject(invalidRefreshToken);
});

test('§5 the client renews the ID token automatically, after 30 days with the password', async () => {
  const issued: string[] = [];
  const client = createClient({
    ...{ baseUrl: service.baseUrl, apiKey, fetch: validatingFetch },
    ...{ username: user.username, password: user.password },
    onRefreshToken: (refreshToken) => issued.push(refreshToken),
  });
  await client.auth.hello();
  time += 2 * 60 * minute;
  await client.auth.hello();
  expect(issued).toHaveLength(1);
  time += 31 * day;
  await client.auth.hello();
  expect(issued).toHaveLength(2);
});
