import { afterAll, describe, expect, test, vi } from 'vitest';
import { unavailable } from '../token-calls.js';
import { startOidcService } from './oidc-service.js';

const { provider, signIn, signedIn, createUser } = await startOidcService(afterAll);

describe('D-56 ID tokens of the provider', () => {
  test('D-56 new keys of the provider are fetched, and a foreign signature is never accepted', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { login } = await signedIn();
    vi.setSystemTime(Date.now() + 61_000);
    await provider.rotateKeys();
    expect((await signIn(login)).status).toBe(200);
    // Keys are fetched at most once a minute, so this answer cannot be verified yet.
    await provider.rotateKeys();
    expect(await signIn(login)).toMatchObject(unavailable);
    expect((await signIn(login)).status).toBe(200);
    vi.useRealTimers();

    provider.state.intercept = ({ url }, response) => {
      if (url !== '/jwks') return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}');
      return true;
    };
    await provider.rotateKeys();
    for (let n = 0; n < 3; n += 1) expect(await signIn(login)).toMatchObject(unavailable);
    provider.state.intercept = undefined;
  });

  test('D-56 the clock of the provider may be a minute behind or ahead, not more', async () => {
    // An ID token is valid for 300 seconds.
    for (const [clockAhead, answer] of [
      [-330, { status: 200 }],
      [-370, unavailable],
      [50, { status: 200 }],
      [100, unavailable],
    ] as const) {
      const { login } = await createUser({ clockAhead });
      expect(await signIn(login), `${clockAhead}`).toMatchObject(answer);
    }
  });
});
