import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AuthenticationError,
  createClient,
  NetworkError,
  ServerError,
  UnauthorizedError,
} from '../src/index.js';
import { clientOf, customerId } from './client-of.js';
import { failure, gate, idToken, TestService, tokens } from './test-service.js';

let service: TestService;
beforeEach(async () => {
  service = await TestService.start();
  service.on('GET /hello-world', () => ({ json: { message: 'Hello world.' } }));
});
afterEach(async () => {
  vi.useRealTimers();
  await service.stop();
});

const hello = 'GET /hello-world';
const token = 'POST /token';
const many = <T>(times: number, call: () => Promise<T>) =>
  Promise.allSettled(Array.from({ length: times }, call));
const tokenBodies = () =>
  service.received.filter((request) => request.route === token).map((request) => request.body);

/** Answers calls with 401 unless they carry the ID token of the given sign-in. */
function accept(nth: number, code = 'tokenExpired') {
  service.on(hello, (request) =>
    request.idToken === idToken({ nth }) ? { json: { message: 'Hello.' } } : failure(401, code),
  );
}

describe('§5 signing in', () => {
  it('§5 every call carries both credentials, and the token request the API key alone', async () => {
    await clientOf(service).auth.hello();
    const [signIn, call] = service.received;
    expect(signIn?.headers['x-api-key']).toBe('adx_test_key');
    expect(signIn?.headers.authorization).toBeUndefined();
    expect(call?.headers['x-api-key']).toBe('adx_test_key');
    expect(call?.idToken).toBe(idToken({ nth: 1 }));
  });

  it('§4.1 the password is sent as Base64 of its UTF-8 bytes', async () => {
    await clientOf(service).auth.hello();
    expect(tokenBodies()).toEqual([
      {
        username: 'els.maes@kantoor-maes.example',
        password: Buffer.from('zeer-geheim-ë-2026', 'utf8').toString('base64'),
      },
    ]);
  });

  it('§5 nothing is requested before the first call', async () => {
    clientOf(service).customers.search();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(service.received).toEqual([]);
  });

  it('§5 fifty calls at once sign in once', async () => {
    const client = clientOf(service);
    const results = await many(50, () => client.auth.hello());
    expect(results.every((result) => result.status === 'fulfilled')).toBe(true);
    expect(service.count(token)).toBe(1);
    expect(service.count(hello)).toBe(50);
  });

  it('§5 rule 2: a client made with a refresh token signs in with it alone', async () => {
    service.on(token, () => ({ json: { idToken: idToken() } }));
    const client = createClient({
      baseUrl: service.baseUrl,
      apiKey: 'adx_test_key',
      refreshToken: 'stored',
    });
    await client.auth.hello();
    expect(tokenBodies()).toEqual([{ refreshToken: 'stored' }]);
  });

  it('client: onRefreshToken receives the refresh token of each login', async () => {
    const stored: string[] = [];
    await clientOf(service, { onRefreshToken: (it) => stored.push(it) }).auth.hello();
    expect(stored).toEqual(['refresh-1']);
  });

  it('client: what onRefreshToken throws reaches the call, and the session goes on', async () => {
    const full = new Error('disk full');
    const client = clientOf(service, { onRefreshToken: () => Promise.reject(full) });
    await expect(client.auth.hello()).rejects.toBe(full);
    await client.auth.hello();
    expect(service.count(token)).toBe(1);
  });

  it('client: auth.token sends its body as it is, without an ID token', async () => {
    await clientOf(service).auth.token({ refreshToken: 'mine' });
    expect(service.received).toHaveLength(1);
    expect(service.received[0]).toMatchObject({
      body: { refreshToken: 'mine' },
      idToken: undefined,
    });
  });
});

describe('§5 rule 1: the ID token expires', () => {
  it('§5 one refresh serves all calls under way, and each is repeated', async () => {
    const client = clientOf(service);
    await client.auth.hello();
    accept(2);
    const results = await many(20, () => client.auth.hello());
    expect(results.every((result) => result.status === 'fulfilled')).toBe(true);
    expect(tokenBodies().slice(1)).toEqual([{ refreshToken: 'refresh-1' }]);
  });

  it('§5 a call that learns late that its token expired uses the new one', async () => {
    const client = clientOf(service);
    await client.auth.hello();
    const late = gate();
    service.on(hello, async (request, nth) => {
      if (nth === 2) await late.opened;
      return request.idToken === idToken({ nth: 1 })
        ? failure(401, 'tokenExpired')
        : { json: { message: 'Hello.' } };
    });
    const slow = client.auth.hello();
    await expect.poll(() => service.count(hello)).toBe(2);
    await client.auth.hello();
    late.open();
    await slow;
    expect(service.count(token)).toBe(2);
  });

  it('§5 a token is refreshed shortly before it expires, reckoned from when it arrived', async () => {
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

  it('§5 a token that is not a JWT counts as valid for an hour', async () => {
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

  it('§5 a call is repeated once: refused again, its error is final', async () => {
    accept(99);
    await expect(clientOf(service).auth.hello()).rejects.toMatchObject({
      constructor: UnauthorizedError,
      code: 'tokenExpired',
      operation: 'helloWorld',
    });
    expect(service.count(hello)).toBe(2);
    expect(service.count(token)).toBe(2);
  });

  it('§5 a call that creates is repeated too: it was refused before anything was done', async () => {
    service.on('POST /customers/create', (request) =>
      request.idToken === idToken({ nth: 2 })
        ? { json: { id: customerId } }
        : failure(401, 'unauthorized'),
    );
    await clientOf(service).customers.create({} as never);
    expect(service.count('POST /customers/create')).toBe(2);
  });

  it('§5 rule 4: portalOnly is final', async () => {
    accept(99, 'portalOnly');
    await expect(clientOf(service).auth.hello()).rejects.toMatchObject({ code: 'portalOnly' });
    expect(service.count(hello)).toBe(1);
    expect(service.count(token)).toBe(1);
  });

  it('§5 rule 2: when the refresh token has expired, the login is repeated', async () => {
    const stored: string[] = [];
    const client = clientOf(service, { onRefreshToken: (it) => stored.push(it) });
    await client.auth.hello();
    accept(3);
    service.on(token, (request, nth) =>
      'refreshToken' in (request.body as object)
        ? failure(500, 'Invalid refresh token')
        : { json: tokens(nth) },
    );
    await client.auth.hello();
    expect(tokenBodies().map((body) => Object.keys(body as object))).toEqual([
      ['username', 'password'],
      ['refreshToken'],
      ['username', 'password'],
    ]);
    expect(stored).toEqual(['refresh-1', 'refresh-3']);
  });

  it('§5 a refused refresh token is final for a client that knows nothing else', async () => {
    service.on(token, () => failure(500, 'Invalid refresh token'));
    const options = { baseUrl: service.baseUrl, apiKey: 'adx_test_key', refreshToken: 'old' };
    await expect(createClient(options).auth.hello()).rejects.toMatchObject({
      constructor: AuthenticationError,
      reason: 'Invalid refresh token',
    });
    expect(service.count(token)).toBe(1);
  });
});

describe('§7 a failed sign-in', () => {
  it('§7 is an AuthenticationError with the reason, never retried', async () => {
    service.on(token, () => failure(500, 'Authentication failed'));
    await expect(clientOf(service).auth.hello()).rejects.toMatchObject({
      constructor: AuthenticationError,
      name: 'AuthenticationError',
      reason: 'Authentication failed',
      message: 'About Authentication failed.',
      operation: 'getToken',
      requestId: 'request-1',
    });
    expect(service.received).toHaveLength(1);
  });

  it('§7 is shared by the calls that waited for it, and the next call tries again', async () => {
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

  it('§7 is shared by calls that learn late that their token is refused', async () => {
    const client = clientOf(service);
    await client.auth.hello();
    const late = gate();
    service.on(hello, async (_, nth) => {
      if (nth === 2) await late.opened;
      return failure(401, 'unauthorized');
    });
    service.on(token, () => failure(500, 'Authentication failed'));
    const slow = client.auth.hello().catch((error: unknown) => error);
    await expect.poll(() => service.count(hello)).toBe(2);
    const error = await client.auth.hello().catch((it: unknown) => it);
    const tried = service.count(token);
    late.open();
    expect(await slow).toBe(error);
    expect(service.count(token)).toBe(tried);
    service.on(token, () => ({ json: { idToken: idToken({ nth: 9 }) } }));
    accept(9);
    await client.auth.hello();
  });

  it('§7 is forgotten once a later sign-in succeeds', async () => {
    const client = clientOf(service);
    await client.auth.hello();
    const late = gate();
    service.on(hello, async (request, nth) => {
      if (nth === 2) await late.opened;
      return request.idToken === idToken({ nth: 9 })
        ? { json: { message: 'Hello.' } }
        : failure(401, 'unauthorized');
    });
    service.on(token, (_, nth) =>
      nth < 4 ? failure(500, 'Authentication failed') : { json: { idToken: idToken({ nth: 9 }) } },
    );
    const slow = client.auth.hello();
    await expect.poll(() => service.count(hello)).toBe(2);
    await expect(client.auth.hello()).rejects.toBeInstanceOf(AuthenticationError);
    await client.auth.hello();
    late.open();
    await slow;
    expect(service.count(token)).toBe(4);
  });

  it('§7 of the service itself while refreshing is no reason to log in again', async () => {
    const client = clientOf(service, { maxRetries: 0 });
    await client.auth.hello();
    accept(99);
    service.on(token, () => failure(503, 'unavailable'));
    await expect(client.auth.hello()).rejects.toBeInstanceOf(ServerError);
    expect(tokenBodies().slice(1)).toEqual([{ refreshToken: 'refresh-1' }]);
  });

  it.each([
    ['the server’s own failure', failure(500, 'internalError')],
    ['a proxy’s page', { status: 500, text: '<h1>Internal Server Error</h1>' }],
  ])('§7 %s on the token request stays a ServerError', async (_, answer) => {
    service.on(token, () => answer);
    await expect(clientOf(service).auth.hello()).rejects.toMatchObject({
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

  it('client: a caller that gives up does not take the sign-in from the others', async () => {
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
