import { STATUS_CODES } from 'node:http';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  AdxError,
  ApiError,
  BadRequestError,
  ConflictError,
  ForbiddenError,
  isErrorOf,
  MethodNotAllowedError,
  NetworkError,
  NotFoundError,
  NotImplementedError,
  PayloadTooLargeError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  UnavailableError,
  UnprocessableContentError,
  UnsupportedMediaTypeError,
} from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import { failure, TestService } from './support/test-service.js';

const service = TestService.forEachTest();

const route = `GET /customers/${customerId}`;
const failed = () =>
  clientOf(service, { maxRetries: 0 })
    .customers.get(customerId)
    .then(
      () => expect.fail('must not succeed'),
      (error: unknown) => error,
    );

describe('§7 an error response', () => {
  it.each([
    [400, BadRequestError, 'validationFailed'],
    [401, UnauthorizedError, 'portalOnly'],
    [403, ForbiddenError, 'insufficientScope'],
    [404, NotFoundError, 'notFound'],
    [405, MethodNotAllowedError, 'methodNotAllowed'],
    [409, ConflictError, 'ibanInUse'],
    [413, PayloadTooLargeError, 'payloadTooLarge'],
    [415, UnsupportedMediaTypeError, 'unsupportedMediaType'],
    [422, UnprocessableContentError, 'idempotencyKeyReused'],
    [429, RateLimitError, 'tooManyRequests'],
    [500, ServerError, 'internalError'],
    [500, ServerError, 'aCodeOfTomorrow'],
    [501, NotImplementedError, 'notImplemented'],
    [503, UnavailableError, 'unavailable'],
    [418, ApiError, 'aCodeOfTomorrow'],
  ])('§7 of status %i is a %o with code, message and request id', async (status, kind, code) => {
    service.on(route, () => failure(status, code));
    const error = await failed();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(AdxError);
    expect(error).toMatchObject({
      constructor: kind,
      name: kind.name,
      status,
      code,
      message: `About ${code}.`,
      requestId: 'request-1',
      operation: 'getCustomer',
      fields: [],
      details: [],
    });
    expect(String((error as Error).stack)).toContain(`${kind.name}: About ${code}.`);
  });

  it('client: a program that makes one, as tests do, needs all its facts', () => {
    const facts = { status: 409, code: 'ibanInUse' as const, fields: [], details: [] };
    const error = new ConflictError('createCustomer', 'No.', {
      ...facts,
      requestId: undefined,
      retryAfter: undefined,
    });
    expect(error).toMatchObject({ ...facts, name: 'ConflictError', operation: 'createCustomer' });
    type Facts<Type extends new (...args: never) => unknown> = ConstructorParameters<Type>[2];
    expectTypeOf<undefined>().not.toExtend<Facts<typeof ConflictError>>();
    expectTypeOf<Record<never, never>>().not.toExtend<Facts<typeof NetworkError>>();
  });

  it('client: 501 and 503 are ServerErrors too', () => {
    expect(NotImplementedError.prototype).toBeInstanceOf(ServerError);
    expect(UnavailableError.prototype).toBeInstanceOf(ServerError);
  });

  it('§7 names the unknown fields', async () => {
    service.on(route, () => failure(400, 'unknownField', { fields: ['address.foo', 'bar'] }));
    expect(await failed()).toMatchObject({
      fields: ['address.foo', 'bar'],
      message: 'About unknownField: address.foo (and 1 more)',
    });
  });

  it('D-03 contains the findings of validation', async () => {
    const details = [{ path: 'contact.email', message: 'must match format "email"' }];
    service.on(route, () => failure(400, 'validationFailed', { details }));
    expect(await failed()).toMatchObject({
      details,
      message: 'About validationFailed: contact.email must match format "email"',
    });
  });

  it.each([
    ['a storage', { status: 403, text: '<Error/>' }, ForbiddenError, 'from 127.0.0.1:'],
    ['a page of a proxy', { status: 502, text: '<h1>Bad Gateway</h1>' }, ServerError, 'text/html'],
    ['an empty body', { status: 404, text: '' }, NotFoundError, '404'],
    ['JSON that says nothing', { status: 403, json: null }, ForbiddenError, '403'],
    ['JSON of another shape', { status: 400, json: [1] }, BadRequestError, '400'],
    [
      'fields of other types',
      { status: 409, json: { error: 1, fields: 'x' } },
      ConflictError,
      '409',
    ],
  ])('client: %s has status, class and a message too', async (_, answer, kind, text) => {
    const headers = { 'x-request-id': 'from-the-header' };
    service.on(route, () => ({ ...answer, headers }));
    const error = await failed();
    expect(error).toMatchObject({
      constructor: kind,
      status: answer.status,
      code: undefined,
      requestId: 'from-the-header',
      fields: [],
      details: [],
    });
    expect((error as Error).message).toContain(text);
    expect((error as Error).message).toContain('getCustomer');
  });

  it('client: JSON of another shape: its message is used', async () => {
    service.on(route, () => ({ status: 403, json: { message: 'Blocked by the gateway' } }));
    expect(await failed()).toMatchObject({ message: 'Blocked by the gateway', code: undefined });
  });

  it.each([404, 500])(
    'client: %i with the name of the status as its error has no code',
    async (status) => {
      const error = STATUS_CODES[status];
      service.on(route, () => ({ status, json: { statusCode: status, error, message: 'Down' } }));
      expect(await failed()).toMatchObject({ message: 'Down', code: undefined });
    },
  );
});

describe('client: isErrorOf', () => {
  it('D-40 narrows an error to the codes that the spec lists for an operation, and to new ones', async () => {
    service.on(route, () => failure(404, 'notFound'));
    const error = await failed();
    if (!isErrorOf(error, 'getCustomer')) expect.fail('it is an error of getCustomer');
    expect(error.code).toBe('notFound');
    expectTypeOf(error).toExtend<ApiError>();
    expectTypeOf(error.code).toEqualTypeOf<
      | 'validationFailed'
      | 'unknownField'
      | 'unauthorized'
      | 'tokenExpired'
      | 'portalOnly'
      | 'invalidApiKey'
      | 'insufficientScope'
      | 'notFound'
      | 'methodNotAllowed'
      | 'tooManyRequests'
      | 'internalError'
      | 'unavailable'
      | (string & {})
      | undefined
    >();
  });

  it('client: is false for errors of other operations, such as signing in, and for other errors', async () => {
    service.on(route, () => failure(404, 'notFound'));
    expect(isErrorOf(await failed(), 'createCustomer')).toBe(false);
    service.on('POST /token', () => failure(500, 'Authentication failed'));
    const error = await failed();
    expect(isErrorOf(error, 'getCustomer')).toBe(false);
    expect(isErrorOf(error, 'getToken')).toBe(true);
    expect(isErrorOf(new TypeError('No.'), 'getCustomer')).toBe(false);
  });
});

describe('client: other failures', () => {
  it.each([
    ['a page', { text: '<h1>Welcome to our Wi-Fi</h1>' }],
    ['nothing', { text: '' }],
    ['JSON cut short', { text: '{"id":' }],
  ])('client: success with %s is an ApiError, not a customer', async (_, answer) => {
    service.on(route, () => answer);
    expect(await failed()).toMatchObject({
      constructor: ApiError,
      status: 200,
      message: `getCustomer got 200 from ${new URL(service.baseUrl).host} with text/html instead of JSON`,
    });
  });

  it('client: no connection is a NetworkError with its cause', async () => {
    const client = clientOf(service, { maxRetries: 0 });
    await service.stop();
    const error = await client.auth.hello().catch((it: unknown) => it);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).not.toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ operation: 'getToken', cause: { message: 'fetch failed' } });
  });

  it('client: an error of fetch without a message, and with a number as its code, is one too', async () => {
    const fetch = () => Promise.reject(new DOMException('', 'NetworkError'));
    const error = clientOf(service, { maxRetries: 0, fetch }).auth.hello();
    await expect(error).rejects.toMatchObject({ name: 'NetworkError', reason: 'lost' });
  });

  it.each([301, 302, 307, 308])(
    'client: a redirect (%i) is refused and gets no credentials',
    async (status) => {
      const elsewhere = await TestService.start();
      service.on(route, () => ({
        status,
        headers: { location: `${elsewhere.baseUrl}/x` },
        text: '',
      }));
      const error = await failed();
      expect(error).toMatchObject({ constructor: ApiError, status });
      expect((error as Error).message).toContain('redirect');
      expect(elsewhere.received).toEqual([]);
      await elsewhere.stop();
    },
  );

  it('client: a body that cannot be JSON is a TypeError and is not sent', async () => {
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    await expect(clientOf(service).customers.create(endless as never)).rejects.toBeInstanceOf(
      TypeError,
    );
    expect(service.count('POST /customers/create')).toBe(0);
  });
});
