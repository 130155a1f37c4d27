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
const hook = (more: JsonObject) => {
  const post = { requestBody: types('application/json'), responses: { 200: {} }, ...more };
  return document({ webhooks: { event: { post } } });
};

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
    'explode of an object in a header': [
      header({ schema: object }),
      header({ schema: object, explode: true }),
    ],
    'another style of a part of a form': [form({}), form({ a: { explode: false } })],
    'another media type of a part called title': [
      form({ title: { contentType: 'text/plain' } }),
      form({ title: { contentType: 'image/png' } }),
    ],
    'another address to renew tokens': [
      flow({ refreshUrl: 'https://a.example.org' }),
      flow({ refreshUrl: 'https://b.example.org' }),
    ],
    'credentials of a request of the service': [
      hook({ security: [{ a: [] }] }),
      hook({ security: [] }),
    ],
    'media types in another order': [
      answering({ 200: types('text/csv', 'text/plain') }),
      answering({ 200: types('text/plain', 'text/csv') }),
    ],
    'a media type more, which nobody chooses': [
      hook({}),
      hook({ requestBody: types('application/json', 'text/csv') }),
    ],
    'one of all media types of a response, with another schema': [
      answering({ 200: types('*/*') }),
      answering({ 200: json(whole) }),
    ],
    'an error of a range, without its header': [
      answering({ 200: {}, '4XX': { headers: { X: {} } } }),
      answering({ 200: {}, 404: {} }),
    ],
    'a success in place of all responses': [
      answering({ 200: json(text) }),
      answering({ default: json(text) }),
    ],
  },
  minor: {
    'an empty value that is allowed': [parameter({}), parameter({ allowEmptyValue: true })],
    'an address to renew tokens, and a scope': [
      flow({}),
      flow({ refreshUrl: 'https://a.example.org', scopes: { a: 'A' } }),
    ],
    'a success that all responses were': [
      answering({ default: json(text) }),
      answering({ 200: json(text), default: json(text) }),
    ],
  },
  patch: {
    'reserved characters of a header': [header({}), header({ allowReserved: true })],
    'explode of a list in a header': [
      header({ schema: list }),
      header({ schema: list, explode: true }),
    ],
    'explode of deepObject': [
      parameter({ schema: object, style: 'deepObject' }),
      parameter({ schema: object, style: 'deepObject', explode: true }),
    ],
  },
  none: {
    'the default style, written': [
      returned({ X: { schema: text } }),
      returned({ X: { schema: text, style: 'simple', explode: false } }),
    ],
    'the case of the header of a key': [key({}), key({ name: 'x-key' })],
    'the case of a scheme of HTTP': [
      scheme({ type: 'http', scheme: 'bearer' }),
      scheme({ type: 'http', scheme: 'Bearer' }),
    ],
    'a header that OpenAPI ignores': [returned({ 'Content-Type': {} }), returned({})],
  },
};

testApis(cases);
