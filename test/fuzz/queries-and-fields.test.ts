import { type OperationId, operations } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import { operationIds, operationsWithBody } from '../support/fuzz-target.js';
import { newCustomer } from '../support/new-customer.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { exampleOf, wellFormedBody } from '../support/well-formed.js';
import { expectRefusedRequest } from './support/mutated-targets.js';
import { exchange, sendRaw } from './support/raw-exchange.js';
import { bodyFields, textWith } from './support/text-fields.js';

const target = useFuzzTarget();

const queries = [
  ['?limit=1', ['limit']],
  // The second question mark is the name.
  ['??', ['?']],
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

describe.each(oneIn(5, operationIds))('D-05 %s', (operationId) => {
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

describe.each(oneIn(5, paths))('D-03 %s', (path) => {
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

const line = 'GET /v1/hello-world HTTP/1.1\r\n';
const chunk = `1;${'a'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`;

describe('D-03 a request that Node refuses has the body of every error', () => {
  it.each([
    ['an unknown method', 400, 'STEAL /v1/hello-world HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no version', 400, 'GET /v1/hello-world\r\n\r\n'],
    ['no host', 400, `${line}\r\n`],
    ['two hosts', 400, `${line}Host: x\r\nHost: x\r\n\r\n`],
    ['a header without a colon', 400, `${line}Host: x\r\nx-api-key\r\n\r\n`],
    ['two lengths', 400, `${line}Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['binary', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['headers of 20 KB', 431, `${line}Host: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['headers of 2 MB', 431, `${line}Host: x\r\n${'A: aaaaaaaaaaaa\r\n'.repeat(125_000)}`],
    ['an expectation', 417, `${line}Host: x\r\nExpect: a miracle\r\n\r\n`],
    ['long chunks', 413, `${line}Host: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`],
  ])('%s', async (_, status, bytes) => {
    const answer = await exchange(target.service.baseUrl, bytes);
    expect([answer?.status, answer?.headers['connection']]).toEqual([status, 'close']);
    if (answer !== undefined) expectRefusedRequest(answer);
    expect((await target.send('helloWorld')).status).toBe(200);
  });
});

const names = [
  ...['nonsense', 'Limit', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'],
  ...[
    'a.b',
    'a/b',
    'a~1b',
    'address/foo',
    '/body/limit',
    '%2F',
    'nåam é 👩‍🚀',
    '\u202eodd',
    ' ',
    '',
  ],
  'x'.repeat(5_000),
];

/** Returns JSON with a further field, also with a name that an object literal cannot have. */
function withField(body: object, name: string, value: unknown = 1): string {
  const fields = Object.entries({ ...body }).map(
    ([key, child]) => `${JSON.stringify(key)}:${JSON.stringify(child)}`,
  );
  return `{${[...fields, `${JSON.stringify(name)}:${JSON.stringify(value)}`].join(',')}}`;
}

async function expectUnknown(operationId: OperationId, body: string, fields: readonly string[]) {
  const answer = await target.send(operationId, { body });
  expect(answer).toMatchObject({ status: 400, body: { error: 'unknownField' } });
  expect([...(answer.body.fields ?? [])].sort()).toEqual([...fields].sort());
}

describe.each(oneIn(5, operationsWithBody))('D-05 %s', (operationId) => {
  it('names an unknown field with any name, and stores nothing', async () => {
    await target.storingNothing(async () => {
      for (const name of names) {
        await expectUnknown(operationId, withField(wellFormedBody(operationId), name), [name]);
      }
    });
  });

  it('names all unknown fields at once', async () => {
    const body = withField({ ...wellFormedBody(operationId), one: null, two: [] }, '__proto__', {});
    await expectUnknown(operationId, body, ['one', 'two', '__proto__']);
  });
});

describe('D-05 unknown fields below the first level', () => {
  const iban = 'BE71096123456769';
  const objects = operationsWithBody.flatMap((operationId) =>
    bodyFields(operationId)
      .filter(({ path, schema }) => path.length > 0 && schema.properties !== undefined)
      .map((field) => ({ ...field, operationId, place: field.path.join('.') })),
  );

  it.each(objects)('$operationId: a field of $place is named with its path', async (each) => {
    const { operationId, path, schema, place } = each;
    const own = Object(exampleOf(schema, 'required'));
    await target.storingNothing(async () => {
      for (const name of oneIn(3, names)) {
        const body = textWith(wellFormedBody(operationId), path, withField(own, name));
        await expectUnknown(operationId, body, [`${place}.${name}`]);
      }
    });
  });

  it('§4.7 output fields are not input: the response of get customer cannot be sent back', async () => {
    await target.storingNothing(async () => {
      const { body } = await target.send('getCustomer');
      await expectUnknown('updateCustomer', JSON.stringify(body), [
        ...['id', 'enterpriseNumber', 'isConfidential', 'bankAccounts', 'payrollProviders'],
        ...['createdOn', 'updatedOn'],
      ]);
    });
  });

  it('names unknown fields of every level at once', async () => {
    const body = newCustomer({ bankAccounts: [{ iban }] });
    await target.storingNothing(async () => {
      await expectUnknown(
        'createCustomer',
        JSON.stringify({
          ...body,
          firmId: target.firmId,
          address: { ...body.address, box: '3' },
          contact: { ...body.contact, phone: '0' },
          bankAccounts: [{ iban, bic: 'GKCCBEBB' }],
        }),
        ['firmId', 'address.box', 'contact.phone', 'bankAccounts.0.bic'],
      );
    });
  });
});
