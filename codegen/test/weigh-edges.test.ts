import type { JsonObject } from '../src/document/json.js';
import { api, returning, taking } from './support/small-api.js';
import { reference, text, whole } from './support/small-schemas.js';
import { type ApiCases, testApis } from './support/weigh-cases.js';

type Api = ReturnType<typeof api>;

/** Returns an interface with these operations instead of `call`, by path. */
const paths = (
  operations: Readonly<Record<string, JsonObject>>,
  schemas: JsonObject = {},
  more: JsonObject = {},
) =>
  api({}, schemas, {
    paths: Object.fromEntries(Object.entries(operations).map(([path, get]) => [path, { get }])),
    ...more,
  });
const named = (name: string, schema: JsonObject = text) => ({
  operationId: name,
  ...returning(schema),
});
const requiring = (...schemes: string[]) =>
  api({ ...returning(text), security: schemes.map((scheme) => ({ [scheme]: [] })) });
const field = (schema: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties: { a: schema },
  ...more,
});
const form = (file: JsonObject) => {
  const content = { 'multipart/form-data': { schema: field(file) } };
  return api({ requestBody: { content } });
};
const image = (media: JsonObject) =>
  api({ responses: { 200: { content: { 'image/png': media } } } });
const alternatives = (...oneOf: JsonObject[]) => api(taking({ oneOf }));
const key = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
const keyed = (securitySchemes: JsonObject) =>
  api({ security: [{ key: [] }] }, {}, { components: { securitySchemes } });
const requests = (before: JsonObject, after: JsonObject): [Api, Api] => [
  api(taking(before)),
  api(taking(after)),
];

const cases: ApiCases = {
  major: {
    'a path that loses its parameter': [
      paths({ '/a/{id}': returning(text) }),
      paths({ '/a/': returning(text) }),
    ],
    'an operation that moves, beside others that are new and gone': [
      paths({ '/a': named('a'), '/b': named('b'), '/c': named('c') }),
      paths({ '/d': named('d'), '/e': named('b'), '/c': named('c') }),
    ],
    'several credentials in place of one': [requiring('a'), requiring('b', 'c')],
    'an encoding of a text that is new': requests(text, { ...text, contentEncoding: 'base64' }),
    'files of a form that are texts now': [
      form({ type: 'array', items: { ...text, format: 'binary' } }),
      form({ type: 'array', items: text }),
    ],
    'an alternative with a pattern that may start as another one': [
      alternatives({ ...text, pattern: '^ab*' }, whole),
      alternatives({ ...text, pattern: '^ab*' }, whole, { ...text, pattern: '^ac' }),
    ],
    'an alternative with a format that includes another one': [
      alternatives({ ...text, format: 'email' }, whole),
      alternatives({ ...text, format: 'email' }, whole, { ...text, format: 'idn-email' }),
    ],
    'components of one shape, in another order, and changed': [
      api(taking({ anyOf: [reference('A'), reference('B')] }), {
        A: field(text),
        B: field(whole),
      }),
      api(taking({ anyOf: [reference('B'), reference('A')] }), {
        A: field({ ...text, maxLength: 3 }),
        B: field({ ...whole, maximum: 3 }),
      }),
    ],
    'a credential that is declared and required from now on': [api({}), keyed(key)],
    'a credential that is required, but no longer declared': [keyed(key), keyed({})],
    'schemas nested more deeply than anybody writes': requests(
      Array.from({ length: 25 }).reduce<JsonObject>((inner) => field(inner), text),
      Array.from({ length: 25 }).reduce<JsonObject>((inner) => field(inner), whole),
    ),
  },
  minor: {
    'a limit that is one further, and excluded': requests(
      { ...whole, minimum: 5 },
      { ...whole, exclusiveMinimum: 4 },
    ),
    'an alternative with a format of its own': [
      alternatives({ ...text, format: 'email' }, whole),
      alternatives({ ...text, format: 'email' }, whole, { ...text, format: 'uuid' }),
    ],
    'a credential that is neither declared nor required any more': [keyed(key), api({})],
  },
  patch: {
    'bytes that are described': [
      image({ schema: { ...text, format: 'binary' } }),
      image({ schema: { description: 'A map.' } }),
    ],
    'a description of a component that refers to another one': [
      api(taking(reference('A')), { A: reference('B'), B: text }),
      api(taking(reference('A')), { A: { ...reference('B'), description: 'A.' }, B: text }),
    ],
    'a described call that may be repeated': [
      api({ 'x-idempotent': true }),
      api({ 'x-idempotent': true, summary: 'A call.' }),
    ],
  },
  none: {
    'another name of a parameter in a path without ids': [
      paths({ '/a/{thing}': returning(text), '/b/{thing}': returning(whole) }),
      paths({ '/b/{id}': returning(whole), '/a/{id}': returning(text) }),
    ],
    'an operation that gets an id': [paths({ '/a': returning(text) }), paths({ '/a': named('a') })],
    'a default beside null that is new': requests(
      { anyOf: [text, { type: 'null' }] },
      { anyOf: [text, { type: 'null', default: null, readOnly: false }] },
    ),
    'other fields of a component that allows everything': [
      api(taking({ type: 'object' })),
      api(taking({ type: 'object', additionalProperties: reference('Any') }), { Any: {} }),
    ],
    'bytes as 3.1 leaves them out': [image({ schema: { ...text, format: 'binary' } }), image({})],
    'the dialect that is usual': [
      api({}),
      api({}, {}, { jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base' }),
    ],
    'alternatives that become components, in another order': [
      api(taking({ anyOf: [field(text), field(whole, { required: ['a'] })] })),
      api(taking({ anyOf: [reference('Y'), reference('X')] }), {
        X: field(text),
        Y: field(whole, { required: ['a'] }),
      }),
    ],
    'a reference in an extension that leads nowhere': [
      api({}, {}, { 'x-topics': [{ $ref: './topics.md' }] }),
      api({}, {}, { 'x-topics': [{ $ref: './topics.md' }] }),
    ],
    'a reference in an extension that leads to an unchanged component': [
      api({}, { A: text, B: text }, { 'x-topics': [reference('A')] }),
      api({}, { A: text, B: whole }, { 'x-topics': [reference('A')] }),
    ],
  },
};

testApis(cases);
