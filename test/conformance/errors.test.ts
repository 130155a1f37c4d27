import { gzipSync } from 'node:zlib';
import { type OperationId, operations } from '@adx/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wellFormedPath } from '../support/call-operation.js';
import { type SignedInService, startSignedInService } from '../support/signed-in-service.js';
import type { RawCall } from '../support/test-service.js';

let signedIn: SignedInService;
let credentials: Record<string, string>;
beforeAll(async () => {
  signedIn = await startSignedInService();
  const { apiKey, idToken } = signedIn;
  credentials = { 'x-api-key': apiKey, authorization: `Bearer ${idToken}` };
});
afterAll(() => signedIn.service.close());

const every = Object.keys(operations) as OperationId[];
const withBody = every.filter((operationId) => operations[operationId].body === 'required');
const largest = 64 * 1024;

/** Makes a raw call with both credentials, and returns status, headers and error. */
async function answer(path: string, { headers = {}, ...call }: RawCall) {
  const response = await signedIn.service.raw(path, {
    ...call,
    headers: { ...credentials, ...headers },
  });
  const { error, ...rest } = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, error, ...rest };
}

const search = (body: NonNullable<RawCall['body']>, headers: Record<string, string> = {}) =>
  answer('/customers', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('D-05 a body is required and is an object', () => {
  test.each(
    withBody.flatMap((operationId) =>
      ['', 'null', '[]', '"text"', '1', '[{}]'].map((text) => [operationId, text] as const),
    ),
  )('§4, D-05 %s with the body %j is 400', async (operationId, text) => {
    const { status } = await signedIn.call(operationId, { text });
    expect(status).toBe(400);
  });

  test.each(withBody)('§4 %s without a body is 400', async (operationId) => {
    expect((await signedIn.call(operationId, { text: null })).status).toBe(400);
  });

  test.each([
    '{',
    '{"limit":1,}',
    "{'limit':1}",
    '{} {}',
    'limit=1',
    '{"limit":01}',
    '\ufeff\ufeff{}',
  ])('D-03 the body %j is not JSON', async (text) => {
    expect(await search(text)).toMatchObject({ status: 400, error: 'invalidJson' });
  });

  test('D-03 bytes that are not UTF-8 are not JSON', async () => {
    const bytes = Buffer.from('{"search":"caf\u00e9"}', 'latin1');
    expect(await search(bytes)).toMatchObject({ status: 400, error: 'invalidJson' });
  });

  test.each(['__proto__', 'constructor', 'toString', 'a.b', ''])(
    'D-05 the field %j is unknown',
    async (name) => {
      const { status, error, ...body } = await search(`{"${name}":{"x":1}}`);
      expect({ status, error }).toEqual({ status: 400, error: 'unknownField' });
      expect(body).toMatchObject({ fields: [name] });
    },
  );
});

describe('D-03 the media type and the size of a body', () => {
  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/jsonp',
    'json',
  ])('D-03 a body of the type %j is 415', async (type) => {
    expect(await search('{}', { 'content-type': type })).toMatchObject({
      status: 415,
      error: 'unsupportedMediaType',
    });
  });

  test('D-03 a body without a type is 415', async () => {
    const body = new Uint8Array(Buffer.from('{}'));
    expect(await answer('/customers', { method: 'POST', body })).toMatchObject({ status: 415 });
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('D-03 a body of the type %j is accepted', async (type) => {
    expect(await search('{}', { 'content-type': type })).toMatchObject({ status: 200 });
  });

  test('D-03 a body of 64 KiB is accepted, one byte more is 413', async () => {
    expect(await search('{}'.padEnd(largest))).toMatchObject({ status: 200 });
    expect(await search('{}'.padEnd(largest + 1))).toMatchObject({
      status: 413,
      error: 'payloadTooLarge',
    });
  });

  test('D-03 the limit applies to the decompressed body', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect(await search(gzipSync('{}'), gzip)).toMatchObject({ status: 200 });
    const large = gzipSync('{}'.padEnd(largest * 4));
    expect(await search(large, gzip)).toMatchObject({ status: 413, error: 'payloadTooLarge' });
  });

  test('D-03 an unknown encoding is 415', async () => {
    const unknown = { 'content-encoding': 'rot13' };
    expect(await search('{}', unknown)).toMatchObject({ status: 415 });
  });
});

describe('D-03 paths, methods and queries', () => {
  const paths = [...new Set(every.map((operationId) => operations[operationId].path))];

  test.each(['/nowhere', '/customers/create/more', '/customer', '/customers/', '/token/x'])(
    'D-03 the path %s is 404, which says how addresses look',
    async (path) => {
      const message = expect.stringMatching(
        /^No operation has this path: addresses begin with http.*\/v1 and do not end in a slash\.$/,
      );
      expect(await answer(path, { method: 'GET' })).toMatchObject({
        ...{ status: 404, error: 'notFound', message },
      });
    },
  );

  test.each(paths)(
    'D-03 a method that %s does not have is 405 with the allowed methods in Allow',
    async (path) => {
      const allowed = every
        .map((operationId) => operations[operationId])
        .filter((operation) => operation.path === path)
        .map(({ method }) => method.toUpperCase());
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => wellFormedPath[name] ?? '');
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
        (name) => !allowed.includes(name),
      );
      for (const method of others) {
        const { status, error, headers } = await answer(filled, { method });
        expect(status, `${method} ${filled}`).toBe(405);
        expect(error).toBe('methodNotAllowed');
        expect(headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted());
      }
    },
  );

  test.each(every)('D-05 %s: a query parameter is an unknown field', async (operationId) => {
    expect(await signedIn.call(operationId, { query: 'limit=1&page=2' })).toMatchObject({
      status: 400,
      body: { error: 'unknownField', fields: ['limit', 'page'] },
    });
  });

  test.each(['/customers/%zz', '/customers/%ff/bank-accounts/%ff'])(
    'D-03 the malformed path %s is 400',
    async (path) => {
      expect(await answer(path, { method: 'GET' })).toMatchObject({
        status: 400,
        error: 'validationFailed',
      });
    },
  );
});

test('D-03 each response has a unique X-Request-Id, which an error also contains', async () => {
  const seen = [];
  for (const path of ['/hello-world', '/nowhere', '/customers/x']) {
    const { headers, ...body } = await answer(path, {});
    const id = headers.get('x-request-id');
    expect(id).toMatch(/\S/);
    if (path !== '/hello-world') expect(body).toMatchObject({ requestId: id });
    seen.push(id);
  }
  expect(new Set(seen).size).toBe(seen.length);
});
