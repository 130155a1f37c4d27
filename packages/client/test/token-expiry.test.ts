import { describe, expect, it, vi } from 'vitest';
import { AuthenticationError, createClient, UnauthorizedError } from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import {
  accept,
  hello,
  holdSecondCall,
  many,
  serviceForEachTest,
  token,
  tokenBodies,
} from './support/sessions.js';
import { failure, idToken, tokens } from './support/test-service.js';

const service = serviceForEachTest();

describe('§5 rule 1: the ID token expires', () => {
  it('§5 all running calls share one refresh, and each is retried', async () => {
    const client = clientOf(service);
    await client.auth.hello();
    accept(service, 2);
    const results = await many(20, () => client.auth.hello());
    expect(results.every((result) => result.status === 'fulfilled')).toBe(true);
    expect(tokenBodies(service).slice(1)).toEqual([{ refreshToken: 'refresh-1' }]);
  });

  it('§5 a call whose token is refused late uses the new token', async () => {
    const client = clientOf(service);
    await client.auth.hello();
    const letGo = holdSecondCall(service, (request) =>
      request.idToken === idToken({ nth: 1 })
        ? failure(401, 'tokenExpired')
        : { json: { message: 'Hello.' } },
    );
    const slow = client.auth.hello();
    await expect.poll(() => service.count(hello)).toBe(2);
    await client.auth.hello();
    letGo();
    await slow;
    expect(service.count(token)).toBe(2);
  });

  it('§5 a token is refreshed shortly before it expires, counted from its arrival', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('1999-12-31') });
    const client = clientOf(service);
    await client.auth.hello();
    vi.setSystemTime(Date.now() + 56 * 60_000);
    await client.auth.hello();
    expect(service.count(token)).toBe(1);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await client.auth.hello();
    expect(service.count(token)).toBe(2);
    expect(service.count(hello)).toBe(3);
  });

  it('§5 a token that is not a JWT is treated as valid for an hour', async () => {
    service.on(token, () => ({ json: { idToken: 'opaque' } }));
    const client = clientOf(service);
    await client.auth.hello();
    await client.auth.hello();
    expect(service.received.map((request) => request.idToken)).toEqual([
      undefined,
      'opaque',
      'opaque',
    ]);
  });

  it('§5 a call is retried once, and a second refusal is final', async () => {
    accept(service, 99);
    await expect(clientOf(service).auth.hello()).rejects.toMatchObject({
      constructor: UnauthorizedError,
      code: 'tokenExpired',
      operation: 'helloWorld',
    });
    expect(service.count(hello)).toBe(2);
    expect(service.count(token)).toBe(2);
  });

  it('§5 a creating call is retried too, because it was refused before it had any effect', async () => {
    service.on('POST /customers/create', (request) =>
      request.idToken === idToken({ nth: 2 })
        ? { json: { id: customerId } }
        : failure(401, 'unauthorized'),
    );
    await clientOf(service).customers.create({} as never);
    expect(service.count('POST /customers/create')).toBe(2);
  });

  it('§5 rule 4: portalOnly is final', async () => {
    accept(service, 99, 'portalOnly');
    await expect(clientOf(service).auth.hello()).rejects.toMatchObject({ code: 'portalOnly' });
    expect(service.count(hello)).toBe(1);
    expect(service.count(token)).toBe(1);
  });

  it('§5 rule 2: if the refresh token has expired, the client signs in again', async () => {
    const stored: string[] = [];
    const client = clientOf(service, { onRefreshToken: (it) => stored.push(it) });
    await client.auth.hello();
    accept(service, 3);
    service.on(token, (request, nth) =>
      'refreshToken' in (request.body as object)
        ? failure(500, 'Invalid refresh token')
        : { json: tokens(nth) },
    );
    await client.auth.hello();
    expect(tokenBodies(service).map((body) => Object.keys(body as object))).toEqual([
      ['username', 'password'],
      ['refreshToken'],
      ['username', 'password'],
    ]);
    expect(stored).toEqual(['refresh-1', 'refresh-3']);
  });

  it('§5 a refused refresh token is final for a client without a password', async () => {
    service.on(token, () => failure(500, 'Invalid refresh token'));
    const options = { baseUrl: service.baseUrl, apiKey: 'adx_test_key', refreshToken: 'old' };
    await expect(createClient(options).auth.hello()).rejects.toMatchObject({
      constructor: AuthenticationError,
      reason: 'Invalid refresh token',
    });
    expect(service.count(token)).toBe(1);
  });
});
