import type { JsonObject } from '../src/document/json.js';
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

const kind = (...values: string[]) => object({ kind: { enum: values } }, 'kind');
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
    'another alternative whose pattern has no start': gaining(matching('^cd'), matching('abc')),
    'another alternative whose pattern has a longer start': gaining(
      matching('^ab'),
      matching('^abc'),
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
    'another alternative that is a list of some items': gaining(
      { ...list, uniqueItems: true },
      { ...list, items: text },
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
    'schemas of a discriminator that are exchanged': [
      { ...pets('Cat', 'Dog'), ...led({ x: 'Cat', y: 'Dog' }) },
      { ...pets('Cat', 'Dog'), ...led({ x: 'Dog', y: 'Cat' }) },
    ],
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
  'major patch': {
    'alternatives beside other keywords': [
      { type: 'object' },
      { ...any({ required: ['a'] }, { required: ['b'] }), type: 'object' },
    ],
    'further alternatives': [
      { ...one(object({ a: text }), whole), minProperties: 1 },
      { ...one(object({ a: text }), whole), ...any(object({}), text), minProperties: 1 },
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
    'a discriminator that an alternative has no values for': [
      one(kind('a'), object({ b: text }, 'b')),
      { ...one(kind('a'), object({ b: text }, 'b')), ...led() },
    ],
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
    'alternatives in a part, where there was one schema': [
      object({ a: text }),
      all(any(object({ a: text }), whole)),
    ],
    'a value more of an alternative beside a type': [
      any({ ...text, enum: ['a'] }, whole),
      any({ ...text, enum: ['a', 'b'] }, whole),
    ],
    'alternatives without a type': [
      one(limited, whole),
      one(limited, whole, { items: text }, { required: ['a'] }),
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
    'another alternative with a required field of its own': gaining(
      object({ a: text, b: text }, 'a', 'b'),
      object({ a: text, c: text }, 'a', 'c'),
    ),
    'another alternative with other values of a field that one requires': gaining(
      object({ a: { const: 1 } }, 'a'),
      object({ a: { const: 2 } }),
    ),
    'one value more of a discriminator, for the same schema': [
      { ...pets('Cat'), ...led({ x: 'Cat' }) },
      { ...pets('Cat'), ...led({ x: 'Cat', y: 'Cat' }) },
    ],
  },
  'patch patch': {
    'a discriminator whose values a part has': [
      one(all(kind('a'), object({ kind: text })), kind('b')),
      { ...one(all(kind('a'), object({ kind: text })), kind('b')), ...led() },
    ],
  },
};

testSchemas(cases, components);
