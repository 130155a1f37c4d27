import type { JsonObject } from '../src/document/json.js';
import { api } from './support/small-api.js';
import { text, whole } from './support/small-schemas.js';
import { type ApiCases, testApis } from './support/weigh-cases.js';

const list = { type: 'array', items: text };
const object = { type: 'object' };
const document = (more: JsonObject) => api({}, {}, more);
const parameter = (more: JsonObject) =>
  api({ parameters: [{ name: 'a', in: 'query', schema: text, ...more }] });
const header = (more: JsonObject) => parameter({ in: 'header', ...more });
const json = (schema: JsonObject) => ({ content: { 'application/json': { schema } } });
const types = (...names: string[]) => ({
  content: Object.fromEntries(names.map((name) => [name, { schema: text }])),
});
const answering = (responses: JsonObject) => api({ responses });
const returned = (headers: JsonObject) => answering({ 200: { headers } });
const form = (encoding: JsonObject) =>
  api({
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', properties: { a: list, title: text } },
          encoding,
        },
      },
    },
  });
const scheme = (key: JsonObject) => document({ components: { securitySchemes: { key } } });
const key = (more: JsonObject) => scheme({ type: 'apiKey', in: 'header', name: 'X-Key', ...more });
const flow = (more: JsonObject) =>
  scheme({
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://a.example.org', scopes: {}, ...more } },
  });
const secured = (...security: JsonObject[]) => api({ security });
const server = (host: JsonObject) =>
  document({
    servers: [{ url: 'https://{host}', variables: { host: { default: 'a', ...host } } }],
  });
const hook = (more: JsonObject) => {
  const post = { requestBody: types('application/json'), responses: { 200: {} }, ...more };
  return document({ webhooks: { event: { post } } });
};
const link = (title: string) =>
  answering({ 200: { links: { next: { operationId: 'call', parameters: { title } } } } });

const cases: ApiCases = {
  major: {
    'reserved characters that are no longer allowed': [
      parameter({ allowReserved: true }),
      parameter({}),
    ],
    'reserved characters in a request of the service': [
      hook({ parameters: [{ name: 'a', in: 'query', schema: text }] }),
      hook({ parameters: [{ name: 'a', in: 'query', schema: text, allowReserved: true }] }),
    ],
    'an empty value that is no longer allowed': [
      parameter({ allowEmptyValue: true }),
      parameter({ allowEmptyValue: false }),
    ],
    'a schema, where there was none': [
      api({ parameters: [{ name: 'a', in: 'query' }] }),
      parameter({}),
    ],
    'explode of a list': [parameter({ schema: list }), parameter({ schema: list, explode: false })],
    'explode of what may be a list': [
      parameter({ schema: {} }),
      parameter({ schema: {}, explode: false }),
    ],
    'explode of a text that becomes a list': [
      parameter({ schema: { anyOf: [text, list] } }),
      parameter({ schema: { anyOf: [text, list] }, explode: false }),
    ],
    'explode of an object in a header': [
      header({ schema: object }),
      header({ schema: object, explode: true }),
    ],
    'another style of a part of a form': [form({}), form({ a: { explode: false } })],
    'another media type of a part called title': [
      form({ title: { contentType: 'text/plain' } }),
      form({ title: { contentType: 'image/png' } }),
    ],
    'a parameter of a link called title': [link('$request.body#/a'), link('$url')],
    'the case of the parameter of a key': [
      key({ in: 'query' }),
      key({ in: 'query', name: 'x-key' }),
    ],
    'another header of a key': [key({}), key({ name: 'X-Api-Key' })],
    'another address to renew tokens': [
      flow({ refreshUrl: 'https://a.example.org' }),
      flow({ refreshUrl: 'https://b.example.org' }),
    ],
    'no address to renew tokens': [flow({ refreshUrl: 'https://a.example.org' }), flow({})],
    'a server that is limited to some hosts': [server({}), server({ enum: ['a', 'b'] })],
    'no longer anybody, beside credentials': [secured({ a: [] }, {}), secured({ a: [] })],
    'no longer anybody, because nothing is written': [
      api({ security: [] }, {}, { security: [{ a: [] }] }),
      document({ security: [{ a: [] }] }),
    ],
    'credentials of a request of the service': [
      hook({ security: [{ a: [] }] }),
      hook({ security: [] }),
    ],
    'a header that responses need not have': [
      returned({ X: { required: true } }),
      returned({ X: {} }),
    ],
    'a media type less': [
      answering({ 200: types('application/json', 'text/csv') }),
      answering({ 200: types('application/json') }),
    ],
    'a media type more, which callers get that ask for none': [
      answering({ 200: types('text/csv') }),
      answering({ 200: types('text/csv', 'application/json') }),
    ],
    'media types in another order': [
      answering({ 200: types('text/csv', 'text/plain') }),
      answering({ 200: types('text/plain', 'text/csv') }),
    ],
    'a media type more, which nobody chooses': [
      hook({}),
      hook({ requestBody: types('application/json', 'text/csv') }),
    ],
    'one of a range of media types': [
      api({ requestBody: types('application/*') }),
      api({ requestBody: types('application/json') }),
    ],
    'one of all media types of a response, with another schema': [
      answering({ 200: types('*/*') }),
      answering({ 200: json(whole) }),
    ],
    'an error of a range, without its header': [
      answering({ 200: {}, '4XX': { headers: { X: {} } } }),
      answering({ 200: {}, 404: {} }),
    ],
    'a range of errors with another schema': [
      answering({ 200: {}, 404: json(text) }),
      answering({ 200: {}, '4XX': json(whole) }),
    ],
    'an error that is one of all, with another schema': [
      answering({ 200: {}, 404: json(text), default: json(whole) }),
      answering({ 200: {}, default: json(whole) }),
    ],
    'another schema of all other errors': [
      answering({ 200: {}, default: json(text) }),
      answering({ 200: {}, default: json(whole) }),
    ],
    'one of a range of successes, with another schema': [
      answering({ '2XX': json(text) }),
      answering({ 200: json(whole) }),
    ],
    'a range of successes': [answering({ 200: json(text) }), answering({ '2XX': json(text) })],
    'a success in place of all responses': [
      answering({ 200: json(text) }),
      answering({ default: json(text) }),
    ],
  },
  minor: {
    'reserved characters that are allowed': [parameter({}), parameter({ allowReserved: true })],
    'an empty value that is allowed': [parameter({}), parameter({ allowEmptyValue: true })],
    'an address to renew tokens, and a scope': [
      flow({}),
      flow({ refreshUrl: 'https://a.example.org', scopes: { a: 'A' } }),
    ],
    'a deprecated header': [returned({ X: {} }), returned({ X: { deprecated: true } })],
    'a server of any host': [server({ enum: ['a', 'b'] }), server({})],
    'anybody, beside credentials': [secured({ a: [] }), secured({ a: [] }, {})],
    'a media type more': [
      answering({ 200: types('application/json') }),
      answering({ 200: types('application/json', 'text/csv') }),
    ],
    'a range of media types': [
      api({ requestBody: types('application/json') }),
      api({ requestBody: types('application/*') }),
    ],
    'an error of a range': [
      answering({ 200: {}, '4XX': json(text) }),
      answering({ 200: {}, 404: json(text) }),
    ],
    'a range of errors': [
      answering({ 200: {}, 404: json(text) }),
      answering({ 200: {}, '4XX': json(text) }),
    ],
    'one of a range of successes': [
      answering({ '2XX': json(text) }),
      answering({ 200: json(text) }),
    ],
    'a success that all responses were': [
      answering({ default: json(text) }),
      answering({ 200: json(text), default: json(text) }),
    ],
  },
  patch: {
    'reserved characters of a header': [header({}), header({ allowReserved: true })],
    'explode of a text': [parameter({}), parameter({ explode: false })],
    'explode of a list in a header': [
      header({ schema: list }),
      header({ schema: list, explode: true }),
    ],
    'explode of deepObject': [
      parameter({ schema: object, style: 'deepObject' }),
      parameter({ schema: object, style: 'deepObject', explode: true }),
    ],
    'a header that is no longer deprecated': [
      returned({ X: { deprecated: true } }),
      returned({ X: { deprecated: false } }),
    ],
    'a described host': [server({}), server({ description: 'A.' })],
    'a header that all responses have': [returned({ X: {} }), returned({ X: { required: true } })],
    'one of all media types of a response': [
      answering({ 200: types('*/*') }),
      answering({ 200: types('application/json') }),
    ],
    'an error that is one of all': [
      answering({ 200: {}, 404: json(text), default: json(text) }),
      answering({ 200: {}, default: json(text) }),
    ],
    'no other errors': [answering({ 200: {}, default: json(text) }), answering({ 200: {} })],
  },
  none: {
    'the default style, written': [
      returned({ X: { schema: text } }),
      returned({ X: { schema: text, style: 'simple', explode: false } }),
    ],
    'the default style of a part of a form, written': [
      form({}),
      form({ a: { style: 'form', explode: true } }),
    ],
    'the case of the header of a key': [key({}), key({ name: 'x-key' })],
    'the case of a scheme of HTTP': [
      scheme({ type: 'http', scheme: 'bearer' }),
      scheme({ type: 'http', scheme: 'Bearer' }),
    ],
    'hosts in another order': [server({ enum: ['a', 'b'] }), server({ enum: ['b', 'a'] })],
    'credentials in another order': [
      secured({ a: ['x', 'y'], b: [] }, {}),
      secured({}, { b: [], a: ['y', 'x'] }),
    ],
    'anybody, written': [api({ security: [] }), secured({})],
    'a header that OpenAPI ignores': [returned({ 'Content-Type': {} }), returned({})],
    'JSON in another place of the media types': [
      answering({ 200: types('text/csv', 'application/json') }),
      answering({ 200: types('application/json', 'text/csv') }),
    ],
  },
};

testApis(cases);
