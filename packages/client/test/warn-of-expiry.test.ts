import { expect, it } from 'vitest';
import { clientOf } from './support/client-of.js';
import { hello, serviceForEachTest } from './support/sessions.js';

const service = serviceForEachTest();

/** Answers calls with the ends of the secret, one after the other. */
function answerWith(...ends: readonly string[]) {
  service.on(hello, (_, nth) => ({
    json: { message: 'Hello.' },
    headers: { 'x-api-key-expires': ends[nth - 1] ?? '' },
  }));
}

it('D-35 the client calls its hook once for each instant at which the secret of the key ends', async () => {
  const [first, second] = ['2026-03-09T08:00:00.000Z', '2026-03-16T08:00:00.000Z'];
  answerWith('', first, first, 'soon', second);
  const ends: Date[] = [];
  const client = clientOf(service, { onApiKeyExpiry: (until) => ends.push(until) });
  for (let nth = 1; nth <= 5; nth += 1) await client.auth.hello();
  expect(ends).toEqual([new Date(first), new Date(second)]);
});

it('D-35 a hook that throws is called once, and the call that told the end succeeds', async () => {
  answerWith('2026-03-09T08:00:00.000Z');
  let calls = 0;
  const onApiKeyExpiry = () => {
    calls += 1;
    throw new Error('The disk is full.');
  };
  await clientOf(service, { onApiKeyExpiry, maxRetries: 0 }).auth.hello();
  expect(calls).toBe(1);
});
