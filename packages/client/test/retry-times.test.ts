import { describe, expect, it } from 'vitest';
import { retryDelay } from '../src/core/retry-delay.js';
import { type Client, NetworkError, type NetworkFailure, RateLimitError } from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import { type Answer, failure, TestService } from './support/test-service.js';

const service = TestService.forEachTest();

const path = `/customers/${customerId}`;
/** Fails once, and then succeeds. */
const failing = (answer: Answer) =>
  service.on(`GET ${path}`, (_, nth) => (nth === 1 ? answer : { json: { id: customerId } }));

describe('client: number and time of retries', () => {
  it.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])('client: maxRetries %i makes %i attempts', async (maxRetries, attempts) => {
    service.on(`GET ${path}`, () => failure(503, 'unavailable'));
    const client = clientOf(service, { maxRetries });
    await expect(client.customers.get(customerId)).rejects.toMatchObject({ status: 503 });
    expect(service.count(`GET ${path}`)).toBe(attempts);
  });

  it.each<[string, string, (client: Client) => PromiseLike<unknown>]>([
    ['a call', `GET ${path}`, ({ customers }) => customers.get(customerId, { maxRetries: 1 })],
    ['a page', 'POST /customers', ({ customers }) => customers.search({}, { maxRetries: 1 })],
    [
      'pending files',
      'POST /coda-files',
      ({ codaFiles }) => codaFiles.pending({ maxRetries: 1 }).next(),
    ],
  ])(
    'client: the maxRetries of %s counts instead of that of the client',
    async (_, route, call) => {
      service.on(route, () => failure(503, 'unavailable'));
      await expect(call(clientOf(service, { maxRetries: 0 }))).rejects.toMatchObject({
        status: 503,
      });
      expect(service.count(route)).toBe(2);
      const bodies = service.received.map(({ body }) => JSON.stringify(body) ?? '');
      expect(bodies.filter((body) => body.includes('maxRetries'))).toEqual([]);
    },
  );

  it('client: maxRetries is 8 by default', async () => {
    const headers = { 'retry-after': '0.01' };
    service.on(`GET ${path}`, () => ({ ...failure(503, 'unavailable'), headers }));
    await expect(clientOf(service).customers.get(customerId)).rejects.toMatchObject({
      status: 503,
    });
    expect(service.count(`GET ${path}`)).toBe(9);
  });

  const lost = (reason: NetworkFailure) =>
    new NetworkError('getCustomer', 'No response', { host: 'adx.example.org', reason });

  it.each(['refused', 'timeout', 'lost'] as const)(
    'client: 8 retries survive an outage of a minute (%s)',
    (reason) => {
      const delays = Array.from(
        { length: 8 },
        (_, nth) => retryDelay(lost(reason), nth, true) ?? 0,
      );
      const sum = delays.reduce((total, delay) => total + delay);
      expect(sum).toBeGreaterThan(60_000);
      expect(sum).toBeLessThan(120_000);
    },
  );

  it.each(['dns', 'tls'] as const)(
    'client: a name or certificate that is wrong (%s) is known within two seconds',
    (reason) => {
      const delays = [0, 1, 2].map((nth) => retryDelay(lost(reason), nth, true));
      expect(delays).toEqual([expect.any(Number), expect.any(Number), undefined]);
      expect((delays[0] ?? 0) + (delays[1] ?? 0)).toBeLessThan(2_000);
    },
  );

  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
  ])('client: Retry-After is respected as %s', async (_, retryAfter) => {
    const headers = { 'retry-after': retryAfter() };
    failing({ ...failure(429, 'tooManyRequests'), headers });
    const earliest = Date.now() + 900;
    await clientOf(service).customers.get(customerId);
    expect(Date.now()).toBeGreaterThan(earliest);
  });

  it('client: Retry-After beyond a minute is left to the caller', async () => {
    const headers = { 'retry-after': '61' };
    failing({ ...failure(429, 'tooManyRequests'), headers });
    await expect(clientOf(service).customers.get(customerId)).rejects.toMatchObject({
      constructor: RateLimitError,
      code: 'tooManyRequests',
      retryAfter: 61,
    });
  });

  it('client: a wait ends when the caller aborts', async () => {
    const headers = { 'retry-after': '60' };
    failing({ ...failure(429, 'tooManyRequests'), headers });
    const controller = new AbortController();
    const call = clientOf(service).customers.get(customerId, { signal: controller.signal });
    await expect.poll(() => service.count(`GET ${path}`)).toBe(1);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(service.count(`GET ${path}`)).toBe(1);
  });
});
