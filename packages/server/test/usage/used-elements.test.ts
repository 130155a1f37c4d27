import { operations } from '@adx/contract';
import { describeOperation } from '@adx/contract/requests';
import type { SpecBody, SpecOperation, SpecParameter, SpecSchema } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { createUseReader } from '../../src/usage/used-elements.js';

type Schemas = Readonly<Record<string, SpecSchema>>;

const object = (
  properties: Schemas,
  required: readonly string[] = [],
): SpecSchema & { readonly type: 'object' } => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const text: SpecSchema = { type: 'string' };
const listOf = (items: SpecSchema): SpecSchema => ({ type: 'array', items });
const one = (name: string): SpecSchema => ({ $ref: `#/components/schemas/${name}` });
const oneOf = (...alternatives: SpecSchema[]): SpecSchema => ({ oneOf: alternatives });

interface Described {
  readonly body?: SpecSchema;
  readonly requestBody?: SpecBody;
  readonly parameters?: readonly SpecParameter[];
  readonly ofPath?: readonly SpecParameter[];
  readonly components?: { readonly schemas?: Schemas; readonly [section: string]: unknown };
}

/** Returns what a request uses, as `field` or `field=value`, without the operation itself. */
function used(
  { body, requestBody, parameters, ofPath, components }: Described,
  request: object,
): string[] {
  const operation: SpecOperation = {
    ...{ operationId: 'doIt', summary: '', description: '', responses: {} },
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    ...(requestBody && { requestBody }),
    ...(parameters && { parameters }),
  };
  const document = {
    paths: { '/it': { post: operation, ...(ofPath && { parameters: ofPath }) } },
    components: { schemas: {}, ...components },
  };
  const doIt = { operationId: 'doIt', path: '/it', method: 'post' } as const;
  const { read } = createUseReader(describeOperation(doIt, document));
  const [call, ...elements] = read({ query: {}, headers: {}, ...request });
  expect(call).toEqual({ operation: 'doIt', field: '', value: '' });
  return elements.map(({ field, value }) => (value === '' ? field : `${field}=${value}`)).sort();
}

const usedBy = (schema: SpecSchema, body: unknown, schemas: Schemas = {}) =>
  used({ body: schema, components: { schemas } }, { body });

test('D-41 a field that is present counts, whatever its value', () => {
  const schema = object({ a: text, b: text, c: text, d: text });
  expect(usedBy(schema, { a: 'x', b: '', c: null })).toEqual(['body.a', 'body.b', 'body.c']);
  expect(usedBy(schema, {})).toEqual([]);
});

test('D-41 the fields of objects and of the items of arrays count once for each call', () => {
  const account = object({ iban: text, name: text });
  const schema = object({ address: object({ city: text }), accounts: listOf(listOf(account)) });
  const body = {
    address: { city: 'x' },
    accounts: [[{ iban: '1' }, { iban: '2' }], [{ name: '' }]],
  };
  expect(usedBy(schema, body)).toEqual([
    ...['body.accounts', 'body.accounts.iban', 'body.accounts.name'],
    ...['body.address', 'body.address.city'],
  ]);
});

test('D-41 the items of a list of fixed length count', () => {
  const pair: SpecSchema = {
    type: 'array',
    prefixItems: [object({ a: text }), object({ b: text })],
  };
  expect(usedBy(object({ pair }), { pair: [{ a: '' }, { b: '' }] })).toEqual([
    ...['body.pair', 'body.pair.a', 'body.pair.b'],
  ]);
});

test('D-41 a field that every call has does not count, but one that is required in an optional object does', () => {
  const inner = object({ must: text, may: text }, ['must']);
  const schema = object({ always: inner, maybe: inner, items: listOf(inner) }, ['always', 'items']);
  const body = { always: { must: '', may: '' }, maybe: { must: '' }, items: [{ must: '' }] };
  expect(usedBy(schema, body)).toEqual([
    ...['body.always.may', 'body.items.must', 'body.maybe', 'body.maybe.must'],
  ]);
});

test('D-41 the fields of one of several forms count, also those that it requires, and parts join', () => {
  const signIn = object({ username: text, note: text }, ['username']);
  const refresh = object({ token: text, note: text }, ['token']);
  for (const forms of [oneOf(refresh, signIn), { anyOf: [refresh, signIn] }]) {
    expect(usedBy(forms, { token: '' })).toEqual(['body.token']);
    expect(usedBy(forms, { username: '', note: '' })).toEqual(['body.note', 'body.username']);
  }
  const all: SpecSchema = {
    allOf: [object({ a: text, b: text }, ['a']), object({ c: text }, ['c'])],
  };
  expect(usedBy(all, { a: '', b: '', c: '' })).toEqual(['body.b']);
});

test('D-41 references are followed, also those with other members beside them', () => {
  const schemas = {
    Outer: object({ range: { ...one('Range'), description: '' } }),
    Range: object({ from: text }),
  };
  expect(usedBy(one('Outer'), { range: { from: 1 } }, schemas)).toEqual([
    'body.range',
    'body.range.from',
  ]);
});

test('D-41 references to a part of a component, to other references and into the paths are followed', () => {
  const Range = object({ from: object({ day: text }) });
  const schemas = { Range, From: { $ref: '#/components/schemas/Range/properties/from' } };
  expect(usedBy(object({ a: one('From') }), { a: { day: '' } }, schemas)).toEqual([
    ...['body.a', 'body.a.day'],
  ]);
  const ofIt = '#/paths/~1it/post/parameters/0';
  const components = {
    parameters: { sort: { $ref: '#/components/parameters/same' }, same: { $ref: ofIt } },
  };
  const parameters = [{ name: 'sort', in: 'query', schema: text }];
  const ofPath = [{ $ref: '#/components/parameters/sort' }];
  expect(used({ parameters, ofPath, components }, { query: { sort: '' } })).toEqual(['query.sort']);
});

test('D-41 the values of enumerations count beside their field, in arrays too', () => {
  const status: SpecSchema = { type: 'string', enum: ['open', 'closed', ''] };
  const schema = object(
    { one: status, some: listOf(status), any: oneOf(status, listOf(status)), free: text },
    ['one'],
  );
  const body = { one: 'open', some: ['open', 'closed', 'open'], any: '', free: 'open' };
  expect(usedBy(schema, body)).toEqual([
    ...['body.any', 'body.any=""', 'body.free', 'body.one="open"'],
    ...['body.some', 'body.some="closed"', 'body.some="open"'],
  ]);
});

test('D-41 values that are no text, and constants, count as JSON', () => {
  const schema = object({ size: { enum: [1, 2.5, null, true] }, kind: { const: 'a' } });
  const uses = (size: unknown) =>
    usedBy(schema, { size, kind: 'a' }).filter((each) => each.startsWith('body.size='));
  expect([1, 2.5, null, true].flatMap(uses)).toEqual([
    ...['body.size=1', 'body.size=2.5', 'body.size=null', 'body.size=true'],
  ]);
  expect(usedBy(schema, { kind: 'a' })).toEqual(['body.kind', 'body.kind="a"']);
});

test('D-41 a schema that contains itself has a finite number of names', () => {
  const schemas = {
    Filter: object({
      not: one('Filter'),
      and: listOf(one('Filter')),
      name: text,
      by: { enum: ['x'] },
    }),
    Either: oneOf(one('Filter'), object({ other: one('Either'), name: text })),
  };
  const body = { not: { and: [{ not: { name: '' } }, { and: [{ by: 'x' }] }] } };
  expect(usedBy(one('Filter'), body, schemas)).toEqual([
    ...['body.and', 'body.by', 'body.by="x"', 'body.name', 'body.not'],
  ]);
  expect(usedBy(one('Either'), { other: { other: { not: { name: '' } } } }, schemas)).toEqual([
    ...['body.name', 'body.not', 'body.other'],
  ]);
});

test('D-41 what the caller wrote is never used as a name', () => {
  const schema = object({ known: object({ a: text }), kind: { enum: ['a'] } });
  const body = JSON.parse(
    '{"secret":"s","known":{"secret":"s","__proto__":{"a":1}},"kind":"secret","constructor":1,"__proto__":{"known":1}}',
  );
  expect(usedBy(schema, body)).toEqual(['body.kind', 'body.known']);
  for (const wrong of [null, 1, 'known', [], [[{ known: ['x', null] }]], undefined]) {
    expect(usedBy(schema, wrong).join()).toMatch(/^(body\.known)?$/);
  }
  expect(usedBy(object({ toString: text }), {})).toEqual([]);
});

test('D-41 optional parameters of the query and of headers count, and the values of enumerations', () => {
  const parameters = [
    { name: 'sort', in: 'query', schema: listOf({ enum: ['asc', 'desc'] }) },
    { name: 'page', in: 'query', required: true, schema: { enum: [1, 2] } },
    { name: 'If-Match', in: 'header', schema: text },
    { name: 'id', in: 'path', required: true, schema: text },
    { name: 'absent', in: 'query', schema: text },
  ];
  const request = {
    query: { sort: ['asc', 'x'], page: '1', other: '', 'if-match': '' },
    headers: { 'if-match': 'x', sort: '' },
  };
  expect(used({ parameters }, request)).toEqual([
    ...['header.If-Match', 'query.page=1', 'query.sort', 'query.sort="asc"'],
  ]);
});

test('D-41 parameters and bodies by reference, and parameters of the whole path, count', () => {
  const content = { 'application/json': { schema: object({ a: text }) } };
  const components = {
    parameters: { trace: { name: 'trace', in: 'query', schema: text } },
    requestBodies: { Shared: { content } },
  };
  const parameters = [{ $ref: '#/components/parameters/trace' }];
  const requestBody = { $ref: '#/components/requestBodies/Shared' };
  const request = { query: { trace: '' }, body: { a: '' } };
  expect(used({ parameters, components }, request)).toEqual(['query.trace']);
  expect(used({ ofPath: parameters, components }, request)).toEqual(['query.trace']);
  expect(used({ requestBody, components }, request)).toEqual(['body.a']);
});

test('D-41 every operation of the interface is read from the spec', () => {
  const fields = (id: keyof typeof operations, body: unknown) =>
    [
      ...createUseReader(describeOperation(operations[id])).read({ body, query: {}, headers: {} }),
    ].map(({ field, value }) => `${field}${value}`);
  for (const { operationId } of Object.values(operations)) {
    expect(fields(operationId, {})).toEqual(['']);
  }
  expect(fields('getToken', { refreshToken: 'x' })).toEqual(['', 'body.refreshToken']);
  const body = { status: ['created', 'finished'], sort: 'status', limit: 5 };
  expect(fields('searchMandates', body).sort()).toEqual([
    ...['', 'body.limit', 'body.sort', 'body.sort"status"', 'body.status'],
    ...['body.status"created"', 'body.status"finished"'],
  ]);
});
