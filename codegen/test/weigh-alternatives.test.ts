import { expect, test } from 'vitest';
import type { JsonObject } from '../src/document/json.js';
import { api, changes, taking } from './support/small-api.js';
import { object, one, text, whole } from './support/small-schemas.js';
import { type SchemaCases, testSchemas } from './support/weigh-cases.js';

const short = { ...text, maxLength: 3 };
const range = (minimum: number, maximum: number) => ({ ...whole, minimum, maximum });
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

const cases: SchemaCases = {
  'major major': {
    'numbers of two alternatives': [
      one(range(0, 10), range(11, 20)),
      one(range(0, 10), range(5, 20)),
    ],
    'numbers that only one alternative has from now on': [
      one(range(0, 10), range(5, 20)),
      one(range(0, 10), range(11, 20)),
    ],
    'more numbers of two alternatives': [
      one(range(0, 10), range(5, 20)),
      one(range(0, 10), range(3, 20)),
    ],
    'a bound that both alternatives have': [
      one({ type: 'number', exclusiveMaximum: 5 }, { type: 'number', minimum: 5 }),
      one({ type: 'number', maximum: 5 }, { type: 'number', minimum: 5 }),
    ],
    'a value in the range of another alternative': [
      one({ const: 0 }, range(1, 10)),
      one({ const: 0 }, range(0, 10)),
    ],
    'texts of two alternatives': [
      one(short, { ...text, minLength: 5 }),
      one(short, { ...text, minLength: 2 }),
    ],
    'an alternative that allows everything': [one(text, whole), one(text, {})],
    'another alternative, whose numbers another one has': [
      one(range(0, 10), range(20, 30)),
      one(range(0, 10), range(20, 30), range(5, 6)),
    ],
    'an alternative less, whose numbers another one has': [
      one(range(0, 10), range(40, 50), range(5, 20)),
      one(range(0, 10), range(40, 50)),
    ],
    'objects that no field tells apart any more': [
      one(object({ a: text }, 'a'), object({ b: text }, 'b')),
      one(object({ a: text }, 'a'), open),
    ],
    'objects with a value that another alternative has': [
      one(kind('a'), kind('b')),
      one(kind('a'), kind('a', 'b')),
    ],
    'null of two alternatives': [
      one(
        { ...object({ a: text }, 'a') },
        { ...object({ b: text }, 'b'), type: ['object', 'null'] },
      ),
      one(
        { ...object({ a: text }, 'a'), type: ['object', 'null'] },
        { ...object({ b: text }, 'b'), type: ['object', 'null'] },
      ),
    ],
    'lists of the same items': [lists(whole), lists({ type: ['string', 'integer'] })],
    'alternatives in alternatives': [
      one(whole, one({ type: 'boolean' }, { type: 'null' }, { ...text, minLength: 1 })),
      one({ type: ['integer', 'string'] }, one({ type: 'boolean' }, { type: 'null' }, text)),
    ],
    'a field that is other than its pattern': [named({}), named({}, { 'x-a': whole })],
    'a value that is of another type': [whole, { ...whole, const: 'a' }],
    'an alternative that stays, with less to require': [
      { anyOf: [object({ a: text }, 'a'), whole] },
      object({ a: text }),
    ],
  },
  'major minor': {
    'a closed object beside another one': [
      one({ ...open, additionalProperties: false }, object({ a: text }, 'a')),
      one(open, object({ a: text }, 'a')),
    ],
    'a field with less than its pattern allows': [named({}), named({}, { 'x-a': short })],
  },
  'major patch': {
    'fewer numbers of one alternative': [
      one(range(0, 10), range(20, 30)),
      one(range(0, 10), range(20, 25)),
    ],
    'an object less, which fits another alternative of the response': [
      one(object({ a: text }, 'a'), object({ a: text, b: text }, 'a', 'b')),
      one(object({ a: text }, 'a')),
    ],
    'a field that no request may have': [
      { type: 'object', properties: { a: true } },
      { type: 'object', properties: { a: false } },
    ],
    'other fields that only unevaluatedProperties refused': [
      { type: 'object', additionalProperties: text, unevaluatedProperties: false },
      { type: 'object', unevaluatedProperties: false },
    ],
    'alternatives of which an object can match several, although each has a field of its own': [
      { anyOf: [object({ a: text }, 'a'), object({ b: text }, 'b')] },
      one(object({ a: text }, 'a'), object({ b: text }, 'b')),
    ],
    'alternatives of which a text can match several, as one has no type': [
      { anyOf: [{ properties: { a: text } }, text] },
      one({ properties: { a: text } }, text),
    ],
    'a pattern that limits a field': [
      { type: 'object', properties: { 'x-a': text } },
      named({ patternProperties: { '^x-': short } }, { 'x-a': text }),
    ],
  },
  'minor major': {
    'more numbers of one alternative': [
      one(range(0, 10), range(20, 30)),
      one(range(0, 10), range(20, 40)),
    ],
    'a value beside the range of another alternative': [
      one({ const: 0 }, range(2, 10)),
      one({ const: 0 }, range(1, 10)),
    ],
    'texts of two formats': [
      one({ ...text, format: 'date' }, { ...text, format: 'uuid', maxLength: 36 }),
      one({ ...text, format: 'date' }, { ...text, format: 'uuid', maxLength: 40 }),
    ],
    'another alternative of its own': [
      one(range(0, 10), range(20, 30)),
      one(range(0, 10), range(20, 30), range(50, 60)),
    ],
  },
  'minor minor': {
    'a field of one of several objects': [
      one(kind('a'), kind('b')),
      one(kind('a'), object({ kind: { enum: ['b'] }, name: text }, 'kind')),
    ],
    'a field that no pattern names': [named({}), named({}, { a: short })],
    'a field that its pattern described': [named({}), named({}, { 'x-a': text })],
    'a field that its pattern described, not the other fields': [
      named({ additionalProperties: whole }),
      named({ additionalProperties: whole }, { 'x-a': text }),
    ],
  },
  'patch patch': {
    'a discriminator of alternatives with values of their own': [
      one(kind('x'), kind('y')),
      { ...one(kind('x'), kind('y')), discriminator: { propertyName: 'kind' } },
    ],
  },
  'none none': {
    'alternatives of an alternative that are written beside the others': [
      { anyOf: [object({ a: text }), { anyOf: [object({ b: text }), { maxLength: 3 }] }] },
      { anyOf: [object({ a: text }), object({ b: text }), { maxLength: 3 }] },
    ],
    'alternatives of which a value can match only one anyway': [
      one(object({ a: text }, 'a'), whole),
      { anyOf: [object({ a: text }, 'a'), whole] },
    ],
    'alternatives or null, of which a value can match only one anyway': [
      one({ type: 'object', ...one(kind('a'), kind('b')) }, { type: 'null' }),
      { anyOf: [{ type: 'object', ...one(kind('a'), kind('b')) }, { type: 'null' }] },
    ],
  },
};

testSchemas(cases);

test('D-40 the alternative whose values are refused is named', () => {
  const numbers = (minimum: number) => api(taking(one(range(0, 10), range(minimum, 20))));
  expect(changes(numbers(11), numbers(5))).toEqual([
    'major `call body` now refuses values of `oneOf[0]` that match another alternative.',
    'major `call body` now refuses values of `oneOf[1]` that match another alternative.',
    'minor The `minimum` of `call body.oneOf[1]` goes from `11` to `5`.',
  ]);
});

test('D-40 a change beside a component does not have its name', () => {
  const base = { Base: object({ a: text }) };
  const beside = (more: JsonObject) =>
    api(taking({ allOf: [{ $ref: '#/components/schemas/Base' }, more] }), base);
  expect(changes(beside({}), api(taking(object({ a: short })), base))).toEqual([
    'major `call body.a` now has `maxLength: 3`.',
  ]);
  expect(changes(beside({}), beside({ required: ['a'] }))).toEqual([
    'major `call body.a` is now required.',
  ]);
});

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
