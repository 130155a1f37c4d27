import { expect, test } from 'vitest';
import type { JsonObject } from '../src/document/json.js';
import { api, changes, type Edited, reported, returning, taking } from './support/small-api.js';
import { reference, text } from './support/small-schemas.js';

const field = (schema: JsonObject) => ({ properties: { a: schema } });

const kind = { propertyName: 'kind' };
const mapping = { Cat: '#/components/schemas/Cat' };

/** One of the pets, told apart by `kind`. */
const pet = (...names: string[]) => ({
  oneOf: names.map(reference),
  discriminator: {
    propertyName: 'kind',
    mapping: Object.fromEntries(names.map((name) => [name.toLowerCase(), reference(name).$ref])),
  },
});
const pets = { Cat: {}, Dog: { type: 'object' }, Fish: { minProperties: 1 } };
const all = (...parts: JsonObject[]) => ({ allOf: [reference('Base'), ...parts] });
const base = { Base: field(text) };
const returningDefault = (schema: JsonObject, others: JsonObject = {}) => ({
  responses: { default: { content: { 'application/json': { schema } } }, ...others },
});
const failing = (schema: JsonObject) => returningDefault(schema, { 200: {} });
const parameter = (more: JsonObject) => ({ parameters: [{ name: 'a', in: 'query', ...more }] });
const returningHeader = (header: JsonObject, status = 200) => ({
  responses: { [status]: { headers: { X: header } } },
});
/** Two of each keyword that a schema has once. */
const parts = ['a', 'b'].flatMap((name) => [
  { pattern: name },
  { not: { required: [name] } },
  { oneOf: [{ required: [name] }, { minProperties: 2, required: [`${name}2`] }] },
]);
const error = (schema: JsonObject) => ({ properties: { error: schema } });
const bearer = (more: JsonObject) => ({
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', ...more } } },
});
const servers = (...urls: string[]) => ({ servers: urls.map((url) => ({ url })) });
const server = (variable: JsonObject) => ({
  servers: [{ url: 'https://{host}', variables: { host: { default: 'a', ...variable } } }],
});

const cases: Readonly<Record<string, Edited>> = {
  'a response without an alternative, and without its value': [
    api(returning(pet('Cat', 'Dog', 'Fish')), pets),
    api(returning(pet('Cat', 'Dog')), pets),
    'patch The `discriminator` of `call 200` changes.',
    'patch `call 200` loses the alternative `Fish`.',
  ],
  'a mapping that says what the names say': [
    api(returning({ oneOf: [reference('Cat')], discriminator: kind }), pets),
    api(returning({ oneOf: [reference('Cat')], discriminator: { ...kind, mapping } }), pets),
  ],
  'a request without one of its parts': [
    api(taking(all({ properties: { b: text } }, {})), base),
    api(taking(all({})), base),
    'major `call body.b` is removed.',
  ],
  'a response with another part': [
    api(returning(all({})), base),
    api(returning(all({}, { properties: { b: text } })), base),
    'minor `call 200.b` is new.',
  ],
  'a field that is written and no longer only read, and required': [
    api(taking({ required: ['a'], ...field({ ...text, readOnly: true }) })),
    api(taking({ required: ['a'], ...field(text) })),
    'major `call body.a` is no longer `readOnly`, and is required.',
  ],
  'a field of a response that is now only written': [
    api(returning(field(text))),
    api(returning(field({ ...text, writeOnly: true }))),
    'major `call 200.a` is now `writeOnly`.',
  ],
  'a value of an error that is no code': [
    api(failing(field({ enum: ['low'] }))),
    api(failing(field({ enum: ['low', 'high'] }))),
    'major `call default.a` gains the value `high`.',
  ],
  'a code of an error': [
    api(failing(error({ enum: ['low'] }))),
    api(failing(error({ enum: ['low', 'high'] }))),
    'minor `call default.error` gains the value `high`.',
  ],
  'a response of any status that was the only one': [
    api(returningDefault({})),
    api({ responses: { 404: {} } }),
    'major Response `default` is removed.',
    'minor Response `404` is new.',
  ],
  'a range of errors': [
    api({ responses: { 200: {}, '4XX': {} } }),
    api({ responses: { 200: {}, '5XX': {} } }),
    'minor Response `5XX` is new.',
    'patch Response `4XX` is removed.',
  ],
  'a parameter in another place': [
    api(parameter({})),
    api(parameter({ in: 'header' })),
    'major Parameter `query.a` is removed.',
    'minor Parameter `header.a` is new.',
  ],
  'a header of a response with another type': [
    api(returningHeader({ schema: text })),
    api(returningHeader({ schema: { type: 'integer' } })),
    'major The `type` of `header X` goes from `string` to `integer`.',
  ],
  'a header that errors need not have': [
    api(returningHeader({ required: true }, 400)),
    api(returningHeader({}, 400)),
    'major `header X` is no longer required.',
  ],
  'two credentials at once instead of either': [
    api({ security: [{ key: [] }, { token: [] }] }),
    api({ security: [{ key: [], token: [] }] }),
    'major `call` now requires `token`.',
  ],
  'a credential that is sent in another way': [
    api({}, {}, bearer({})),
    api({}, {}, bearer({ scheme: 'basic' })),
    'major The `scheme` of the credential `token` changes.',
  ],
  'a credential with a hint for people': [
    api({}, {}, bearer({})),
    api({}, {}, bearer({ bearerFormat: 'JWT' })),
    'patch The `bearerFormat` of the credential `token` is new.',
  ],
  'a field of a map that becomes another one than the others': [
    api(returning({ additionalProperties: { type: 'integer' } })),
    api(returning({ additionalProperties: { type: 'integer' }, properties: { a: text } })),
    'major The `type` of `call 200.a` goes from `integer` to `string`.',
    'minor `call 200.a` is new.',
  ],
  'types that exclude each other': [
    api(taking({ anyOf: [{ type: 'number' }, { type: 'integer' }] })),
    api(taking({ oneOf: [{ type: 'number' }, { type: 'integer' }] })),
    'major `call body` gains the alternative `oneOf[1]`, which may have values of another one.',
  ],
  'alternatives beside other keywords': [
    api(taking({ type: 'object', anyOf: parts })),
    api(taking({ type: 'object' })),
    'minor `call body` no longer has `anyOf`.',
  ],
  'other fields that are described': [
    api(taking({ additionalProperties: { description: 'A.' } })),
    api(taking({ additionalProperties: { description: 'B.' } })),
    'patch The `description` of `call body.*` changes.',
  ],
  'another order of dependent fields': [
    api(taking({ dependentRequired: { a: ['b', 'c'], d: ['e'] } })),
    api(taking({ dependentRequired: { d: ['e'], a: ['c', 'b'] } })),
  ],
  'a first server besides the default one of OpenAPI': [
    api({}),
    api({}, {}, servers('/v2', '/')),
    'major Server `/` is no longer the first.',
    'minor Server `/v2` is new.',
  ],
  'a server instead of the default one of OpenAPI': [
    api({}),
    api({}, {}, servers('/v2')),
    'major Server `/` is removed.',
    'minor Server `/v2` is new.',
  ],
  'the default server of OpenAPI, described': [
    api({}),
    api({}, {}, { servers: [{ url: '/', description: 'A.' }] }),
    'patch The `description` of the server `/` is new.',
  ],
  'a variable that the URL of a server does not have': [
    api({}, {}, { servers: [{ url: '/a' }] }),
    api({}, {}, { servers: [{ url: '/a', variables: { host: { default: 'a' } } }] }),
  ],
  'a variable of a server that has fewer values': [
    api({}, {}, server({ enum: ['a', 'b'] })),
    api({}, {}, server({ enum: ['a'] })),
    'major `server.host` loses the value `b`.',
  ],
};

test.each(Object.entries(cases))('D-40 %s', (_name, [before, after, ...expected]) => {
  expect(changes(before, after)).toEqual(expected);
  expect(reported(before, after)).toMatchSnapshot();
});
