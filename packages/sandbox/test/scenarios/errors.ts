import {
  type ErrorCode,
  errorCatalogue,
  type Operation,
  type OperationId,
  operations,
} from '@adx/contract';
import { describe, expect, test } from 'vitest';
import { validateResponse } from '../../../../test/support/validate-response.js';
import { createArmedErrors } from '../../src/scenarios/armed-errors.js';
import { apiKey, call, freshIdToken, scenario, send } from './scenario-sandbox.js';

/** Tests of the scenario `error`. */
export function testErrors(): void {
  const all: readonly Operation[] = Object.values(operations);
  const requestId = '673f0c2a-9b1d-4e8f-8a6c-5b4d3e2f1a0b';

  describe('D-53 scenario error', () => {
    test('D-53 every operation has an answer for every error that it documents, as the spec describes it', () => {
      const errors = createArmedErrors(1200);
      for (const operation of all) {
        const method = operation.method.toUpperCase();
        const path = operation.path.replace(/\{[^}]+\}/g, 'a'.repeat(24));
        for (const code of operation.errors) {
          errors.arm({
            code,
            operation: operation.operationId as OperationId,
            calls: 1,
            retryAfter: 1,
          });
          const answer = errors.take(method, `/v1${path}?a=b`) ?? expect.fail(path);
          const { status } = errorCatalogue[code];
          expect(answer).toMatchObject({ status, body: { error: code } });
          const headers = new Headers(answer.headers.map(([name, value]) => [name, value]));
          headers.set('X-Request-Id', requestId);
          const body = JSON.stringify({ ...answer.body, requestId });
          expect(validateResponse(method, path, { status, body, headers })).toEqual([]);
        }
      }
    });

    test.each<[ErrorCode, string, string, Record<string, string>, string?]>([
      ['notFound', 'GET', `/v1/customers/${'a'.repeat(24)}`, {}],
      ['unknownField', 'POST', '/v1/mandates', { 'Content-Type': 'application/json' }, '{"foo":1}'],
      ['unsupportedMediaType', 'POST', '/v1/mandates', { 'Content-Type': 'text/plain' }, 'x'],
      ['methodNotAllowed', 'PUT', '/v1/customers', {}],
      ['unauthorized', 'GET', '/v1/customers', { Authorization: 'Bearer x.y.z' }],
      ['invalidApiKey', 'GET', '/v1/customers', { 'X-Api-Key': 'none' }],
    ])('D-53 %s has the headers that the service sends', async (code, method, path, more, body) => {
      const authorization = `Bearer ${await freshIdToken()}`;
      const headers = { 'X-Api-Key': apiKey(), Authorization: authorization, ...more };
      const own = await send(method, path, headers, body);
      await scenario('error', { code });
      // No operation has the method PUT, and only calls of operations get errors of scenarios.
      const set = await send(method === 'PUT' ? 'GET' : method, path, headers, body);
      expect(set.status).toBe(own.status);
      // Values that differ in each answer, and the length of another example.
      const changing = /^(X-Request-Id|Date|RateLimit|Content-Length|RateLimit-Policy)$/;
      const comparable = ({ rawHeaders }: typeof own) =>
        rawHeaders.flatMap((name, i) =>
          i % 2 === 0 ? [changing.test(name) ? name : `${name}: ${rawHeaders[i + 1]}`] : [],
        );
      expect(comparable(set)).toEqual(comparable(own));
    });

    test('D-53 an error is for as many calls as it says, and only for those of its operation', async () => {
      const hello = async () => (await call('GET', '/hello-world')).status;
      expect(await hello()).toBe(200);
      const set = await scenario('error', {
        code: 'unavailable',
        operation: 'helloWorld',
        calls: 2,
      });
      expect(set).toEqual({ code: 'unavailable', calls: 2, operations: ['helloWorld'] });
      expect((await call('GET', '/customers')).status).toBe(200);
      expect([await hello(), await hello(), await hello()]).toEqual([503, 503, 200]);
      await scenario('error', { code: 'unavailable', calls: 5 });
      // It was set for all operations, so taking it back for one of them changes nothing.
      await scenario('error', { code: 'unavailable', operation: 'helloWorld', calls: 0 });
      expect(await hello()).toBe(503);
      await scenario('error', { code: 'unavailable', calls: 0 });
      expect(await hello()).toBe(200);
    });

    test('D-53 an error for an API key leaves the calls of others alone', async () => {
      const hello = async () => (await call('GET', '/hello-world')).status;
      const error = { code: 'unavailable', operation: 'helloWorld' };
      await scenario('error', { ...error, apiKey: 'adx_live_of_others' });
      expect(await hello()).toBe(200);
      await scenario('error', { ...error, calls: 0 });
      await scenario('error', { ...error, apiKey: apiKey() });
      expect([await hello(), await hello()]).toEqual([503, 200]);
    });

    test('D-53 a scenario gets no error that was set for the next calls', {
      tags: 'long',
    }, async () => {
      const error = { code: 'internalError', operation: 'createCustomer' };
      await scenario('error', error);
      const brought = await scenario('mandate', { status: 'unsupportedBank' });
      expect(brought).toMatchObject({ status: 'unsupportedBank' });
      expect((await call('POST', '/customers/create', {})).status).toBe(500);
    });

    test('D-53 a call that gets an error has no effect', { tags: 'long' }, async () => {
      const { body } = await call('GET', '/customers');
      const [{ id, name }] = body;
      await scenario('error', { code: 'internalError', operation: 'updateCustomer' });
      const change = { name: 'Another name' };
      expect((await call('PATCH', `/customers/${id}`, change)).status).toBe(500);
      expect((await call('GET', `/customers/${id}`)).body).toMatchObject({ name });
    });
  });
}
