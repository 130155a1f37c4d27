import type { JsonObject } from '../src/document/json.js';
import { nothing, reference, text, whole } from './support/small-schemas.js';
import { type SchemaCases, testSchemas } from './support/weigh-cases.js';

const field = (schema: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties: { a: schema },
  ...more,
});
const two = { type: 'object', properties: { a: text, b: whole } };
/** A literal with `then` would look like a promise. */
const condition = (when: JsonObject, rule: JsonObject) =>
  Object.fromEntries([
    ['if', when],
    ['then', rule],
  ]);
const schemas = {
  Base: field(text),
  Text: text,
  Self: { anyOf: [reference('Self'), nothing] },
  Closed: field(text, { additionalProperties: false }),
  Colour: { enum: ['red', 'blue'] },
};

const ofSchemas: SchemaCases = {
  'major major': {
    'parts that are joined, without a field': [
      { allOf: [reference('Base'), { properties: { b: whole } }] },
      field(text),
    ],
    'a type that no value has': [
      { type: 'string', oneOf: [{ const: 'a' }, { const: 'b' }] },
      { type: 'boolean', oneOf: [{ const: 'a' }, { const: 'b' }] },
    ],
    'another condition': [
      condition({ required: ['a'] }, { required: ['b'] }),
      condition({ required: ['c'] }, { required: ['b'] }),
    ],
  },
  'major minor': {
    'a new property that is only read and required': [
      { type: 'object' },
      field({ ...text, readOnly: true }, { required: ['a'] }),
    ],
  },
  'major patch': {
    'required beside a reference, which is new': [
      reference('Base'),
      { ...reference('Base'), required: ['a'] },
    ],
    'a part that limits a field of another one': [
      { allOf: [reference('Base'), {}] },
      { allOf: [reference('Base'), { properties: { a: { maxLength: 3 } } }] },
    ],
    'a schema that was its own alternative': [reference('Self'), reference('Text')],
    'values of a type': [text, { enum: ['a', 'b'] }],
    'one alternative less': [
      { anyOf: [reference('Base'), { type: 'array', items: text }] },
      { anyOf: [reference('Base')] },
    ],
    'a multiple of more': [{ multipleOf: 0.01 }, { multipleOf: 0.1 }],
    'an exclusive bound that was one': [{ minimum: 1 }, { exclusiveMinimum: 1 }],
    'integers instead of numbers': [{ type: 'number' }, whole],
    'a format': [text, { ...text, format: 'date' }],
    'a required property that is only read': [
      field({ ...text, readOnly: true }),
      field({ ...text, readOnly: true }, { required: ['a'] }),
    ],
    'a limit of a required property that is only read': [
      field({ ...text, readOnly: true }, { required: ['a'] }),
      field({ ...text, readOnly: true, maxLength: 1 }, { required: ['a'] }),
    ],
    'names that are limited': [{}, { propertyNames: { maxLength: 3 } }],
    'a dependent field': [{}, { dependentRequired: { a: ['b'] } }],
    'a dependent schema': [{}, { dependentSchemas: { a: { required: ['b'] } } }],
    'a dependent schema that requires more': [
      { dependentSchemas: { a: { properties: { b: text } } } },
      { dependentSchemas: { a: { properties: { b: text }, required: ['b'] } } },
    ],
    'an item that has to be there': [{ type: 'array' }, { type: 'array', contains: text }],
    'a condition': [{}, condition({ required: ['a'] }, { required: ['b'] })],
    'a schema that must not match': [{}, { not: { const: 'a' } }],
    'other fields that are limited': [
      { type: 'object' },
      { type: 'object', unevaluatedProperties: false },
    ],
  },
  'major none': {
    'a property that becomes only read': [field(text), field({ ...text, readOnly: true })],
  },
  'minor major': {
    'null beside a component': [reference('Base'), { anyOf: [reference('Base'), nothing] }],
    'null beside a schema without a type': [
      { properties: { a: text } },
      { oneOf: [{ properties: { a: text } }, nothing] },
    ],
    'values as constants, with another one': [
      { type: 'string', enum: ['a', 'b'] },
      { anyOf: [{ const: 'a' }, { const: 'b' }, { const: 'c' }] },
    ],
    'another alternative': [reference('Base'), { oneOf: [reference('Base'), reference('Text')] }],
    'alternatives that no longer exclude each other': [
      { oneOf: [reference('Base'), { type: 'object' }] },
      { anyOf: [reference('Base'), { type: 'object' }] },
    ],
    'a multiple of less': [{ multipleOf: 4 }, { multipleOf: 2 }],
    'a bound that was exclusive': [{ exclusiveMaximum: 9 }, { maximum: 9 }],
    'numbers instead of integers': [whole, { type: 'number' }],
    'no format': [{ format: 'date' }, {}],
    'a property that is only read and no longer required': [
      field({ ...text, readOnly: true }, { required: ['a'] }),
      field({ ...text, readOnly: true }),
    ],
    'names that are limited less': [
      { propertyNames: { maxLength: 3 } },
      { propertyNames: { maxLength: 4 } },
    ],
  },
  'minor minor': {
    'a closed part beside another one': [
      { allOf: [reference('Closed'), {}] },
      { allOf: [reference('Closed'), { properties: { b: whole } }] },
    ],
    'a deprecated value': [
      { oneOf: [{ const: 'a' }, { const: 'b' }] },
      { oneOf: [{ const: 'a' }, { const: 'b', deprecated: true }] },
    ],
  },
  'patch patch': {
    'a part that only describes': [
      reference('Base'),
      { allOf: [reference('Base'), { description: 'A.' }] },
    ],
    'a described value': [
      { oneOf: [{ const: 'a' }, { const: 'b' }] },
      { oneOf: [{ const: 'a' }, { const: 'b', description: 'B.' }] },
    ],
    'another description of a part': [
      { description: 'A.', allOf: [reference('Base'), { description: 'B.' }] },
      { description: 'A.', allOf: [reference('Base'), { description: 'C.' }] },
    ],
    'a condition that is described': [
      condition({ required: ['a'] }, { required: ['b'] }),
      condition({ required: ['a'], description: 'A.' }, { required: ['b'] }),
    ],
    'a described item of a tuple': [
      { prefixItems: [text, text] },
      { prefixItems: [text, { ...text, description: 'A.' }] },
    ],
  },
  'none minor': {
    'a new property that is only read': [{ type: 'object' }, field({ ...text, readOnly: true })],
  },
  'none none': {
    'a part that allows everything': [reference('Base'), { allOf: [reference('Base'), {}] }],
    'parts that are joined by hand': [
      { allOf: [reference('Base'), { properties: { b: whole } }] },
      two,
    ],
    'a part that was limited by another one anyway': [
      { allOf: [reference('Base'), { properties: { a: { maxLength: 3 } } }] },
      field({ ...text, maxLength: 3 }),
    ],
    'unevaluatedProperties of joined parts': [
      { allOf: [reference('Base'), { properties: { b: whole } }], unevaluatedProperties: false },
      { ...two, additionalProperties: false },
    ],
    'null as an alternative': [{ type: ['string', 'null'] }, { anyOf: [text, nothing] }],
    'null as an exclusive alternative': [
      { type: ['object', 'null'], properties: { a: text } },
      { oneOf: [nothing, reference('Base')] },
    ],
    'null as a value': [{ enum: ['red', 'blue', null] }, { anyOf: [reference('Colour'), nothing] }],
    'null that is no value': [
      { type: ['string', 'null'], enum: ['a'] },
      { type: 'string', enum: ['a'] },
    ],
    'values as constants': [
      { type: 'string', enum: ['a', 'b'] },
      {
        oneOf: [
          { const: 'b', title: 'B' },
          { const: 'a', description: 'A' },
        ],
      },
    ],
    'objects as values': [{ enum: [{ a: 1, b: 2 }] }, { enum: [{ b: 2, a: 1 }] }],
    'a type that the values have': [{ enum: ['a'] }, { type: 'string', enum: ['a'] }],
    'types as alternatives': [{ type: ['string', 'integer'] }, { anyOf: [text, whole] }],
    'a single alternative': [reference('Base'), { oneOf: [reference('Base')] }],
  },
};

testSchemas(ofSchemas, schemas);
