import { operations } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import { operationIds } from '../support/fuzz-target.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { forgedTokens } from './support/forged-tokens.js';
import { sendRaw } from './support/raw-exchange.js';

const target = useFuzzTarget({ now: () => clock });
let clock = new Date();

const operationsOfUsers = operationIds.filter((id) => operations[id].idToken);

const badApiKeys = [
  ...[undefined, '', ' ', 'x', 'adx_live_', "' or '1'='1", '__proto__', '*', 'é'],
  ...[`adx_live_${'A'.repeat(43)}`, `adx_live_${'A'.repeat(8_000)}`],
];

describe.each(oneIn(4, operationIds))('§5, D-04 %s', (operationId) => {
  it('is 403 without a valid API key, before any other check', async () => {
    const body = operations[operationId].body === 'required' ? '{' : null;
    const others = { authorization: 'Bearer x', 'content-type': 'text/odd' };
    const sent = badApiKeys.map(
      (key) => [key, { headers: { 'x-api-key': key, ...others }, body, query: '?a=b' }] as const,
    );
    await target.storingNothing(() => target.expectErrors(operationId, sent, 403, 'invalidApiKey'));
  });
});

const badAuthorizations = [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic dXNlcjpwYXNz',
  'Token x',
  'Bearer Bearer x',
  'Bearer x y',
  'Bearer x, Bearer y',
  'bearer\tx',
  'x',
  'null',
  `Bearer adx_live_${'A'.repeat(43)}`,
  `Bearer ${'.'.repeat(8_000)}`,
];

describe('§5, D-04 without a valid ID token', () => {
  it.each(oneIn(4, operationsOfUsers))(
    '%s is 401, before the body is checked',
    async (operationId) => {
      const forged = forgedTokens(target.idToken).slice(0, 3);
      const tokens = forged.map(([, token]) => `Bearer ${token}`);
      const body = operations[operationId].body === 'required' ? '{' : null;
      const sent = [...badAuthorizations, ...tokens].map(
        (authorization) => [authorization, { headers: { authorization }, body }] as const,
      );
      await target.storingNothing(() =>
        target.expectErrors(operationId, sent, 401, 'unauthorized'),
      );
    },
  );
});

describe('§5 forged ID tokens', () => {
  it('are unauthorized, with any claims', async () => {
    const sent = forgedTokens(target.idToken).map(
      ([what, token]) => [what, { headers: { authorization: `Bearer ${token}` } }] as const,
    );
    await target.storingNothing(() =>
      target.expectErrors('getCustomer', sent, 401, 'unauthorized'),
    );
  });
});

describe('§5 headers that come twice or in odd forms', () => {
  const send = (headers: readonly string[]) =>
    sendRaw(target.service.baseUrl, { method: 'GET', target: '/v1/hello-world', headers });
  const apiKey = () => `x-api-key: ${target.apiKey}`;
  const idToken = () => `authorization: Bearer ${target.idToken}`;

  it('two API keys are refused, also the same one twice', async () => {
    const { key } = await target.service.issueApiKey();
    expect((await send([apiKey(), `x-api-key: ${key}`, idToken()])).status).toBe(403);
    expect((await send([apiKey(), apiKey(), idToken()])).status).toBe(403);
  });

  it('of two Authorization headers the first one is used', async () => {
    expect((await send([apiKey(), 'authorization: Bearer x', idToken()])).status).toBe(401);
  });

  it('bytes that are not ASCII are refused', async () => {
    expect((await send(['x-api-key: \xe9\xff\x80', idToken()])).status).toBe(403);
    expect((await send([apiKey(), 'authorization: Bearer \xe9\xff'])).status).toBe(401);
    expect((await send([apiKey(), 'authorization: \x80earer x'])).status).toBe(401);
  });

  it('header names and the scheme may be written in any case', async () => {
    const odd = [`X-API-KEY: ${target.apiKey}`, `AUTHORIZATION: bEARER ${target.idToken}`];
    expect((await send(odd)).status).toBe(200);
  });

  it('credentials in the query or in a cookie are ignored', async () => {
    const answer = await sendRaw(target.service.baseUrl, {
      method: 'GET',
      target: `/v1/hello-world?x-api-key=${target.apiKey}`,
      headers: [`cookie: x-api-key=${target.apiKey}`, idToken()],
    });
    expect(answer.status).toBe(403);
  });

  it('hundreds of headers are answered', async () => {
    // Some versions of Node answer 431 to a thousand by themselves.
    const many = Array.from({ length: 700 }, (_, index) => `x-${index}: y`);
    expect((await send([apiKey(), idToken(), ...many])).status).toBeLessThan(500);
  });

  it.each(['Basic', 'Token', ''])('an ID token under the scheme %j is refused', async (scheme) => {
    const authorization = `authorization: ${scheme} ${target.idToken}`;
    expect((await send([apiKey(), authorization])).status).toBe(401);
  });

  it('names of Object.prototype are not credentials', async () => {
    expect((await send(['__proto__: x', 'constructor: x', idToken()])).status).toBe(403);
  });

  it('an unknown path is 403 without an API key', async () => {
    const { baseUrl } = target.service;
    const answer = await sendRaw(baseUrl, { method: 'GET', target: '/v1/nothing' });
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([403, 'invalidApiKey']);
    const method = await sendRaw(baseUrl, { method: 'PUT', target: '/v1/customers' });
    expect([method.status, JSON.parse(method.body).error]).toEqual([403, 'invalidApiKey']);
  });
});

describe('§5 the time of an ID token', () => {
  const hello = async (idToken: string) => {
    const { status, body } = await target.send('helloWorld', {
      headers: { authorization: `Bearer ${idToken}` },
    });
    return [status, body.error];
  };

  it('an expired token that was tampered with is unauthorized, not expired', async () => {
    const start = clock;
    const idToken = await target.service.idToken(target.user);
    clock = new Date(start.getTime() + 7_200_000);
    for (const [, token] of forgedTokens(idToken).slice(0, 4)) {
      expect(await hello(token)).toEqual([401, 'unauthorized']);
    }
    clock = start;
  });
});

describe('§4.1, §7, D-20 sign-ins that fail', () => {
  const send = (body: unknown) => target.send('getToken', { body: JSON.stringify(body) });
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it('every failed sign-in gets the same answer', async () => {
    const { username, password } = target.user;
    const { username: otherUser } = await target.service.createUser({ firmId: target.firmId });
    const attempts = [
      { username, password: base64('wrong') },
      { username, password },
      { username, password: base64(`${password} `) },
      { username, password: '' },
      { username, password: '====' },
      { username, password: base64('\u0000') },
      { username: 'nobody@kantoor.example', password: base64(password) },
      { username: `${username} `, password: base64(password) },
      { username: otherUser, password: base64(password) },
      { username: '%', password: base64(password) },
      { username: "' or true --", password: base64(password) },
      { username: '__proto__', password: base64('x') },
    ];
    await target.storingNothing(async () => {
      for (const attempt of attempts) {
        const { status, body } = await send(attempt);
        expect([attempt, status, body.error, body.message]).toEqual([
          attempt,
          500,
          'Authentication failed',
          'The username or password is wrong, or the password is not encoded in Base64.',
        ]);
      }
    });
  });

  it.each([
    '',
    'x',
    'adx_refresh_',
    `adx_refresh_${'A'.repeat(43)}`,
    '%',
    '\u0000',
    'x'.repeat(4_096),
  ])('the refresh token %j is invalid', async (refreshToken) => {
    await target.storingNothing(async () => {
      expect(await send({ refreshToken })).toMatchObject({
        status: 500,
        body: { error: 'Invalid refresh token' },
      });
    });
  });

  it('an ID token or an API key is not accepted as a refresh token', async () => {
    for (const refreshToken of [target.idToken, target.apiKey]) {
      expect((await send({ refreshToken })).body.error).toBe('Invalid refresh token');
    }
  });

  it('a refresh token is not accepted as an ID token', async () => {
    const { username, password } = target.user;
    const { body } = await send({ username, password: base64(password) });
    const answer = await target.send('helloWorld', {
      headers: { authorization: `Bearer ${body['refreshToken']}` },
    });
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  });
});
