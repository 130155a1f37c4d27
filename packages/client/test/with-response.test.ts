import { expect, expectTypeOf, it, onTestFinished } from 'vitest';
import type { ApiResponse, Client, Customer, Mandate, Page } from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import { failure, TestService } from './support/test-service.js';

const service = TestService.forEachTest();

const route = `GET /customers/${customerId}`;
const json = { id: customerId };
const limits = { ratelimit: '"default";r=99;t=30', 'ratelimit-policy': '"default";q=100;w=60' };

it('client: withResponse gives the data, and the status and headers of the last response', async () => {
  service.on(route, (_, nth) =>
    nth === 1
      ? failure(503, 'unavailable')
      : { json, headers: { 'x-request-id': `request-${nth}`, ...limits } },
  );
  const call = clientOf(service).customers.get(customerId);
  const { data, response } = await call.withResponse();
  expect(data).toEqual(json);
  expect(response.status).toBe(200);
  expect(response.headers.get('x-request-id')).toBe('request-2');
  expect(response.headers.get('ratelimit')).toBe(limits.ratelimit);
  expect(response.headers.get('ratelimit-policy')).toBe(limits['ratelimit-policy']);
  expect(await call).toEqual(data);
  expect(service.count(route)).toBe(2);
});

it('client: a call that fails rejects withResponse, and leaves no rejection unhandled', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  service.on(route, () => failure(404, 'notFound'));
  const call = clientOf(service).customers.get(customerId).withResponse();
  await expect(call).rejects.toMatchObject({ code: 'notFound' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
});

it('client: every method that makes one call has withResponse, and lists are still pages', () => {
  type Get = ReturnType<Client['customers']['get']>;
  expectTypeOf<ReturnType<Get['withResponse']>>().toEqualTypeOf<Promise<ApiResponse<Customer>>>();
  expectTypeOf<ReturnType<Client['mandates']['search']>>().toEqualTypeOf<Page<Mandate>>();
});
