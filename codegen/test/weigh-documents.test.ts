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

const cases: ApiCases = {
  major: {
    'the first tag, after which the client names its method': [tagged('a'), tagged('b')],
    'a parameter of a path item elsewhere': [
      withItem({}),
      withItem({ parameters: [{ name: 'a', in: 'query', required: true, schema: text }] }),
    ],
    'a subtype that the names lead to': [pets({}, { type: 'integer' }), pets({}, text)],
    'a subtype of a subtype': [lions({ type: 'integer' }), lions(text)],
    'a subtype that adds to a reference': [heir(text), heir({ type: 'integer' })],
    'a subtype with another name, which is its value': [pets({}, text), pets({}, text, 'Kitten')],
    'a schema behind a dynamic reference': [dynamic('string'), dynamic('integer')],
    'a field that an answer to an event needs': [
      webhooks(event({}), event({})),
      webhooks(event({}), { ...event({}), required: ['a'] }),
    ],
    'no callback': [callbacks(event({})), call({})],
    'another address for tokens': [
      oauth({ read: 'Reads' }),
      oauth({ read: 'Reads' }, { tokenUrl: 'https://b.example.org' }),
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
    'an operationId that is gone': [call({}), document({ paths: { '/call': { post: {} } } })],
  },
  minor: {
    'a callback': [call({}), callbacks(event({}))],
    'another way to a token': [
      credential({ type: 'oauth2', flows: {} }),
      credential({
        type: 'oauth2',
        flows: { implicit: { authorizationUrl: 'https://a.example.org', scopes: {} } },
      }),
    ],
  },
  patch: {
    'the first tag of a method that is named': [
      call({ tags: ['a'], 'x-client-method': 'a.call' }),
      call({ tags: ['b'], 'x-client-method': 'a.call' }),
    ],
    'a limit of a callback': [
      callbacks(event({ b: text })),
      callbacks(event({ b: { ...text, maxLength: 3 } })),
    ],
    'a described link': [link({}), link({ description: 'A.' })],
    'a described scope': [oauth({ read: 'Reads' }), oauth({ read: 'Reads all' })],
  },
  none: {
    'servers of an operation that are those of the interface': [
      document({ servers: [{ url: '/b' }] }),
      document({ servers: [{ url: '/b' }] }, { ...returning(text), servers: [{ url: '/b' }] }),
    ],
    'an extension without a value': [call({ 'x-note': null }), call({ 'x-note': null })],
    'a schema with a part that has a mapping': [
      pets(mapped, text),
      pets(mapped, text, 'Cat', { Kennel: { allOf: [reference('Pet'), { title: 'A kennel' }] } }),
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
