import { operations } from '@adx/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FuzzTarget, operationIds, startFuzzTarget } from '../support/fuzz-target.js';
import { exchange, sendRaw } from './support/raw-exchange.js';

let target: FuzzTarget;
beforeAll(async () => {
  target = await startFuzzTarget();
});
afterAll(() => target?.service.close());

const queries = [
  ['?limit=1', ['limit']],
  ['?limit=1&limit=2', ['limit']],
  ['?search=a&customerId=b', ['search', 'customerId']],
  ['?__proto__=x', ['__proto__']],
  ['?constructor=x&toString=y', ['constructor', 'toString']],
  ['?a[b][c]=d', ['a[b][c]']],
  ['?x', ['x']],
  ['?%zz=1', ['%zz']],
  ['?%00', ['\u0000']],
  ['?a%2Fb=1', ['a/b']],
  [`?${'x'.repeat(6_000)}`, ['x'.repeat(6_000)]],
] as const;

describe.each(operationIds)('D-05 %s', (operationId) => {
  it('names every parameter of a query string, and stores nothing', async () => {
    await target.storingNothing(async () => {
      for (const [query, fields] of queries) {
        const answer = await target.send(operationId, { query });
        expect([query, answer.status, answer.body.error]).toEqual([query, 400, 'unknownField']);
        expect([...(answer.body.fields ?? [])].sort()).toEqual([...fields].sort());
      }
    });
  });

  it('a thousand parameters are refused', async () => {
    const query = `?${Array.from({ length: 1_500 }, (_, index) => `p${index}`).join('&')}`;
    expect(await target.send(operationId, { query })).toMatchObject({
      status: 400,
      body: { error: 'unknownField' },
    });
  });
});

const paths = [...new Set(operationIds.map((id) => operations[id].path))];

describe.each(paths)('D-03 %s', (path) => {
  const own = operationIds.filter((id) => operations[id].path === path);
  const allowed = own.map((id) => operations[id].method.toUpperCase());
  const [first] = own;
  const others = [
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'M-SEARCH',
  ];

  it('has only the methods of the spec, even with a header that overrides the method', async () => {
    await target.storingNothing(async () => {
      for (const method of others.filter((other) => !allowed.includes(other))) {
        const answer = await sendRaw(target.service.baseUrl, {
          method,
          target: `/v1${first && target.pathOf(first)}`,
          headers: [...target.headerLines, 'X-HTTP-Method-Override: DELETE'],
          body: method === 'HEAD' ? '' : '{}',
        });
        expect([method, answer.status]).toEqual([method, 405]);
        expect(answer.headers['allow']?.split(', ').sort()).toEqual(allowed.toSorted());
        if (method === 'HEAD') expect(answer.body).toBe('');
        else expect(JSON.parse(answer.body).error).toBe('methodNotAllowed');
      }
    });
  });
});

describe('D-03 requests that are not HTTP', () => {
  it.each([
    ['an unknown method', 'STEAL /v1/hello-world HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no version', 'GET /v1/hello-world\r\n\r\n'],
    ['no host', 'GET /v1/hello-world HTTP/1.1\r\n\r\n'],
    ['a header without a colon', 'GET /v1/hello-world HTTP/1.1\r\nHost: x\r\nx-api-key\r\n\r\n'],
    ['binary', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    [
      'headers of 20 KB',
      `GET /v1/hello-world HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
    ],
  ])('%s', async (_, bytes) => {
    const answer = await exchange(target.service.baseUrl, bytes);
    expect(answer?.status).toBeOneOf([400, 403, 431]);
    expect((await target.send('helloWorld')).status).toBe(200);
  });
});
