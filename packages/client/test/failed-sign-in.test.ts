import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiErrorOf } from '../src/core/api-error-of.js';
import { retryDelay } from '../src/core/retry-delay.js';
import { createSession } from '../src/core/session.js';
import { AuthenticationError, NetworkError, ServerError } from '../src/index.js';
import { clientOf } from './support/client-of.js';
import {
  accept,
  hello,
  holdSecondCall,
  many,
  serviceForEachTest,
  token,
  tokenBodies,
} from './support/sessions.js';
import { failure, gate, idToken, tokens } from './support/test-service.js';

const service = serviceForEachTest();

afterEach(() => {
  vi.restoreAllMocks();
});

describe('§7 a failed sign-in', () => {
  it('§7 is an AuthenticationError with the reason, never retried', async () => {
    service.on(token, () => failure(500, 'Authentication failed'));
    await expect(clientOf(service).auth.hello()).rejects.toMatchObject({
      constructor: AuthenticationError,
      name: 'AuthenticationError',
      reason: 'Authentication failed',
      message: 'The sign-in was refused: Authentication failed',
      operation: 'getToken',
      requestId: 'request-1',
    });
    expect(service.received).toHaveLength(1);
  });

  it('§7 is no refusal if a gateway has answered 500, with the name of the status as its error', async () => {
    const json = { statusCode: 500, error: 'Internal Server Error', message: 'Down' };
    service.on(token, () => ({ status: 500, json }));
    await expect(clientOf(service, { maxRetries: 0 }).auth.hello()).rejects.toMatchObject({
      constructor: ServerError,
      code: undefined,
    });
  });

  it('§7 is shared by the calls that waited for it, and the next call signs in again', async () => {
    service.on(token, (_, nth) =>
      nth === 1 ? failure(500, 'Authentication failed') : { json: tokens(nth) },
    );
    const client = clientOf(service);
    const results = await many(50, () => client.auth.hello());
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(service.count(token)).toBe(1);
    await client.auth.hello();
    expect(service.count(token)).toBe(2);
  });

  it('§7 is shared by running calls whose token is refused later', async () => {
    const client = clientOf(service);
    await client.auth.hello();
    const letGo = holdSecondCall(service, () => failure(401, 'unauthorized'));
    service.on(token, () => failure(500, 'Authentication failed'));
    const slow = client.auth.hello().catch((error: unknown) => error);
    await expect.poll(() => service.count(hello)).toBe(2);
    const error = await client.auth.hello().catch((it: unknown) => it);
    const tried = service.count(token);
    letGo();
    expect(await slow).toBe(error);
    expect(service.count(token)).toBe(tried);
    service.on(token, () => ({ json: { idToken: idToken({ nth: 9 }) } }));
    accept(service, 9);
    await client.auth.hello();
  });

  it('§7 is forgotten once a later sign-in succeeds', async () => {
    const client = clientOf(service);
    await client.auth.hello();
    const letGo = holdSecondCall(service, (request) =>
      request.idToken === idToken({ nth: 9 })
        ? { json: { message: 'Hello.' } }
        : failure(401, 'unauthorized'),
    );
    service.on(token, (_, nth) =>
      nth < 4 ? failure(500, 'Authentication failed') : { json: { idToken: idToken({ nth: 9 }) } },
    );
    const slow = client.auth.hello();
    await expect.poll(() => service.count(hello)).toBe(2);
    await expect(client.auth.hello()).rejects.toBeInstanceOf(AuthenticationError);
    await client.auth.hello();
    letGo();
    await slow;
    expect(service.count(token)).toBe(4);
  });

  it('D-23 in no 15 minutes is a password sent ten times that may be refused, whatever happens', async () => {
    const lost = new NetworkError('getToken', 'lost', { host: 'a', reason: 'lost' });
    const page = (status: number) =>
      apiErrorOf('getToken', new Response('', { status }), undefined, 'https://a/v1');
    const refused = apiErrorOf(
      'getToken',
      new Response('', { status: 500 }),
      { error: 'No' },
      'https://a/v1',
    );
    const step = fc.record({
      waitMs: fc.oneof(fc.nat(2_000), fc.nat(400_000)),
      error: fc.constantFrom(lost, page(500), page(502), page(503), page(403), page(429), refused),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        let now = 0;
        vi.spyOn(performance, 'now').mockImplementation(() => now);
        const sent: number[] = [];
        let error: Error = lost;
        const signIn = { username: 'els', password: 'wrong' };
        const session = createSession(signIn, (_, mayRepeat) => {
          for (let retries = 0; ; retries++) {
            sent.push(now);
            const delay = retryDelay(error, retries, mayRepeat);
            if (delay === undefined) return Promise.reject(error);
            now += delay;
          }
        });
        for (const { waitMs, error: next } of steps) {
          now += waitMs;
          error = next;
          await session().catch(() => {});
        }
        for (const start of sent) {
          const within = sent.filter((time) => time >= start && time < start + 900_000);
          expect(within.length).toBeLessThan(10);
        }
      }),
    );
  });

  it('§7 a failure of the service during a refresh does not cause another login', async () => {
    const client = clientOf(service, { maxRetries: 0 });
    await client.auth.hello();
    accept(service, 99);
    service.on(token, () => failure(503, 'unavailable'));
    await expect(client.auth.hello()).rejects.toBeInstanceOf(ServerError);
    expect(tokenBodies(service).slice(1)).toEqual([{ refreshToken: 'refresh-1' }]);
  });

  it('§7 a proxy’s page in place of a refresh does not throw the refresh token away', async () => {
    const client = clientOf(service, { maxRetries: 0 });
    await client.auth.hello();
    accept(service, 99);
    service.on(token, () => ({ status: 500, text: '<h1>Internal Server Error</h1>' }));
    for (let call = 0; call < 2; call += 1) {
      await expect(client.auth.hello()).rejects.toBeInstanceOf(ServerError);
    }
    const sent = tokenBodies(service).map((body) => Object.keys(body as object)[0]);
    expect(sent).toEqual(['username', 'refreshToken', 'username', 'refreshToken', 'username']);
  });

  it.each([
    ['the server’s own failure', failure(500, 'internalError')],
    ['a proxy’s page', { status: 500, text: '<h1>Internal Server Error</h1>' }],
  ])('§7 %s on the token request stays a ServerError', async (_, answer) => {
    service.on(token, () => answer);
    const client = clientOf(service, { maxRetries: 0 });
    await expect(client.auth.hello()).rejects.toMatchObject({
      constructor: ServerError,
      status: 500,
      operation: 'getToken',
    });
  });

  it('client: a sign-in that cannot reach the service is a NetworkError', async () => {
    service.on(token, () => ({ drop: 'before' }));
    const client = clientOf(service, { maxRetries: 0 });
    await expect(client.auth.hello()).rejects.toBeInstanceOf(NetworkError);
  });

  it('client: a caller that aborts does not abort the sign-in of other calls', async () => {
    const slow = gate();
    service.on(token, async (_, nth) => {
      await slow.opened;
      return { json: tokens(nth) };
    });
    const client = clientOf(service);
    const impatient = new AbortController();
    const aborted = client.auth.hello({ signal: impatient.signal });
    const patient = client.auth.hello();
    await expect.poll(() => service.count(token)).toBe(1);
    impatient.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    slow.open();
    await patient;
    expect(service.count(token)).toBe(1);
    expect(service.count(hello)).toBe(1);
  });
});
