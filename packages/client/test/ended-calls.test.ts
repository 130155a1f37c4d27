import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { wait } from '../src/core/abortable.js';
import { NetworkError, TimeoutError } from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import { type Answer, failure, gate, TestService } from './support/test-service.js';

const service = TestService.forEachTest();

const path = `/customers/${customerId}`;
const ok: Answer = { json: { id: customerId } };

describe('client: timeouts', () => {
  it('client: an attempt over timeoutMs is a TimeoutError', async () => {
    const { opened, open } = gate();
    service.on(`GET ${path}`, () => opened.then(() => ok));
    const client = clientOf(service, { maxRetries: 0 });
    await client.customers.get(customerId, { timeoutMs: 50 }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({ name: 'TimeoutError', operation: 'getCustomer' });
    });
    expect.assertions(3);
    open();
  });

  it('client: an attempt that timed out is retried if the call is idempotent', async () => {
    const { opened, open } = gate();
    service.on(`GET ${path}`, (_, nth) => (nth === 1 ? opened.then(() => ok) : ok));
    await clientOf(service, { timeoutMs: 2_000 }).customers.get(customerId);
    expect(service.count(`GET ${path}`)).toBe(2);
    open();
  });

  it('client: the timeout covers the body', async () => {
    const stalled = (url: string, init: RequestInit) =>
      url.endsWith('/token')
        ? fetch(url, init)
        : Promise.resolve(new Response(new ReadableStream({ pull: () => new Promise(() => {}) })));
    const client = clientOf(service, { fetch: stalled, maxRetries: 0, timeoutMs: 500 });
    await expect(client.customers.get(customerId)).rejects.toBeInstanceOf(TimeoutError);
  });

  it('client: an infinite timeout does not end at once', async () => {
    service.on(`GET ${path}`, () => ok);
    await clientOf(service, { timeoutMs: Number.POSITIVE_INFINITY }).customers.get(customerId);
  });
});

describe('client: aborting', () => {
  it('client: rejects with the reason of the signal, and cancels the request', async () => {
    const { opened, open } = gate();
    service.on(`GET ${path}`, () => opened.then(() => ok));
    let cancelled = false;
    const controller = new AbortController();
    const client = clientOf(service, {
      fetch(url, init) {
        init.signal?.addEventListener('abort', () => {
          cancelled = true;
        });
        return fetch(url, init);
      },
    });
    const call = client.customers.get(customerId, { signal: controller.signal });
    await expect.poll(() => service.count(`GET ${path}`)).toBe(1);
    controller.abort();
    await expect(call).rejects.toBe(controller.signal.reason);
    expect(cancelled).toBe(true);
    open();
  });

  it('client: before the call: nothing is sent', async () => {
    const signal = AbortSignal.abort();
    await expect(clientOf(service).customers.get(customerId, { signal })).rejects.toBe(
      signal.reason,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(service.received).toEqual([]);
  });

  it('client: a signal that is used for many calls keeps no listeners', async () => {
    const refused = failure(429, 'tooManyRequests');
    service.on(`GET ${path}`, (_, nth) => (nth === 1 ? refused : ok));
    const { signal } = new AbortController();
    const client = clientOf(service);
    for (let calls = 0; calls < 3; calls++) await client.customers.get(customerId, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('client: waiting', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([60_000, Number.POSITIVE_INFINITY])(
    'client: for %d ms ends when the caller aborts, and leaves no timer that keeps the process alive',
    async (milliseconds) => {
      vi.useFakeTimers();
      const controller = new AbortController();
      const waiting = wait(milliseconds, controller.signal);
      vi.advanceTimersByTime(50_000);
      expect(vi.getTimerCount()).toBe(1);
      controller.abort();
      await expect(waiting).rejects.toBe(controller.signal.reason);
      expect(vi.getTimerCount()).toBe(0);
      await expect(wait(milliseconds, controller.signal)).rejects.toBe(controller.signal.reason);
    },
  );
});
