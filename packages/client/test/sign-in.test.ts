import { describe, expect, it } from 'vitest';
import { createClient, TimeoutError } from '../src/index.js';
import { clientOf } from './support/client-of.js';
import { accept, hello, many, serviceForEachTest, token, tokenBodies } from './support/sessions.js';
import { gate, idToken, tokens } from './support/test-service.js';

const service = serviceForEachTest();

describe('§5 signing in', () => {
  it('§5 every call has both credentials, and the token request only the API key', async () => {
    await clientOf(service).auth.hello();
    const [signIn, call] = service.received;
    expect(signIn?.headers['x-api-key']).toBe('adx_test_key');
    expect(signIn?.headers.authorization).toBeUndefined();
    expect(call?.headers['x-api-key']).toBe('adx_test_key');
    expect(call?.idToken).toBe(idToken({ nth: 1 }));
  });

  it('§4.1 the password is sent as Base64 of its UTF-8 bytes', async () => {
    await clientOf(service).auth.hello();
    expect(tokenBodies(service)).toEqual([
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

  it('§5 rule 2: a client with a refresh token signs in with that only', async () => {
    service.on(token, () => ({ json: { idToken: idToken() } }));
    const client = createClient({
      baseUrl: service.baseUrl,
      apiKey: 'adx_test_key',
      refreshToken: 'stored',
    });
    await client.auth.hello();
    expect(tokenBodies(service)).toEqual([{ refreshToken: 'stored' }]);
  });

  it('client: onRefreshToken receives the refresh token of each login', async () => {
    const stored: string[] = [];
    await clientOf(service, { onRefreshToken: (it) => stored.push(it) }).auth.hello();
    expect(stored).toEqual(['refresh-1']);
  });

  it('client: an error of onRefreshToken reaches the call, and the session continues', async () => {
    const full = new Error('disk full');
    const client = clientOf(service, { onRefreshToken: () => Promise.reject(full) });
    await expect(client.auth.hello()).rejects.toBe(full);
    await client.auth.hello();
    expect(service.count(token)).toBe(1);
  });

  it('client: auth.token sends its body unchanged, without an ID token', async () => {
    await clientOf(service).auth.token({ refreshToken: 'mine' });
    expect(service.received).toHaveLength(1);
    expect(service.received[0]).toMatchObject({
      body: { refreshToken: 'mine' },
      idToken: undefined,
    });
  });
});

/** Delays the nth response to a sign-in until it is released. */
function hold(nth: number): () => void {
  const { opened, open } = gate();
  service.on(token, async (_, asked) => {
    if (asked === nth) await opened;
    return { json: tokens(asked) };
  });
  return open;
}

describe('client: the timeout of a call and a slow sign-in', () => {
  it('client: the limit ends the wait of its own call, not the sign-in of the others', async () => {
    const letGo = hold(1);
    const client = clientOf(service);
    const patient = client.auth.hello();
    await expect(client.auth.hello({ timeoutMs: 50 })).rejects.toMatchObject({
      constructor: TimeoutError,
      operation: 'helloWorld',
      message: `helloWorld took longer than 50 ms (${new URL(service.baseUrl).host})`,
    });
    letGo();
    await patient;
    expect(service.count(token)).toBe(1);
    expect(service.count(hello)).toBe(1);
  });

  it('client: the limit applies to the sign-in after a refused ID token too', async () => {
    const letGo = hold(2);
    accept(service, 2);
    const client = clientOf(service);
    await expect(client.auth.hello({ timeoutMs: 500 })).rejects.toBeInstanceOf(TimeoutError);
    letGo();
    await client.auth.hello();
    expect(service.count(token)).toBe(2);
  });

  it('client: the limit of the client applies to each attempt to sign in', async () => {
    const letGo = hold(1);
    await clientOf(service, { timeoutMs: 2_000 }).auth.hello();
    expect(service.count(token)).toBe(2);
    letGo();
  });
});
