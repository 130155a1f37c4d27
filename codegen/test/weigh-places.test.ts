import { expect, test } from 'vitest';
import { heaviest, type Weight } from '../src/diff/compare/change.js';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import type { JsonObject } from '../src/document/json.js';
import { api, reported, returning, taking } from './support/small-api.js';

type Bump = Weight | 'none';
/** Two schemas, and what the change from the first to the second weighs in each direction. */
type SchemaCase = readonly [before: JsonObject, after: JsonObject, request: Bump, response: Bump];

const text = { type: 'string' };
const whole = { type: 'integer' };
const nothing = { type: 'null' };
const limited = { ...text, maxLength: 3 };
const list = { type: 'array' };
const object = (properties: JsonObject, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const one = (...oneOf: JsonObject[]) => ({ oneOf });
const any = (...anyOf: JsonObject[]) => ({ anyOf });
const all = (...allOf: JsonObject[]) => ({ allOf });
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
/** Two fields, and two below, that refer to a component. */
const twice = (name: string) => {
  const fields = { a: reference(name), b: reference(name) };
  return object({ ...fields, c: object(fields) });
};
const components = {
  Never: false,
  Base: object({ a: text }),
  Needing: object({}, 'c', 'a'),
  Short: limited,
  Long: text,
  Pair: twice('Long'),
  Cat: object({ kind: text, lives: text }),
  Dog: object({ kind: text, lives: limited }),
  Self: one(reference('Self'), object({ a: text }), object({ b: text })),
  Other: one(reference('Other'), object({ a: text }), object({ b: text }, 'b')),
};

/** Changes whose text, place or calls are shown. */
const cases: Readonly<Record<string, SchemaCase>> = {
  'a default that is new': [text, { ...text, default: 'a' }, 'patch', 'patch'],
  'another default': [{ default: 'a' }, { default: 'b' }, 'major', 'patch'],
  'a default that is gone': [{ default: 'a' }, {}, 'major', 'patch'],
  'a field that may have no value, by a reference': [
    object({ a: {} }),
    object({ a: reference('Never') }),
    'major',
    'patch',
  ],
  'a field that may have a value': [object({ a: false }), object({ a: true }), 'minor', 'major'],
  'an empty value less': [{ enum: ['', 'a'] }, { enum: ['a'] }, 'major', 'patch'],
  'values of several types': [
    { type: ['string', 'null'] },
    { enum: ['a', null] },
    'major',
    'patch',
  ],
  'all values of a type': [{ enum: ['a'] }, text, 'minor', 'major'],
  'a bound below that an exclusive one implied': [
    { minimum: 5, exclusiveMinimum: 1 },
    { minimum: 1, exclusiveMinimum: 1 },
    'minor',
    'major',
  ],
  'a bound above beside an exclusive one': [
    { minimum: 1 },
    { minimum: 3, exclusiveMinimum: 1 },
    'major',
    'patch',
  ],
  'a description that another part has': [
    { ...all(reference('Base')), description: 'A.' },
    { ...all(reference('Base'), { description: 'B.' }), description: 'A.' },
    'patch',
    'patch',
  ],
  'descriptions of alternatives that are types': [
    any(text, whole),
    any({ ...text, description: 'A.' }, { ...whole, description: 'B.' }),
    'patch',
    'patch',
  ],
  'descriptions of alternatives that are values': [
    any({ enum: ['a'] }, { enum: ['b'] }),
    any({ enum: ['a'], description: 'A.' }, { enum: ['b'], description: 'B.' }),
    'patch',
    'patch',
  ],
  'a field that moves into a part': [
    object({ a: {} }),
    all(reference('Base'), {}),
    'major',
    'patch',
  ],
  'a limit of a field that two parts describe': [
    all(object({ a: reference('Long') }), object({ a: { maxLength: 3 } })),
    all(object({ a: reference('Long') }), object({ a: { maxLength: 2 } })),
    'major',
    'patch',
  ],
  'fields of an object that refer to another component': [
    twice('Long'),
    twice('Short'),
    'major',
    'patch',
  ],
  'fields that a component requires and another part describes': [
    all({ required: ['b'] }, {}, object({ a: text })),
    all({ required: ['b'] }, reference('Needing'), object({ a: text })),
    'major',
    'patch',
  ],
  'fields that a component required and another part describes': [
    all({ required: ['b'] }, reference('Needing'), object({ a: text })),
    all({ required: ['b'] }, {}, object({ a: text })),
    'minor',
    'major',
  ],
  'a limit of a required field that may be null': [
    one(object({ b: text }, 'b'), nothing),
    one(object({ b: limited }, 'b'), nothing),
    'major',
    'patch',
  ],
  'a limit of a required field of the only alternative': [
    one(object({ b: text }, 'b')),
    one(object({ b: limited }, 'b')),
    'major',
    'patch',
  ],
  'a limit of a required field in an optional one': [
    object({ a: object({ b: text }, 'b') }),
    object({ a: object({ b: limited }, 'b') }),
    'major',
    'patch',
  ],
  'limits of fields in items': [
    { prefixItems: [object({ a: text }, 'a')], contains: object({ b: text }, 'b') },
    { prefixItems: [object({ a: limited }, 'a')], contains: object({ b: limited }, 'b') },
    'major',
    'patch',
  ],
  'a limit of the items that are counted, and of names': [
    { contains: text, maxContains: 1, propertyNames: text },
    { contains: limited, maxContains: 1, propertyNames: limited },
    'major',
    'major',
  ],
  'a limit of the items that are not counted': [
    { contains: text },
    { contains: limited },
    'major',
    'patch',
  ],
  'more values that must not match': [{ not: limited }, { not: text }, 'major', 'major'],
  'another of several schemas that must not match': [
    all({ not: { required: ['a'] } }, { not: limited }),
    all({ not: { required: ['a'] } }, { not: { ...limited, maxLength: 4 } }),
    'major',
    'major',
  ],
  'a limit of names beside other fields': [
    { ...object({}), additionalProperties: text },
    { ...object({}), additionalProperties: text, propertyNames: limited },
    'major',
    'patch',
  ],
  'an item of its own': [
    { ...list, items: text },
    { ...list, items: text, prefixItems: [text] },
    'major',
    'major',
  ],
  'an item that is like the others from now on': [
    { ...list, items: text, prefixItems: [text] },
    { ...list, items: text },
    'major',
    'major',
  ],
  'an item of any kind': [{ ...list, prefixItems: [text] }, list, 'minor', 'major'],
  'items, where there were none': [{ ...list, items: false }, list, 'minor', 'major'],
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
  'components of one shape, in another order, and changed': [
    any(reference('Cat'), reference('Dog')),
    any({ ...reference('Dog'), maxProperties: 2 }, { ...reference('Cat'), maxProperties: 2 }),
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
    { ...object({ kind: text }), ...led({ x: 'Cat' }) },
    { ...object({ kind: text }), ...led({ x: 'Dog' }) },
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

test.each(Object.entries(cases))('D-40 %s', (_name, [before, after, request, response]) => {
  const weights = [taking, returning].map((holding) => {
    const [old, now] = [before, after].map((schema) => api(holding(schema), components));
    if (!old || !now) throw new Error();
    expect(reported(old, now)).toMatchSnapshot();
    return heaviest(compareSpecs(old, now)) ?? 'none';
  });
  expect(weights).toEqual([request, response]);
});
