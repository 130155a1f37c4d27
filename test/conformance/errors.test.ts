import type { OperationId } from '@adx/contract';
import { describe, expect, test } from 'vitest';
import type { OperationCall } from '../support/call-operation.js';
import { useSignedInService } from '../support/use-service.js';

const signedIn = useSignedInService();

async function get(path: string) {
  const { apiKey, idToken, service } = signedIn;
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${idToken}` };
  const response = await service.raw(path, { headers });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, id: response.headers.get('x-request-id'), body };
}

test.each(['/nowhere', '/customers/create/more', '/customer', '/customers/', '/token/x'])(
  'D-03 the path %s is 404, which says how addresses look',
  async (path) => {
    const message = expect.stringMatching(
      /^No operation has this path: addresses begin with http.*\/v1 and do not end in a slash\.$/,
    );
    expect(await get(path)).toMatchObject({ status: 404, body: { error: 'notFound', message } });
  },
);

test('D-03 each response has a unique X-Request-Id, which an error also contains', async () => {
  const seen = [];
  for (const path of ['/hello-world', '/nowhere', '/customers/x']) {
    const { id, body } = await get(path);
    expect(id).toMatch(/\S/);
    if (path !== '/hello-world') expect(body).toMatchObject({ requestId: id });
    seen.push(id);
  }
  expect(new Set(seen).size).toBe(seen.length);
});

async function detailsOf(operationId: OperationId, call: OperationCall) {
  const { body } = await signedIn.call(operationId, call);
  const { details } = body as { details: readonly { path: string; message: string }[] };
  return details.map(({ path, message }) => `${path} ${message}`);
}

test.each<[string, OperationId, OperationCall, string]>([
  [
    'a text of a form',
    'searchMandates',
    { body: { enterpriseNumber: '0812345603' } },
    'enterpriseNumber must match pattern "^[01][0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$", for example 0765.432.146',
  ],
  [
    'a format',
    'listUploads',
    { body: { receivedSince: '2026-01-01' } },
    'receivedSince must match format "date-time", for example 2026-03-02T08:00:00+01:00',
  ],
  [
    'an item of an array',
    'acknowledgeCodaFiles',
    { body: { fileIds: ['x'] } },
    'fileIds.0 must match pattern "^[0-9a-fA-F]{24}$", for example 6741b2c3d4e5f6a7b8c9d0e1',
  ],
  [
    'a parameter in the path',
    'getCustomer',
    { path: { customerId: 'x' } },
    'customerId must match pattern "^[0-9a-fA-F]{24}$", for example 673f0c2a9b1d4e8f7a6c5b4d',
  ],
  [
    'a header',
    'requestMandate',
    { path: { mandateId: 'a'.repeat(24) }, headers: { 'Idempotency-Key': 'a b' } },
    'Idempotency-Key must match pattern "^[!-~]+$", for example 8e03978e-40d5-43dd-bc93-6894a57f9324',
  ],
])('D-03 a finding about %s gives the example of the spec', async (_, operationId, call, line) => {
  expect(await detailsOf(operationId, call)).toEqual([line]);
});

const statuses = /^status(\.\d)? must be equal to one of the allowed values: .*\bexpired\b/;

test.each([['signed'], [['signed']], [5]])(
  'D-03 the status %j gets only the findings of the form that was meant',
  async (status) => {
    const [first, ...others] = await detailsOf('searchMandates', { body: { status } });
    const lines = [first, ...others].filter((line) => !line?.endsWith('must be string'));
    expect(lines[0]).toMatch(statuses);
    expect(lines.slice(1)).toEqual(status === 5 ? ['status must be array'] : []);
  },
);

test.each([
  [{ username: 'els' }, ['password']],
  [{ password: 'eA==' }, ['username']],
  [{}, ['username', 'password', 'refreshToken']],
])('D-03 signing in with %j asks for the fields of its form', async (body, missing) => {
  expect(await detailsOf('getToken', { body })).toEqual(
    missing.map((name) => `${name} is required`),
  );
});

describe('cors: preflight requests', () => {
  const listed = (value: string | null) => value?.toLowerCase().split(/, */).sort();

  test.each(['GET', 'POST', 'PATCH', 'DELETE'])(
    'cors: %s is allowed for every origin, without an API key',
    async (method) => {
      const { status, headers } = await signedIn.service.raw(`/customers/${'0'.repeat(24)}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://partner.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type,x-api-key',
        },
      });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(listed(headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
      expect(listed(headers.get('access-control-allow-headers'))).toEqual([
        'authorization',
        'content-type',
        'idempotency-key',
        'x-api-key',
      ]);
      expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
    },
  );

  test('cors: responses name the headers that a page may read, errors too', async () => {
    const { status, headers } = await signedIn.service.raw('/hello-world');
    expect(status).toBe(403);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('vary') ?? '').not.toMatch(/Origin/);
    expect(listed(headers.get('access-control-expose-headers'))).toEqual([
      ...['deprecation', 'link', 'ratelimit', 'ratelimit-policy'],
      ...['retry-after', 'sunset', 'x-api-key-expires', 'x-request-id'],
    ]);
  });
});
