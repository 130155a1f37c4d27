import type { JsonObject } from '../src/document/json.js';
import { nothing, reference, text, whole } from './support/small-schemas.js';
import { type SchemaCases, testSchemas } from './support/weigh-cases.js';

const field = (schema: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties: { a: schema },
  ...more,
});
/** A literal with `then` would look like a promise. */
const condition = (when: JsonObject, rule: JsonObject) =>
  Object.fromEntries([
    ['if', when],
    ['then', rule],
  ]);
const components = {
  Base: field(text),
  Text: text,
  Self: { anyOf: [reference('Self'), nothing] },
  Closed: field(text, { additionalProperties: false }),
  Colour: { enum: ['red', 'blue'] },
};

const cases: SchemaCases = {
  'major major': {
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
    'a part that limits a field of another one': [
      { allOf: [reference('Base'), {}] },
      { allOf: [reference('Base'), { properties: { a: { maxLength: 3 } } }] },
    ],
    'a schema that was its own alternative': [reference('Self'), reference('Text')],
    'a multiple of more': [{ multipleOf: 0.01 }, { multipleOf: 0.1 }],
    'a dependent field': [{}, { dependentRequired: { a: ['b'] } }],
    'a dependent schema': [{}, { dependentSchemas: { a: { required: ['b'] } } }],
    'a condition': [{}, condition({ required: ['a'] }, { required: ['b'] })],
  },
  'major none': {},
  'minor major': {
    'null beside a component': [reference('Base'), { anyOf: [reference('Base'), nothing] }],
    'alternatives that no longer exclude each other': [
      { oneOf: [reference('Base'), { type: 'object' }] },
      { anyOf: [reference('Base'), { type: 'object' }] },
    ],
    'a multiple of less': [{ multipleOf: 4 }, { multipleOf: 2 }],
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
  'patch patch': {},
  'none minor': {
    'a new property that is only read': [{ type: 'object' }, field({ ...text, readOnly: true })],
  },
  'none none': {
    'null as a value': [{ enum: ['red', 'blue', null] }, { anyOf: [reference('Colour'), nothing] }],
    'values as constants': [
      { type: 'string', enum: ['a', 'b'] },
      {
        oneOf: [
          { const: 'b', title: 'B' },
          { const: 'a', description: 'A' },
        ],
      },
    ],
  },
};

testSchemas(cases, components);
