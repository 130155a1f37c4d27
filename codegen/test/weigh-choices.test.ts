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
/** The weights of another alternative whose values another one may have, or has not. */
const [refused, told] = [['major', 'major'] as const, ['minor', 'major'] as const];
const components = {
  Cat: object({ kind: text, lives: text }),
  Dog: object({ kind: text, lives: limited }),
  Self: one(reference('Self'), object({ a: text }), object({ b: text })),
  Other: one(reference('Other'), object({ a: text }), object({ b: text }, 'b')),
};

const cases: SchemaCases = {
  'alternatives beside other keywords': [
    { type: 'object' },
    { ...any({ required: ['a'] }, { required: ['b'] }), type: 'object' },
    'major',
    'patch',
  ],
  'further alternatives': [
    { ...one(object({ a: text }), whole), minProperties: 1 },
    { ...one(object({ a: text }), whole), ...any(object({}), text), minProperties: 1 },
    'major',
    'patch',
  ],
  'alternatives of two keywords, where there was one schema': [
    object({ a: text }),
    { ...any(object({ a: text }), text), ...one(object({ a: text }), whole) },
    'major',
    'major',
  ],
  'alternatives in a part, where there was one schema': [
    object({ a: text }),
    all(any(object({ a: text }), whole)),
    'minor',
    'major',
  ],
  'alternatives with a discriminator, of which one stays': [
    { ...one(kind('a'), kind('b')), ...led() },
    kind('a'),
    'major',
    'patch',
  ],
  'alternatives with their fields in another order, and changed': [
    any(object({ a: text, b: text }), object({ c: text, d: text })),
    any(object({ d: limited, c: text }), object({ b: limited, a: text })),
    'major',
    'patch',
  ],
  'an alternative of alternatives that exclude each other': [
    one(any(object({ a: text }), object({ b: text })), text),
    one(object({ a: text }), object({ b: text }), text),
    'major',
    'major',
  ],
  'a value more of an alternative beside a type': [
    any({ ...text, enum: ['a'] }, whole),
    any({ ...text, enum: ['a', 'b'] }, whole),
    'minor',
    'major',
  ],
  'null that an alternative without a type has': [
    any({ maxLength: 3 }, nothing),
    one({ maxLength: 3 }, nothing),
    'major',
    'patch',
  ],
  'alternatives without a type': [
    one(limited, whole),
    one(limited, whole, { items: text }, { required: ['a'] }),
    'minor',
    'major',
  ],
  'an alternative with other fields alone': [
    one(limited, whole),
    one(limited, whole, { additionalProperties: text }),
    'minor',
    'major',
  ],
  'an alternative of types, one of which another one has a value of': [
    one({ type: 'boolean' }, { const: 'a' }),
    one({ type: 'boolean' }, { const: 'a' }, { type: ['integer', 'string'] }),
    'major',
    'major',
  ],
  'texts of alternatives that have objects too': [
    one(one(object({ a: text }), limited), { ...text, minLength: 5 }),
    one(one(object({ a: text }), limited), { ...text, minLength: 2 }),
    'major',
    'major',
  ],
  'lists of one length, by their alternatives': [
    one({ ...list, maxItems: 2 }, { ...list, minItems: 3 }),
    one({ ...list, maxItems: 2 }, { ...list, minItems: 2 }),
    'major',
    'major',
  ],
  'a list of the length of another alternative': [
    one({ const: ['a', 'b'] }, { ...list, maxItems: 1 }),
    one({ const: ['a', 'b'] }, { ...list, maxItems: 2 }),
    'major',
    'major',
  ],
  'a text of the length of another alternative': [
    one({ const: 'ab' }, { ...text, maxLength: 1 }),
    one({ const: 'ab' }, { ...text, maxLength: 2 }),
    'major',
    'major',
  ],
  'a number in the range of another alternative': [
    one({ const: 5 }, { ...whole, minimum: 6 }),
    one({ const: 5 }, { ...whole, minimum: 5 }),
    'major',
    'major',
  ],
  'a bound that one alternative excluded': [
    one({ ...whole, maximum: 5 }, { ...whole, exclusiveMinimum: 5 }),
    one({ ...whole, maximum: 5 }, { ...whole, minimum: 5 }),
    'major',
    'major',
  ],
  'another alternative whose pattern has several starts': [
    ...gaining(matching('^cd'), matching('^ab|^cd')),
    ...refused,
  ],
  'another alternative whose pattern has its sign of a start elsewhere': [
    ...gaining(matching('^cd'), matching('[^ab]x')),
    ...refused,
  ],
  'another alternative whose pattern has no start': [
    ...gaining(matching('^cd'), matching('abc')),
    ...refused,
  ],
  'another alternative whose pattern starts alike': [
    ...gaining(matching('^cus_'), matching('^car_')),
    ...told,
  ],
  'another alternative whose pattern has a longer start': [
    ...gaining(matching('^ab'), matching('^abc')),
    ...refused,
  ],
  'another alternative whose pattern has a shorter start': [
    ...gaining(matching('^abc'), matching('^ab')),
    ...refused,
  ],
  'another alternative of the same format': [
    ...gaining({ ...text, format: 'date' }, { ...limited, format: 'date' }),
    ...refused,
  ],
  'another alternative without a type, which may be an object or a list': [
    one(object({ b: text }), { ...list, uniqueItems: true }),
    one(object({ b: text }), { ...list, uniqueItems: true }, { required: ['a'] }, { items: text }),
    ...refused,
  ],
  'another alternative of another type than that of a value': [
    ...gaining({ const: 'a' }, { type: 'boolean' }),
    ...told,
  ],
  'another alternative that is a list of any items': [
    ...gaining({ ...list, items: text }, { ...list, uniqueItems: true }),
    ...refused,
  ],
  'another alternative that is a list of some items': [
    ...gaining({ ...list, uniqueItems: true }, { ...list, items: text }),
    ...refused,
  ],
  'another alternative that is a list of other objects, which may be empty': [
    ...gaining({ ...list, items: kind('a') }, { ...list, items: kind('b') }),
    ...refused,
  ],
  'another alternative beside alternatives, whose objects are not looked at': [
    ...gaining(one(kind('a'), kind('b')), kind('c')),
    ...refused,
  ],
  'another alternative with a required field of its own': [
    ...gaining(object({ a: text, b: text }, 'a', 'b'), object({ a: text, c: text }, 'a', 'c')),
    ...told,
  ],
  'another alternative that requires a field without describing it': [
    ...gaining(object({ a: text }, 'a'), object({}, 'a')),
    ...refused,
  ],
  'another alternative that describes a field that is required': [
    ...gaining(object({}, 'a'), object({ a: text }, 'a')),
    ...refused,
  ],
  'another alternative with other values of a field that neither requires': [
    ...gaining(object({ a: { const: 1 } }), object({ a: { const: 2 } })),
    ...refused,
  ],
  'another alternative with other values of a field that one requires': [
    ...gaining(object({ a: { const: 1 } }, 'a'), object({ a: { const: 2 } })),
    ...told,
  ],
  'another alternative with another object in a field, which is not looked at': [
    ...gaining(object({ a: kind('a') }, 'a'), object({ a: kind('b') }, 'a')),
    ...refused,
  ],
  'a schema that is one of its own alternatives': [
    reference('Self'),
    reference('Other'),
    'major',
    'patch',
  ],
  'no discriminator': [{ ...kind('a'), ...led() }, kind('a'), 'major', 'major'],
  'a discriminator that an alternative has no values for': [
    one(kind('a'), object({ b: text }, 'b')),
    { ...one(kind('a'), object({ b: text }, 'b')), ...led() },
    'major',
    'patch',
  ],
  'a discriminator whose values a part has': [
    one(all(kind('a'), object({ kind: text })), kind('b')),
    { ...one(all(kind('a'), object({ kind: text })), kind('b')), ...led() },
    'patch',
    'patch',
  ],
  'schemas of a discriminator that are exchanged': [
    { ...pets('Cat', 'Dog'), ...led({ x: 'Cat', y: 'Dog' }) },
    { ...pets('Cat', 'Dog'), ...led({ x: 'Dog', y: 'Cat' }) },
    'major',
    'major',
  ],
  'another schema of a value of a discriminator': [
    object({ pet: { ...object({ kind: text }), ...led({ x: 'Cat' }) } }),
    object({ pet: { ...object({ kind: text }), ...led({ x: 'Dog' }) } }),
    'major',
    'patch',
  ],
  'a schema of a discriminator that another value led to, too': [
    { ...pets('Cat', 'Dog'), ...led({ x: 'Cat', y: 'Dog' }) },
    { ...pets('Cat', 'Dog'), ...led({ x: 'Dog', y: 'Dog' }) },
    'major',
    'major',
  ],
  'another schema of a value of a discriminator, by its name': [
    { discriminator: { propertyName: 'kind', mapping: { x: 'Cat' } } },
    { discriminator: { propertyName: 'kind', mapping: { x: 'Dog' } } },
    'major',
    'patch',
  ],
  'one value more of a discriminator, for the same schema': [
    { ...pets('Cat'), ...led({ x: 'Cat' }) },
    { ...pets('Cat'), ...led({ x: 'Cat', y: 'Cat' }) },
    'minor',
    'major',
  ],
  'a value of a discriminator that is not the name of its schema': [
    { ...pets('Cat'), ...led() },
    { ...pets('Cat'), ...led({ x: 'Cat' }) },
    'major',
    'major',
  ],
  'null beside alternatives': [
    any({ type: 'object', ...any(object({ a: text }), object({ b: whole })) }, nothing),
    { type: ['object', 'null'], ...any(object({ a: text }), object({ b: whole })) },
    'major',
    'major',
  ],
};

testSchemas(cases, components);
