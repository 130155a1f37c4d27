import { expect, test } from 'vitest';
import type { JsonObject } from '../src/document/json.js';
import { api, changes, type Edited, reported, returning, taking } from './support/small-api.js';
import { limited, reference, text } from './support/small-schemas.js';

const nullable = { anyOf: [text, { type: 'null' }] };
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

const cases: Readonly<Record<string, Edited>> = {
  'a request that can no longer be null': [
    api(taking({ type: ['string', 'null'] })),
    api(taking({ type: 'string' })),
    'major The `type` of `call body` goes from `["string","null"]` to `string`.',
  ],
  'a response that can no longer be null': [
    api(returning({ type: ['string', 'null'] })),
    api(returning({ type: 'string' })),
    'patch The `type` of `call 200` goes from `["string","null"]` to `string`.',
  ],
  'a response that can be null by another alternative': [
    api(returning({ anyOf: [text] })),
    api(returning(nullable)),
    'major The `type` of `call 200` goes from `string` to `["string","null"]`.',
  ],
  'a request that has no alternatives any more': [
    api(taking({ oneOf: [field(text), {}] })),
    api(taking(field(text))),
    'major `call body` loses the alternative `oneOf[1]`.',
  ],
  'a field inside an alternative without a name': [
    api(taking({ oneOf: [field(text), { type: 'object' }] })),
    api(taking({ oneOf: [field(limited), { type: 'object' }] })),
    'major `call body.oneOf[0].a` now has `maxLength: 3`.',
  ],
  'another alternative of a request, with its value': [
    api(taking(pet('Cat', 'Dog')), pets),
    api(taking(pet('Cat', 'Dog', 'Fish')), pets),
    'minor `call body` gains the alternative `Fish`.',
    'minor The `discriminator` of `call body` changes.',
  ],
  'a response without an alternative, and without its value': [
    api(returning(pet('Cat', 'Dog', 'Fish')), pets),
    api(returning(pet('Cat', 'Dog')), pets),
    'patch The `discriminator` of `call 200` changes.',
    'patch `call 200` loses the alternative `Fish`.',
  ],
  'an alternative with another name, which is its value': [
    api(returning({ oneOf: [reference('Cat')], discriminator: kind }), pets),
    api(returning({ oneOf: [reference('Dog')], discriminator: kind }), { Dog: {} }),
    'major The `discriminator` of `call 200` changes.',
  ],
  'a mapping that says what the names say': [
    api(returning({ oneOf: [reference('Cat')], discriminator: kind }), pets),
    api(returning({ oneOf: [reference('Cat')], discriminator: { ...kind, mapping } }), pets),
  ],
  'a discriminator with another property': [
    api(returning({ discriminator: { propertyName: 'a' } })),
    api(returning({ discriminator: { propertyName: 'b' } })),
    'major The `discriminator` of `call 200` changes.',
  ],
  'a request without one of its parts': [
    api(taking(all({ properties: { b: text } }, {})), base),
    api(taking(all({})), base),
    'major `call body.b` is removed.',
  ],
  'a field of a part beside other fields': [
    api(taking({ allOf: [reference('Base')], properties: { b: text } }), base),
    api(taking({ allOf: [reference('Base')], properties: { b: text } }), {
      Base: { properties: {} },
    }),
    'major `Base.a` is removed.',
  ],
  'a field of the target of a reference beside other fields': [
    api(taking({ ...reference('Base'), properties: { b: text } }), base),
    api(taking({ ...reference('Base'), properties: { b: text } }), { Base: field(limited) }),
    'major `Base.a` now has `maxLength: 3`.',
  ],
  'a description beside a reference': [
    api(taking(reference('Base')), base),
    api(taking({ ...reference('Base'), description: 'A.', type: 'object' }), base),
    'major `Base` now has `type: object`.',
    'patch The `description` of `Base` is new.',
  ],
  'a part beside a reference': [
    api(taking({ ...reference('Base'), allOf: [limited] }), base),
    api(taking({ ...reference('Base'), allOf: [{ ...limited, maxLength: 2 }] }), base),
    'major The `maxLength` of `call body` goes from `3` to `2`.',
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
  'items that are limited': [
    api(taking({ type: 'array' })),
    api(taking({ type: 'array', items: text })),
    'major `call body` now has a schema for its items.',
  ],
  'a field that may have no value': [
    api(taking(field(text))),
    api(taking(field({ ...text, not: {} }))),
    'major The `not` of `call body.a` is new.',
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
  'a response of any status, beside a success': [
    api({ responses: { 200: {} } }),
    api(failing({})),
    'minor Response `default` is new.',
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
  'another style of a parameter': [
    api(parameter({})),
    api(parameter({ style: 'spaceDelimited', explode: true })),
    'major The `style` of `query.a` goes from `form` to `spaceDelimited`.',
  ],
  'a parameter with the defaults of OpenAPI': [
    api(parameter({})),
    api(parameter({ style: 'form', explode: true, allowReserved: false, deprecated: false })),
  ],
  'a parameter that is now deprecated': [
    api(parameter({ deprecated: false })),
    api(parameter({ deprecated: true })),
    'minor `query.a` is now deprecated.',
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
  'another media type of a response': [
    api(returning(text)),
    api({ responses: { 200: { content: { 'application/json': { schema: text }, 'a/b': {} } } } }),
    'minor `call 200` can now be `a/b`.',
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
  'an error of its own that a default described': [
    api(failing(text)),
    api({ responses: { ...failing(text).responses, 404: returning(limited).responses[200] } }),
    'minor Response `404` is new.',
    'patch `call 404` now has `maxLength: 3`.',
  ],
  'an error of its own that is another one than the range described': [
    api({ responses: { 200: {}, '4XX': returning(text).responses[200] } }),
    api({ responses: { 200: {}, 404: returning({ type: 'integer' }).responses[200] } }),
    'major The `type` of `call 404` goes from `string` to `integer`.',
    'minor Response `404` is new.',
    'patch Response `4XX` is removed.',
  ],
  'a field of a map that becomes another one than the others': [
    api(returning({ additionalProperties: { type: 'integer' } })),
    api(returning({ additionalProperties: { type: 'integer' }, properties: { a: text } })),
    'major The `type` of `call 200.a` goes from `integer` to `string`.',
    'minor `call 200.a` is new.',
  ],
  'a field of a map that is described': [
    api(taking({ additionalProperties: text })),
    api(taking({ additionalProperties: text, properties: { a: text } })),
    'minor `call body.a` is new.',
  ],
  'a field that was required of any type': [
    api(taking({ required: ['a'] })),
    api(taking({ required: ['a'], ...field(text) })),
    'major `call body.a` is new and required.',
  ],
  'types that exclude each other': [
    api(taking({ anyOf: [{ type: 'number' }, { type: 'integer' }] })),
    api(taking({ oneOf: [{ type: 'number' }, { type: 'integer' }] })),
    'major `call body` gains the alternative `oneOf[1]`, which may have values of another one.',
  ],
  'null that is in both alternatives': [
    api(taking({ anyOf: [{ type: ['string', 'null'] }, { type: 'null' }] })),
    api(taking({ oneOf: [{ type: ['string', 'null'] }, { type: 'null' }] })),
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
  'a description of other fields': [
    api(taking({})),
    api(taking({ additionalProperties: { deprecated: false } })),
  ],
  'another order of parts': [
    api(taking({ allOf: parts })),
    api(taking({ allOf: [...parts].reverse() })),
  ],
  'another order of dependent fields': [
    api(taking({ dependentRequired: { a: ['b', 'c'], d: ['e'] } })),
    api(taking({ dependentRequired: { d: ['e'], a: ['c', 'b'] } })),
  ],
  'another value in a part of an error': [
    api(failing(field(error({ enum: ['x'] })))),
    api(failing(field(error({ enum: ['x', 'y'] })))),
    'major `call default.a.error` gains the value `y`.',
  ],
};

test.each(Object.entries(cases))('D-40 %s', (_name, [before, after, ...expected]) => {
  expect(changes(before, after)).toEqual(expected);
  expect(reported(before, after)).toMatchSnapshot();
});
