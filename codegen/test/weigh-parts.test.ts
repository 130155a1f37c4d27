import type { JsonObject } from '../src/document/json.js';
import { api } from './support/small-api.js';
import { limited, text, whole } from './support/small-schemas.js';
import { type ApiCases, testApis } from './support/weigh-cases.js';

const list = { type: 'array', items: text };
const binary = { ...text, format: 'binary' };
const document = (more: JsonObject) => api({}, {}, more);
const parameters = (...list: JsonObject[]) =>
  api({ parameters: list.map((each) => ({ in: 'query', schema: text, ...each })) });
const parameter = (more: JsonObject) => parameters({ name: 'a', ...more });
const content = (schemas: JsonObject) => ({
  content: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { schema }])),
});
const taking = (schemas: JsonObject, more: JsonObject = {}) =>
  api({ requestBody: { ...content(schemas), ...more } });
const returning = (schemas: JsonObject, status = 200) =>
  api({ responses: { [status]: content(schemas) } });
const json = (schema: JsonObject, more: JsonObject = {}) =>
  taking({ 'application/json': schema }, more);
const form = (media: JsonObject, type = 'multipart/form-data') =>
  api({ requestBody: { content: { [type]: media } } });
const urlencoded = (encoding: JsonObject) =>
  form(
    { schema: { type: 'object', properties: { a: list, title: text } }, encoding },
    'application/x-www-form-urlencoded',
  );
const image = (schema: JsonObject) => returning({ 'image/png': schema });
const fields = (a: JsonObject) => ({ type: 'object', properties: { a } });
const returned = (headers: JsonObject) => api({ responses: { 200: { headers } } });
const at = (path: string, ...names: string[]) => {
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: text }));
  return document({ paths: { [path]: { get: { operationId: 'call', parameters } } } });
};
/** Two operations with one response. */
const shared = (headers: JsonObject, name = 'Done') => {
  const operation = { responses: { 200: { $ref: `#/components/responses/${name}` } } };
  return document({
    paths: { '/call': { get: operation, put: operation } },
    components: { responses: { [name]: { headers } } },
  });
};
const discriminated = (propertyName: string) => ({
  requestBody: content({ 'application/json': { discriminator: { propertyName } } }),
});
/** A response of a schema that refers to `X`, beside a success. */
const answering = (schema: JsonObject, X: JsonObject, status = '201') =>
  api({ responses: { 200: {}, [status]: content({ 'application/json': schema }) } }, { X });
const x = { $ref: '#/components/schemas/X' };
const coded = (...values: string[]) => ({ properties: { error: { enum: values }, a: x } });
const key = { type: 'apiKey', in: 'header', name: 'X-Key' };

const cases: ApiCases = {
  major: {
    'explode of a text that becomes a list': [
      parameter({ schema: text }),
      parameter({ schema: list, explode: false }),
    ],
    'a form that gets a schema': [form({}), form({ schema: fields(text) })],
    'a form that loses its schema': [form({ schema: fields(text) }), form({})],
    'the limit of a parameter that all calls have': [
      parameter({ required: true }),
      parameter({ required: true, schema: limited }),
    ],
    'a parameter that is required': [parameter({}), parameter({ required: true })],
    'the limit of one of several parameters': [
      parameters({ name: 'a' }, { name: 'A' }, { name: 'b' }),
      parameters({ name: 'a', schema: limited }, { name: 'A' }, { name: 'b' }),
    ],
    'another name of one of several parameters of the path': [
      at('/{a}/{b}', 'b', 'a'),
      at('/{a}/{c}', 'c', 'a'),
    ],
    'a body that is required': [json(text), json(text, { required: true })],
    'no body': [json(text), api({})],
    'a range of successes that becomes another response': [
      api({ responses: { '2XX': {} } }),
      api({ responses: { 302: {} } }),
    ],
    'calls that may no longer be repeated': [
      api({ 'x-idempotent': true }),
      api({ 'x-idempotent': false }),
    ],
    "a name of the client's method that is gone": [
      api({ tags: ['a'], 'x-client-method': 'a.other' }),
      api({ tags: ['a'] }),
    ],
    "another name of the client's method and of the operation": [
      api({ tags: ['a'], 'x-client-method': 'a.call' }),
      api({ tags: ['a'], operationId: 'other', 'x-client-method': 'a.other' }),
    ],
    'servers of a path': [
      document({ servers: [{ url: '/b' }], paths: { '/call': { post: {} } } }),
      document({
        servers: [{ url: '/b' }],
        paths: { '/call': { servers: [{ url: '/c' }], post: {} } },
      }),
    ],
    'a discriminator, where there are no components': [
      document({ components: {}, paths: { '/call': { post: discriminated('a') } } }),
      document({ components: {}, paths: { '/call': { post: discriminated('b') } } }),
    ],
    'a component outside and inside of a schema that must not match': [
      answering({ properties: { a: x, b: { not: x } } }, text),
      answering({ properties: { a: x, b: { not: x } } }, limited),
    ],
    'a component that is an error, and a field of an error': [
      answering(x, coded('a'), '400'),
      answering(x, coded('a', 'b'), '400'),
    ],
    'a dialect instead of the usual one': [
      document({ jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base' }),
      document({ jsonSchemaDialect: 'http://json-schema.org/draft-07/schema' }),
    ],
    'one of several responses': [
      api({ responses: { 200: {}, 204: {} } }),
      api({ responses: { 200: {} } }),
    ],
  },
  minor: {
    'a file in JSON that is a text now': [json(fields(binary)), json(fields(text))],
    'a media type that starts as a range': [
      returning({ 'text/*': whole }),
      returning({ 'text/*': whole, 'texts/a': text }),
    ],
    'a header of a response that is new and required': [
      returned({}),
      returned({ X: { required: true } }),
    ],
    'a body': [api({}), json(text)],
    'a response of several operations, with another header': [
      shared({ X: {} }),
      shared({ X: {}, Y: {} }),
    ],
    'another response of several operations': [
      shared({ X: {} }, 'Done'),
      shared({ X: {}, Y: {} }, 'Other'),
    ],
    'a range of successes that becomes one of them, beside an error': [
      api({ responses: { '2XX': {}, 404: {} } }),
      api({ responses: { 200: {}, 404: {} } }),
    ],
  },
  patch: {
    'examples that are new': [parameter({}), parameter({ examples: { a: { value: 1 } } })],
    'examples that are gone': [parameter({ examples: { a: { value: 1 } } }), parameter({})],
    'another link to more documentation': [
      api({ externalDocs: { url: 'https://a' } }),
      api({ externalDocs: { url: 'https://b' } }),
    ],
    'a parameter that is no longer deprecated, since nothing is written': [
      parameter({ deprecated: true }),
      parameter({}),
    ],
    'explode of a text in a form': [urlencoded({}), urlencoded({ title: { explode: false } })],
    'an example of a body': [
      form({ schema: fields(text) }),
      form({ schema: fields(text), example: { a: 'b' } }),
    ],
    'bytes instead of a text': [image(text), image(binary)],
    'bytes of a limited number': [image(binary), image({ ...binary, maxLength: 9 })],
    'a description of a body': [json(text), json(text, { description: 'A.' })],
    'another first tag of an operation without an id': [
      document({ paths: { '/call': { post: { tags: ['a'] } } } }),
      document({ paths: { '/call': { post: { tags: ['b'] } } } }),
    ],
    'a title and a version': [
      document({ info: { title: 'A', version: '1', contact: { name: 'B' } } }),
      document({ info: { title: 'B', version: '2' } }),
    ],
    'a described tag': [
      document({ tags: [{ name: 'a' }, { name: 'b' }] }),
      document({ tags: [{ name: 'b', description: 'B.' }, { name: 'a' }] }),
    ],
  },
  none: {
    'an example that moves to the components': [
      parameter({ examples: { a: { value: 1 } } }),
      api(
        {
          parameters: [
            {
              name: 'a',
              in: 'query',
              schema: text,
              examples: { a: { $ref: '#/components/examples/A' } },
            },
          ],
        },
        {},
        { components: { examples: { A: { value: 1 } } } },
      ),
    ],
    'a credential that was a reference': [
      document({
        components: {
          securitySchemes: { key: { $ref: '#/components/securitySchemes/other' }, other: key },
        },
      }),
      document({ components: { securitySchemes: { key, other: key } } }),
    ],
    'a media type that a range describes more closely than another one': [
      returning({ '*/*': whole, 'text/*': text }),
      returning({ '*/*': whole, 'text/*': text, 'text/csv': text }),
    ],
    'media types of a request in another order': [
      taking({ 'text/csv': text, 'text/plain': text }),
      taking({ 'text/plain': text, 'text/csv': text }),
    ],
    'the media type of bytes, written twice': [
      image({ ...binary, contentMediaType: 'image/png' }),
      image(binary),
    ],
    'the charset in its short form': [
      returning({ 'text/plain': text }),
      returning({ 'text/plain;charset=utf8': text }),
    ],
    'no scope and no token of a person': [
      api({}),
      api({ 'x-no-scope': true, 'x-no-id-token': true }),
    ],
  },
};

testApis(cases);
