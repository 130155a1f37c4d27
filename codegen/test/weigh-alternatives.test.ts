import { expect, test } from 'vitest';
import type { JsonObject } from '../src/document/json.js';
import { api, changes, taking } from './support/small-api.js';
import {
  all,
  any,
  limited,
  list,
  nothing,
  object,
  one,
  reference,
  text,
  whole,
} from './support/small-schemas.js';
import { type SchemaCases, testSchemas } from './support/weigh-cases.js';

const short = { ...text, maxLength: 3 };
const kind = (...values: string[]) => object({ kind: { enum: values } }, 'kind');
const open = object({ b: text });
const lists = (items: JsonObject) => one({ type: 'array', items: text }, { type: 'array', items });
const patterns = { '^x-': text };
const named = (more: JsonObject, properties: JsonObject = {}) => ({
  type: 'object',
  properties,
  patternProperties: patterns,
  ...more,
});
const led = (mapping: JsonObject = {}) => ({
  discriminator: {
    propertyName: 'kind',
    mapping: Object.fromEntries(
      Object.entries(mapping).map(([value, name]) => [value, reference(String(name)).$ref]),
    ),
  },
});
const pets = (...names: string[]) => one(...names.map(reference));
const matching = (pattern: string) => ({ ...text, pattern });
const gaining = (first: JsonObject, second: JsonObject) =>
  [one(first, whole), one(first, whole, second)] as const;
const components = {
  Cat: object({ kind: text, lives: text }),
  Dog: object({ kind: text, lives: limited }),
  Self: one(reference('Self'), object({ a: text }), object({ b: text })),
  Other: one(reference('Other'), object({ a: text }), object({ b: text }, 'b')),
};

const cases: SchemaCases = {
  'major major': {
    'a bound that both alternatives have': [
      one({ type: 'number', exclusiveMaximum: 5 }, { type: 'number', minimum: 5 }),
      one({ type: 'number', maximum: 5 }, { type: 'number', minimum: 5 }),
    ],
    'lists of the same items': [lists(whole), lists({ type: ['string', 'integer'] })],
    'alternatives in alternatives': [
      one(whole, one({ type: 'boolean' }, { type: 'null' }, { ...text, minLength: 1 })),
      one({ type: ['integer', 'string'] }, one({ type: 'boolean' }, { type: 'null' }, text)),
    ],
    'a field that is other than its pattern': [named({}), named({}, { 'x-a': whole })],
    'a value that is of another type': [whole, { ...whole, const: 'a' }],
    'alternatives of two keywords, where there was one schema': [
      object({ a: text }),
      { ...any(object({ a: text }), text), ...one(object({ a: text }), whole) },
    ],
    'an alternative of alternatives that exclude each other': [
      one(any(object({ a: text }), object({ b: text })), text),
      one(object({ a: text }), object({ b: text }), text),
    ],
    'an alternative of types, one of which another one has a value of': [
      one({ type: 'boolean' }, { const: 'a' }),
      one({ type: 'boolean' }, { const: 'a' }, { type: ['integer', 'string'] }),
    ],
    'texts of alternatives that have objects too': [
      one(one(object({ a: text }), limited), { ...text, minLength: 5 }),
      one(one(object({ a: text }), limited), { ...text, minLength: 2 }),
    ],
    'lists of one length, by their alternatives': [
      one({ ...list, maxItems: 2 }, { ...list, minItems: 3 }),
      one({ ...list, maxItems: 2 }, { ...list, minItems: 2 }),
    ],
    'a list of the length of another alternative': [
      one({ const: ['a', 'b'] }, { ...list, maxItems: 1 }),
      one({ const: ['a', 'b'] }, { ...list, maxItems: 2 }),
    ],
    'a text of the length of another alternative': [
      one({ const: 'ab' }, { ...text, maxLength: 1 }),
      one({ const: 'ab' }, { ...text, maxLength: 2 }),
    ],
    'a number in the range of another alternative': [
      one({ const: 5 }, { ...whole, minimum: 6 }),
      one({ const: 5 }, { ...whole, minimum: 5 }),
    ],
    'a bound that one alternative excluded': [
      one({ ...whole, maximum: 5 }, { ...whole, exclusiveMinimum: 5 }),
      one({ ...whole, maximum: 5 }, { ...whole, minimum: 5 }),
    ],
    'another alternative whose pattern has several starts': gaining(
      matching('^cd'),
      matching('^ab|^cd'),
    ),
    'another alternative whose pattern has its sign of a start elsewhere': gaining(
      matching('^cd'),
      matching('[^ab]x'),
    ),
    'another alternative whose pattern has a shorter start': gaining(
      matching('^abc'),
      matching('^ab'),
    ),
    'another alternative of the same format': gaining(
      { ...text, format: 'date' },
      { ...limited, format: 'date' },
    ),
    'another alternative without a type, which may be an object or a list': [
      one(object({ b: text }), { ...list, uniqueItems: true }),
      one(
        object({ b: text }),
        { ...list, uniqueItems: true },
        { required: ['a'] },
        { items: text },
      ),
    ],
    'another alternative that is a list of any items': gaining(
      { ...list, items: text },
      { ...list, uniqueItems: true },
    ),
    'another alternative that is a list of other objects, which may be empty': gaining(
      { ...list, items: kind('a') },
      { ...list, items: kind('b') },
    ),
    'another alternative beside alternatives, whose objects are not looked at': gaining(
      one(kind('a'), kind('b')),
      kind('c'),
    ),
    'another alternative that requires a field without describing it': gaining(
      object({ a: text }, 'a'),
      object({}, 'a'),
    ),
    'another alternative that describes a field that is required': gaining(
      object({}, 'a'),
      object({ a: text }, 'a'),
    ),
    'another alternative with other values of a field that neither requires': gaining(
      object({ a: { const: 1 } }),
      object({ a: { const: 2 } }),
    ),
    'another alternative with another object in a field, which is not looked at': gaining(
      object({ a: kind('a') }, 'a'),
      object({ a: kind('b') }, 'a'),
    ),
    'no discriminator': [{ ...kind('a'), ...led() }, kind('a')],
    'a schema of a discriminator that another value led to, too': [
      { ...pets('Cat', 'Dog'), ...led({ x: 'Cat', y: 'Dog' }) },
      { ...pets('Cat', 'Dog'), ...led({ x: 'Dog', y: 'Dog' }) },
    ],
    'a value of a discriminator that is not the name of its schema': [
      { ...pets('Cat'), ...led() },
      { ...pets('Cat'), ...led({ x: 'Cat' }) },
    ],
    'null beside alternatives': [
      any({ type: 'object', ...any(object({ a: text }), object({ b: whole })) }, nothing),
      { type: ['object', 'null'], ...any(object({ a: text }), object({ b: whole })) },
    ],
  },
  'major minor': {
    'a closed object beside another one': [
      one({ ...open, additionalProperties: false }, object({ a: text }, 'a')),
      one(open, object({ a: text }, 'a')),
    ],
  },
  'major patch': {
    'an object less, which fits another alternative of the response': [
      one(object({ a: text }, 'a'), object({ a: text, b: text }, 'a', 'b')),
      one(object({ a: text }, 'a')),
    ],
    'alternatives of which a text can match several, as one has no type': [
      { anyOf: [{ properties: { a: text } }, text] },
      one({ properties: { a: text } }, text),
    ],
    'a pattern that limits a field': [
      { type: 'object', properties: { 'x-a': text } },
      named({ patternProperties: { '^x-': short } }, { 'x-a': text }),
    ],
    'alternatives with a discriminator, of which one stays': [
      { ...one(kind('a'), kind('b')), ...led() },
      kind('a'),
    ],
    'alternatives with their fields in another order, and changed': [
      any(object({ a: text, b: text }), object({ c: text, d: text })),
      any(object({ d: limited, c: text }), object({ b: limited, a: text })),
    ],
    'null that an alternative without a type has': [
      any({ maxLength: 3 }, nothing),
      one({ maxLength: 3 }, nothing),
    ],
    'a schema that is one of its own alternatives': [reference('Self'), reference('Other')],
    'another schema of a value of a discriminator': [
      object({ pet: { ...object({ kind: text }), ...led({ x: 'Cat' }) } }),
      object({ pet: { ...object({ kind: text }), ...led({ x: 'Dog' }) } }),
    ],
    'another schema of a value of a discriminator, by its name': [
      { discriminator: { propertyName: 'kind', mapping: { x: 'Cat' } } },
      { discriminator: { propertyName: 'kind', mapping: { x: 'Dog' } } },
    ],
  },
  'minor major': {
    'texts of two formats': [
      one({ ...text, format: 'date' }, { ...text, format: 'uuid', maxLength: 36 }),
      one({ ...text, format: 'date' }, { ...text, format: 'uuid', maxLength: 40 }),
    ],
    'alternatives in a part, where there was one schema': [
      object({ a: text }),
      all(any(object({ a: text }), whole)),
    ],
    'a value more of an alternative beside a type': [
      any({ ...text, enum: ['a'] }, whole),
      any({ ...text, enum: ['a', 'b'] }, whole),
    ],
    'an alternative with other fields alone': [
      one(limited, whole),
      one(limited, whole, { additionalProperties: text }),
    ],
    'another alternative whose pattern starts alike': gaining(matching('^cus_'), matching('^car_')),
    'another alternative of another type than that of a value': gaining(
      { const: 'a' },
      { type: 'boolean' },
    ),
    'another alternative with other values of a field that one requires': gaining(
      object({ a: { const: 1 } }, 'a'),
      object({ a: { const: 2 } }),
    ),
  },
  'patch patch': {
    'a discriminator whose values a part has': [
      one(all(kind('a'), object({ kind: text })), kind('b')),
      { ...one(all(kind('a'), object({ kind: text })), kind('b')), ...led() },
    ],
  },
  'none none': {
    'alternatives of an alternative that are written beside the others': [
      { anyOf: [object({ a: text }), { anyOf: [object({ b: text }), { maxLength: 3 }] }] },
      { anyOf: [object({ a: text }), object({ b: text }), { maxLength: 3 }] },
    ],
    'alternatives or null, of which a value can match only one anyway': [
      one({ type: 'object', ...one(kind('a'), kind('b')) }, { type: 'null' }),
      { anyOf: [{ type: 'object', ...one(kind('a'), kind('b')) }, { type: 'null' }] },
    ],
  },
};

testSchemas(cases, components);

test('D-40 a hundred alternatives that refer to each other are told apart by their kind', () => {
  const names = Array.from({ length: 100 }, (_none, index) => `Event${index}`);
  const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const events = (maxLength: number) => ({
    Any: one(...names.map(refer)),
    ...Object.fromEntries(
      names.map((name, index) => {
        const before = refer(names[(index * 7) % names.length] ?? '');
        const fields = { text: { ...text, maxLength }, before, either: one(before, refer('Any')) };
        return [name, object({ ...fields, kind: { const: name } }, 'before', 'either', 'kind')];
      }),
    ),
  });
  const weigh = (before: number, after: number) =>
    changes(
      api(taking(refer('Any')), events(before)),
      api(taking(refer('Any')), events(after)),
    ).filter((change) => !change.startsWith('minor The `maxLength` of `Event'));
  expect(weigh(3, 4)).toEqual([]);
});
