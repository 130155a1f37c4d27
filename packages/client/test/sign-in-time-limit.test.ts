import { describe, expect, it } from 'vitest';
import { TimeoutError } from '../src/index.js';
import { clientOf } from './support/client-of.js';
import { accept, hello, serviceForEachTest, token } from './support/sessions.js';
import { gate, tokens } from './support/test-service.js';

const service = serviceForEachTest();

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
