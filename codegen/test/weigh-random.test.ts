import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../test/support/rounds.js';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import type { JsonObject, JsonValue } from '../src/document/json.js';
import { api, returning, taking } from './support/small-api.js';

/** A schema before and after an edit. */
type Pair = readonly [before: JsonObject, after: JsonObject];

const types = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array'];
const values: readonly JsonValue[] = [
  ...['', 'a', 'b', 'ab', 0, 1, 2, 3, 4, 1.5, null, true, [], ['a'], [1], ['a', 1]],
  ...[
    {},
    { a: 1 },
    { a: 'a' },
    { a: 'a', b: 1 },
    { b: 2 },
    { a: null },
    { c: 1 },
    { a: { a: 'a' } },
  ],
];
const components = {
  Text: { type: 'string' },
  Thing: {
    type: 'object',
    properties: { a: { type: ['string', 'null'] }, b: { type: 'integer' } },
  },
  Any: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { enum: ['a', null] }] },
};

const type = fc.constantFrom(...types);
const value = fc.constantFrom(...values);
const limit = fc.integer({ min: 0, max: 3 });
const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  type.map((name) => ({ type: name })),
  fc.uniqueArray(type, { minLength: 1, maxLength: 3 }).map((names) => ({ type: names })),
  fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => ({ enum: list })),
  value.map((only) => ({ const: only })),
  limit.map((maxLength) => ({ type: 'string', maxLength })),
  limit.map((minimum) => ({ type: 'integer', minimum })),
  limit.map((exclusiveMaximum) => ({ exclusiveMaximum })),
  limit.map((maximum) => ({ maximum })),
  fc.constantFrom(0.5, 1, 2, 4).map((multipleOf) => ({ type: 'number', multipleOf })),
  fc
    .constantFrom(...Object.keys(components))
    .map((name) => ({ $ref: `#/components/schemas/${name}` })),
  fc.constant({}),
);

/** No objects: their fields tell them apart, not everything that they may have. */
const scalar: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom('string', 'integer', 'number', 'null').map((name) => ({ type: name })),
  fc.constantFrom('a', 'ab', 1, 2).map((only) => ({ const: only })),
  fc
    .tuple(limit, limit)
    .map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
  fc.tuple(limit, limit).map(([minimum, maximum]) => ({ type: 'number', minimum, maximum })),
  fc.tuple(limit, limit).map(([exclusiveMinimum, maximum]) => ({
    type: 'integer',
    exclusiveMinimum,
    maximum,
  })),
);

const { pair } = fc.letrec<{ pair: Pair }>((tie) => {
  const inner = tie('pair');
  const both = (edit: (schema: JsonObject) => JsonObject) =>
    inner.map(([before, after]): Pair => [edit(before), edit(after)]);
  const lists = fc
    .tuple(fc.constantFrom('allOf', 'anyOf'), inner, inner)
    .map(([key, [a, now], [b, other]]): Pair => [{ [key]: [a, b] }, { [key]: [now, other] }]);
  const exclusive = fc
    .tuple(fc.array(scalar, { minLength: 2, maxLength: 3 }), fc.integer({ min: 0, max: 2 }), scalar)
    .map(
      ([oneOf, place, other]): Pair => [
        { oneOf },
        { oneOf: oneOf.map((each, index) => (index === place ? other : each)) },
      ],
    );
  const more = fc.record(
    { required: fc.constant(['a']), additionalProperties: fc.oneof(fc.constant(false), leaf) },
    { requiredKeys: [] },
  );
  const objects = fc.tuple(fc.constantFrom('a', 'b'), inner, more, more).map(
    ([name, [before, after], old, now]): Pair => [
      { type: 'object', properties: { [name]: before }, ...old },
      { type: 'object', properties: { [name]: after }, ...now },
    ],
  );
  const gathered = fc
    .tuple(fc.constantFrom('allOf', 'anyOf'), inner, leaf)
    .map(([key, [before, after], other]): Pair => [before, { [key]: [after, other] }]);
  return {
    pair: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 4, arbitrary: leaf.map((schema): Pair => [schema, schema]) },
      { weight: 1, arbitrary: fc.tuple(leaf, leaf) },
      { weight: 3, arbitrary: objects },
      { weight: 2, arbitrary: lists },
      { weight: 2, arbitrary: exclusive },
      { weight: 1, arbitrary: gathered.map(([before, after]): Pair => [after, before]) },
      { weight: 1, arbitrary: gathered },
      { weight: 1, arbitrary: both((items) => ({ type: 'array', items })) },
      { weight: 1, arbitrary: both((schema) => ({ anyOf: [schema, { type: 'null' }] })) },
      { weight: 1, arbitrary: both((schema) => ({ oneOf: [schema] })) },
      {
        weight: 1,
        arbitrary: fc.tuple(leaf, leaf).map(([a, b]): Pair => [{ not: a }, { not: b }]),
      },
    ),
  };
});

/** Returns the values that a schema allows. */
function allowedBy(schema: JsonObject): unknown[] {
  const ajv = new Ajv2020({ strict: false, logger: false });
  ajv.addSchema({ components: { schemas: components } }, 'spec');
  const text = JSON.stringify(schema).replaceAll('"#/components', '"spec#/components');
  const isAllowed = ajv.compile(JSON.parse(text));
  return values.filter((each) => isAllowed(each));
}

function textsUnlessMajor(before: JsonObject, after: JsonObject): string[] | undefined {
  const changes = compareSpecs(api(before, components), api(after, components));
  if (changes.some(({ weight }) => weight === 'major')) return undefined;
  return changes.map((change) => change.text);
}

test('D-40 unless a change is major, requests stay valid, and responses were', () => {
  let compared = 0;
  const property = fc.property(pair, ([before, after]) => {
    const [old, now] = [allowedBy(before), allowedBy(after)];
    const ofRequest = textsUnlessMajor(taking(before), taking(after));
    // Callers send no fields that they do not know, and ignore them.
    if (ofRequest?.every((text) => !text.endsWith('is new.'))) {
      expect(now).toEqual(expect.arrayContaining(old));
      compared += 1;
    }
    const ofResponse = textsUnlessMajor(returning(before), returning(after));
    if (ofResponse?.every((text) => !/ is new| other fields/.test(text))) {
      expect(old).toEqual(expect.arrayContaining(now));
      compared += 1;
    }
  });
  const numRuns = rounds({ short: 50, all: 1_000 });
  fc.assert(property, { numRuns });
  expect(compared).toBeGreaterThan(numRuns / 2);
});
