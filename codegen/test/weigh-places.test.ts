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

/** Two fields, and two below, that refer to a component. */
const twice = (name: string) => {
  const fields = { a: reference(name), b: reference(name) };
  return object({ ...fields, c: object(fields) });
};
const components = {
  Never: false,
  Circle: object({
    a: reference('Circle/properties/b'),
    b: all(reference('Circle/properties/a')),
  }),
  Base: object({ a: text }),
  Needing: object({}, 'c', 'a'),
  Short: limited,
  Long: text,
};

/** Changes whose text, place or calls are shown. */
const cases: SchemaCases = {
  'major major': {
    'a pattern that looks like a number': [{ pattern: '4' }, { pattern: '2' }],
    'numbers instead of texts': [text, { type: 'number' }],
    'another of two patterns': [
      all({ pattern: 'a' }, { pattern: 'b' }),
      all({ pattern: 'a' }, { pattern: 'c' }),
    ],
    'another name of a field, whose lists are in another order': [
      object({ a: object({ content: { enum: ['x', 'y'], type: ['string', 'null'] } }, 'b', 'c') }),
      object({ d: object({ content: { type: ['null', 'string'], enum: ['y', 'x'] } }, 'c', 'b') }),
    ],
    'another name of a field, whose schemas are in another order': [
      object({ a: { ...any(text, whole), ...one(limited, whole), ...all({}, text) } }),
      object({ d: { ...any(whole, text), ...one(whole, limited), ...all(text, {}) } }),
    ],
    'another field instead of one': [object({ a: text }), object({ b: whole })],
    'a field that other fields described': [
      { type: 'object', unevaluatedProperties: text },
      { ...object({ a: whole }), unevaluatedProperties: text },
    ],
    'a limit of the items that are counted, and of names': [
      { contains: text, maxContains: 1, propertyNames: { maxLength: 4 } },
      { contains: limited, maxContains: 1, propertyNames: { maxLength: 3 } },
    ],
    'another of several schemas that must not match': [
      all({ not: { required: ['a'] } }, { not: limited }),
      all({ not: { required: ['a'] } }, { not: { ...limited, maxLength: 4 } }),
    ],
    'an item of its own': [
      { ...list, items: text },
      { ...list, items: text, prefixItems: [text] },
    ],
  },
  'major minor': {
    'fields whose names have a pattern of any script, or a wrong one': [
      { type: 'object', patternProperties: { '^\\p{L}$': text, '[': { maxLength: 2 } } },
      { ...object({ é: limited }), patternProperties: { '^\\p{L}$': text, '[': { maxLength: 2 } } },
    ],
  },
  'major patch': {
    'a default that is gone': [{ default: 'a' }, {}],
    'a field that may have no value, by a reference': [
      object({ a: {} }),
      object({ a: reference('Never') }),
    ],
    'an empty value less': [{ enum: ['', 'a'] }, { enum: ['a'] }],
    'values of several types': [{ type: ['string', 'null'] }, { enum: ['a', null] }],
    'a bound above beside an exclusive one': [{ minimum: 1 }, { minimum: 3, exclusiveMinimum: 1 }],
    'a schema instead of a circle of references': [reference('Circle/properties/a'), text],
    'a limit of a field that two parts describe': [
      all(object({ a: reference('Long') }), object({ a: { maxLength: 3 } })),
      all(object({ a: reference('Long') }), object({ a: { maxLength: 2 } })),
    ],
    'fields of an object that refer to another component': [twice('Long'), twice('Short')],
    'a limit of a required field that may be null': [
      one(object({ b: text }, 'b'), nothing),
      one(object({ b: limited }, 'b'), nothing),
    ],
    'a limit of a required field of the only alternative': [
      one(object({ b: text }, 'b')),
      one(object({ b: limited }, 'b')),
    ],
    'a limit of a required field in an optional one': [
      object({ a: object({ b: text }, 'b') }),
      object({ a: object({ b: limited }, 'b') }),
    ],
    'limits of fields in items': [
      { prefixItems: [object({ a: text }, 'a')], contains: object({ b: text }, 'b') },
      { prefixItems: [object({ a: limited }, 'a')], contains: object({ b: limited }, 'b') },
    ],
    'a limit of names beside other fields': [
      { ...object({}), additionalProperties: text },
      { ...object({}), additionalProperties: text, propertyNames: limited },
    ],
  },
  'major none': {
    'a required field that is only written': [
      object({ a: { ...text, writeOnly: true } }, 'a'),
      object({}),
    ],
  },
  'minor major': {
    'a field that may have a value': [object({ a: false }), object({ a: true })],
    'all values of a type': [{ enum: ['a'] }, text],
    'a bound below that an exclusive one implied': [
      { minimum: 5, exclusiveMinimum: 1 },
      { minimum: 1, exclusiveMinimum: 1 },
    ],
    'a higher bound that is exclusive': [{ maximum: 5 }, { exclusiveMaximum: 9 }],
    'a value of a field called error': [
      object({ error: { enum: ['a'] } }),
      object({ error: { enum: ['a', 'b'] } }),
    ],
    'fields that a component required and another part describes': [
      all({ required: ['b'] }, reference('Needing'), object({ a: text })),
      all({ required: ['b'] }, {}, object({ a: text })),
    ],
    'items, where there were none': [{ ...list, items: false }, list],
  },
  'patch patch': {
    'a default that is new': [text, { ...text, default: 'a' }],
    'a comment': [text, { ...text, $comment: 'A.' }],
    'a description that another part has': [
      { ...all(reference('Base')), description: 'A.' },
      { ...all(reference('Base'), { description: 'B.' }), description: 'A.' },
    ],
    'descriptions of alternatives that are types': [
      any(text, whole),
      any({ ...text, description: 'A.' }, { ...whole, description: 'B.' }),
    ],
    'descriptions of alternatives that are values': [
      any({ enum: ['a'] }, { enum: ['b'] }),
      any({ enum: ['a'], description: 'A.' }, { enum: ['b'], description: 'B.' }),
    ],
  },
  'none major': {
    'a field that is now only written': [
      object({ a: text }),
      object({ a: { ...text, writeOnly: true } }),
    ],
  },
};

testSchemas(cases, components);

test('D-40 a schema outside the components has the name of the place that refers to it', () => {
  const outside = (Size: JsonObject) =>
    api(taking({ $ref: '#/x-shared/schemas/Size' }), {}, { 'x-shared': { schemas: { Size } } });
  expect(changes(outside(text), outside(limited))).toEqual([
    'major `call body` now has `maxLength: 3`.',
    'patch The `x-shared` of the interface changes.',
  ]);
});

test('D-40 a field that is renamed in a thousand schemas is found in seconds', () => {
  const ids = Array.from({ length: 1000 }, (_none, index) => index);
  const renamed = (field: string) => {
    const schemas = ids.flatMap((id) => [
      [`Text${id}`, { ...text }] as const,
      [
        `Thing${id}`,
        object({ kept: reference('Text0'), [field]: reference(`Text${id}`) }),
      ] as const,
    ]);
    const fields = ids.map((id) => [`a${id}`, reference(`Thing${id}`)] as const);
    return api(taking(object(Object.fromEntries(fields))), Object.fromEntries(schemas));
  };
  const [before, after] = [renamed('customer_id'), renamed('customerId')];
  const start = process.cpuUsage();
  expect(changes(before, after)).toEqual(
    ids.map((id) => `major \`Thing${id}.customer_id\` is renamed to \`customerId\`.`),
  );
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(10);
});
