import { expect, test } from 'vitest';
import { heaviest, type Weight } from '../src/diff/compare/change.js';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import type { JsonObject } from '../src/document/json.js';
import { api, reported, returning, taking } from './support/small-api.js';
import { text, whole } from './support/small-schemas.js';

const list = { type: 'array', items: whole, contains: { const: 1 } };
const values = { ...text, enum: ['a', 'b'] };
const objects = { type: 'object', properties: { a: text } };
const other = { type: 'object', properties: { a: { const: 'b' } }, required: ['a'] };
const open = { properties: { a: text }, additionalProperties: text };
/** A literal with `then` would look like a promise. */
const rule = (keyword: string, schema: JsonObject) => Object.fromEntries([[keyword, schema]]);

/** Keywords that allow every value, and other spellings of one schema. */
const equal: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'values or null': [
    { anyOf: [{ type: 'null' }, values] },
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  'other fields of any kind': [
    { type: 'object', additionalProperties: { allOf: [{}] } },
    { type: 'object' },
  ],
  'bytes as 3.1 writes them': [
    { ...text, format: 'binary' },
    { ...text, contentMediaType: 'application/octet-stream' },
  ],
  'base64 as 3.1 writes it': [
    { ...text, format: 'byte' },
    { ...text, contentEncoding: 'base64' },
  ],
  'one item that has to be there': [list, { ...list, minContains: 1 }],
  'a number of items that nothing has to match': [{}, { minContains: 2, maxContains: 3 }],
  'names that are texts': [{}, { propertyNames: { ...text, description: 'A name.' } }],
  'nothing that must not match': [text, { ...text, not: false }],
  'a condition without an effect': [{}, rule('if', { required: ['a'] })],
  'an effect without a condition': [{}, rule('then', { required: ['a'] })],
  'multiples of one': [whole, { ...whole, multipleOf: 1 }],
  'values that two parts have': [
    { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] },
    { enum: ['b'] },
  ],
  'integers among all numbers': [{ allOf: [whole, { type: 'number' }] }, whole],
  'the narrowest of several limits': [
    {
      allOf: [
        { ...text, minLength: 1, maxLength: 9 },
        { minLength: 2, maxLength: 8 },
      ],
    },
    { ...text, minLength: 2, maxLength: 8 },
  ],
  'other fields that are only written': [
    { type: 'object', additionalProperties: { writeOnly: true } },
    { type: 'object' },
  ],
  'a definition behind an anchor': [{ $ref: '#a', $defs: { A: { ...text, $anchor: 'a' } } }, text],
  'a definition behind a dynamic reference': [
    { $dynamicRef: '#a', $defs: { A: { ...text, $dynamicAnchor: 'a' } } },
    text,
  ],
};

/** The same keywords where they refuse a value. */
const fewer: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'a pattern whose fields have to match the others now': [
    { type: 'object', patternProperties: { '^x-': whole }, additionalProperties: text },
    { type: 'object', additionalProperties: text },
  ],
  'an alternative that may be a text now, as the others': [
    { oneOf: [{ type: 'array' }, {}] },
    { oneOf: [{}, {}] },
  ],
  'a discriminator that limits what was the only schema': [
    objects,
    { oneOf: [objects, other], discriminator: { propertyName: 'a' } },
  ],
  'a schema of the items that no other keyword describes': [
    { type: 'array', unevaluatedItems: text },
    { type: 'array', unevaluatedItems: values },
  ],
  'two items that have to be there': [list, { ...list, minContains: 2 }],
  'a condition that has an effect if it is not met': [
    { else: { required: ['b'] } },
    { ...rule('if', { required: ['a'] }), else: { required: ['b'] } },
  ],
  'names that are no texts': [{}, { propertyNames: { type: 'null' } }],
  'multiples of one among all values': [{}, { multipleOf: 1 }],
  'multiples of one among integers and numbers': [
    { type: ['integer', 'number'] },
    { type: ['integer', 'number'], multipleOf: 1 },
  ],
  'no names': [{}, { propertyNames: false }],
  'one name': [{}, { propertyNames: { const: 'string' } }],
  'multiples of two': [whole, { ...whole, multipleOf: 2 }],
  'a media type other than bytes': [
    { ...text, format: 'binary' },
    { ...text, contentMediaType: 'image/png' },
  ],
  'other fields that a part no longer evaluates': [
    { allOf: [open], unevaluatedProperties: false },
    { allOf: [{ properties: open.properties }], unevaluatedProperties: false },
  ],
  'other fields that the part beside allows': [
    { allOf: [{ properties: { a: text } }, { additionalProperties: true }] },
    {
      allOf: [
        { properties: { a: text }, unevaluatedProperties: false },
        { additionalProperties: true },
      ],
    },
  ],
};

function weightOf([before, after]: readonly [JsonObject, JsonObject]): Weight | 'none' {
  return heaviest(compareSpecs(api(taking(before)), api(taking(after)))) ?? 'none';
}

test.each(Object.entries(equal))('D-40 %s: the meaning is the same', (_name, [before, after]) => {
  expect([weightOf([before, after]), weightOf([after, before])]).toEqual(['none', 'none']);
  const [sent, sentNow] = [api(returning(before)), api(returning(after))];
  expect([...compareSpecs(sent, sentNow), ...compareSpecs(sentNow, sent)]).toEqual([]);
});

test.each(Object.entries(fewer))('D-40 %s: values are refused', (_name, change) => {
  expect(weightOf(change)).toBe('major');
  const [before, after] = change;
  for (const holding of [taking, returning]) {
    expect(reported(api(holding(before)), api(holding(after)))).toMatchSnapshot();
  }
});
