import { expect, test } from 'vitest';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import type { JsonObject } from '../src/document/json.js';
import { api, returning, taking } from './support/small-api.js';
import { reference, text } from './support/small-schemas.js';
import { type ApiCases, testApis } from './support/weigh-cases.js';

const call = (more: JsonObject) => api({ ...returning(text), ...more });
const document = (more: JsonObject, operation: JsonObject = returning(text)) =>
  api(operation, {}, more);
const json = (schema: JsonObject, type = 'application/json') => ({
  content: { [type]: { schema } },
});
const answering = (response: JsonObject) => ({ responses: { 200: response } });
const parameter = (more: JsonObject) => ({ parameters: [{ name: 'a', in: 'query', ...more }] });

const credential = (token: JsonObject) => document({ components: { securitySchemes: { token } } });
const oauth = (scopes: JsonObject, more: JsonObject = {}) =>
  credential({
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://a.example.org', scopes, ...more } },
  });

/** A hook that sends `event`, and takes `answer` for it. */
const hook = (event: JsonObject, answer: JsonObject = {}, status = 200) => ({
  post: {
    operationId: 'onEvent',
    requestBody: { required: true, ...json(event) },
    responses: { [status]: json(answer) },
  },
});
const webhooks = (...hooks: Parameters<typeof hook>) =>
  document({ webhooks: { event: hook(...hooks) } });
const callbacks = (...hooks: Parameters<typeof hook>) =>
  call({ callbacks: { done: { '{$request.body#/url}': hook(...hooks) } } });
const event = (more: JsonObject) => ({ type: 'object', properties: { a: text, ...more } });

const item = (more: JsonObject) => ({
  paths: { '/call': { $ref: '#/components/pathItems/Call' } },
  components: {
    pathItems: { Call: { get: { operationId: 'call', ...returning(text) }, ...more } },
  },
});
const withItem = (more: JsonObject) => document(item(more));

const pet = { type: 'object', required: ['kind'], properties: { kind: text } };
const pets = (discriminator: JsonObject, cat: JsonObject, name = 'Cat', more: JsonObject = {}) =>
  api(returning({ type: 'array', items: reference('Pet') }), {
    Pet: { ...pet, discriminator: { propertyName: 'kind', ...discriminator } },
    [name]: { allOf: [reference('Pet'), { type: 'object', properties: { lives: cat } }] },
    ...more,
  });
const lions = (mane: JsonObject) =>
  api(returning(reference('Pet')), {
    Pet: { ...pet, discriminator: { propertyName: 'kind' } },
    Cat: { allOf: [reference('Pet')] },
    Lion: { allOf: [reference('Cat'), { properties: { mane } }] },
  });
const heir = (lives: JsonObject) =>
  api(returning(reference('Pet')), {
    Pet: { ...pet, discriminator: { propertyName: 'kind' } },
    Cat: { ...reference('Pet'), properties: { lives } },
  });
const mapped = { mapping: { cat: '#/components/schemas/Cat' } };

const tagged = (...tags: string[]) => call({ tags });
const link = (more: JsonObject) =>
  api(answering({ ...json(text), links: { next: { operationId: 'call', ...more } } }));
const dynamic = (kind: string) =>
  api(returning({ $dynamicRef: '#node' }), { Node: { $dynamicAnchor: 'node', type: kind } });
const encoded = (more: JsonObject) =>
  api({
    requestBody: { content: { 'multipart/form-data': { schema: {}, encoding: { a: more } } } },
  });

const cases: ApiCases = {
  major: {
    'servers of an operation that are others': [
      document({ servers: [{ url: '/b' }] }),
      document({ servers: [{ url: '/b' }] }, { ...returning(text), servers: [{ url: '/c' }] }),
    ],
    'the first tag, after which the client names its method': [tagged('a'), tagged('b')],
    'a first tag, where there was none': [tagged(), tagged('a')],
    'an operation of a path item elsewhere': [
      withItem({ delete: { operationId: 'end', ...returning(text) } }),
      withItem({}),
    ],
    'a parameter of a path item elsewhere': [
      withItem({}),
      withItem({ parameters: [{ name: 'a', in: 'query', required: true, schema: text }] }),
    ],
    'a subtype that a mapping leads to': [pets(mapped, { type: 'integer' }), pets(mapped, text)],
    'a subtype that the names lead to': [pets({}, { type: 'integer' }), pets({}, text)],
    'a subtype of a subtype': [lions({ type: 'integer' }), lions(text)],
    'a subtype that adds to a reference': [heir(text), heir({ type: 'integer' })],
    'a subtype with another name, which is its value': [pets({}, text), pets({}, text, 'Kitten')],
    'a mapping for a subtype more': [
      pets(mapped, text),
      pets({ mapping: { ...mapped.mapping, lion: '#/components/schemas/Cat' } }, text),
    ],
    'a schema behind a dynamic reference': [dynamic('string'), dynamic('integer')],
    'no webhook': [webhooks(event({})), document({})],
    'a field of an event that is gone': [webhooks(event({ b: text })), webhooks(event({}))],
    'a field that an answer to an event needs': [
      webhooks(event({}), event({})),
      webhooks(event({}), { ...event({}), required: ['a'] }),
    ],
    'another answer to an event': [webhooks(event({})), webhooks(event({}), {}, 202)],
    'no callback': [callbacks(event({})), call({})],
    'a field of a callback that is gone': [callbacks(event({ b: text })), callbacks(event({}))],
    'no link': [link({}), api(answering(json(text)))],
    'another link': [link({}), link({ parameters: { a: '$response.body#/a' } })],
    'a scope that is gone': [oauth({ read: 'Reads', write: 'W' }), oauth({ read: 'Reads' })],
    'another address for tokens': [
      oauth({ read: 'Reads' }),
      oauth({ read: 'Reads' }, { tokenUrl: 'https://b.example.org' }),
    ],
    'a value that two exclusive alternatives have': [
      api(taking(text)),
      api(taking({ oneOf: [text, { type: 'string', enum: ['a'] }] })),
    ],
    'the order of a list in a value': [
      api(taking({ default: { type: ['b', 'a'] } })),
      api(taking({ default: { type: ['a', 'b'] } })),
    ],
    'another charset': [
      api(answering(json(text, 'text/plain;charset=utf-8'))),
      api(answering(json(text, 'text/plain;charset=latin1'))),
    ],
    'a limit of a parameter with a media type': [
      call(parameter(json(text))),
      call(parameter(json({ ...text, maxLength: 3 }))),
    ],
    'another default of a variable called x-host': [
      call({ servers: [{ url: 'https://{x-host}', variables: { 'x-host': { default: 'a' } } }] }),
      call({ servers: [{ url: 'https://{x-host}', variables: { 'x-host': { default: 'b' } } }] }),
    ],
    'another default of a variable in the server of a link': [
      link({ server: { url: '{title}', variables: { title: { default: 'a' } } } }),
      link({ server: { url: '{title}', variables: { title: { default: 'b' } } } }),
    ],
    'an operationId that is gone': [call({}), document({ paths: { '/call': { post: {} } } })],
  },
  minor: {
    'a webhook': [document({}), webhooks(event({}))],
    'a field of an event': [webhooks(event({})), webhooks(event({ b: text }))],
    'a callback': [call({}), callbacks(event({}))],
    'a link': [api(answering(json(text))), link({})],
    'a scope': [oauth({ read: 'Reads' }), oauth({ read: 'Reads', write: 'Writes' })],
    'another way to a token': [
      credential({ type: 'oauth2', flows: {} }),
      credential({
        type: 'oauth2',
        flows: { implicit: { authorizationUrl: 'https://a.example.org', scopes: {} } },
      }),
    ],
  },
  patch: {
    'a first tag that makes the same name': [tagged('things'), tagged('Things')],
    'the first tag of a method that is named': [
      call({ tags: ['a'], 'x-client-method': 'a.call' }),
      call({ tags: ['b'], 'x-client-method': 'a.call' }),
    ],
    'groups of tags': [
      document({ 'x-tagGroups': [{ name: 'A', tags: ['a'] }] }),
      document({ 'x-tagGroups': [{ name: 'B', tags: ['a'] }] }),
    ],
    'the summary of a path': [
      withItem({}),
      withItem({ summary: 'A path', description: 'A.', 'x-note': 'B.' }),
    ],
    'a subtype that is described': [
      pets(mapped, text),
      pets(mapped, { ...text, description: 'A.' }),
    ],
    'a limit of an event': [
      webhooks(event({ b: text })),
      webhooks(event({ b: { ...text, maxLength: 3 } })),
    ],
    'a described event': [webhooks(event({})), webhooks({ ...event({}), description: 'A.' })],
    'a limit of a callback': [
      callbacks(event({ b: text })),
      callbacks(event({ b: { ...text, maxLength: 3 } })),
    ],
    'a described link': [link({}), link({ description: 'A.' })],
    'a described scope': [oauth({ read: 'Reads' }), oauth({ read: 'Reads all' })],
    'a described credential': [
      credential({ type: 'http', scheme: 'bearer' }),
      credential({ type: 'http', scheme: 'bearer', description: 'A.', 'x-note': 'B.' }),
    ],
    'a described parameter with a media type': [
      call(parameter(json(text))),
      call(parameter(json({ ...text, description: 'A.' }))),
    ],
    'a described encoding of a part': [
      encoded({ contentType: 'image/png' }),
      encoded({ contentType: 'image/png', 'x-note': 'A.' }),
    ],
    'described servers of an operation': [
      call({ servers: [{ url: 'https://a.example.org' }] }),
      call({ servers: [{ url: 'https://a.example.org', description: 'A.' }] }),
    ],
  },
  none: {
    'servers of an operation that are those of the interface': [
      document({ servers: [{ url: '/b' }] }),
      document({ servers: [{ url: '/b' }] }, { ...returning(text), servers: [{ url: '/b' }] }),
    ],
    'a name of a method that says what the first tag said': [
      tagged('a'),
      call({ tags: ['a'], 'x-client-method': 'a.call' }),
    ],
    'an extension without a value': [call({ 'x-note': null }), call({ 'x-note': null })],
    'a path item that moves to the components': [
      document({ paths: { '/call': { get: { operationId: 'call', ...returning(text) } } } }),
      withItem({}),
    ],
    'a schema with a part that has a mapping': [
      pets(mapped, text),
      pets(mapped, text, 'Cat', { Kennel: { allOf: [reference('Pet'), { title: 'A kennel' }] } }),
    ],
    'a mapping to a name': [pets(mapped, text), pets({ mapping: { cat: 'Cat' } }, text)],
    'the charset of a media type': [
      api({ requestBody: json(text) }),
      api({ requestBody: json(text, 'application/json; charset=utf-8') }),
    ],
    'the charset of a response, in quotes': [
      api(answering(json(text, 'text/plain;charset=UTF-8'))),
      api(answering(json(text, 'Text/Plain; charset="utf-8"'))),
    ],
    'a parameter that is not deprecated, written': [
      call(parameter({ schema: text, deprecated: false })),
      call(parameter({ schema: text })),
    ],
  },
};

testApis(cases);

test('D-40 another credential concerns the operations that accept it', () => {
  const get = { operationId: 'open' };
  const post = { operationId: 'closed', security: [{ key: [] }] };
  const spec = (name: string) =>
    document({
      paths: { '/call': { get, post } },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name } } },
    });
  expect(compareSpecs(spec('a'), spec('b'))).toMatchObject([{ uses: [{ operation: 'closed' }] }]);
});
