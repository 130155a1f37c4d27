import { expect, test } from 'vitest';
import { heaviest, type Weight } from '../src/diff/compare/change.js';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import type { JsonObject } from '../src/document/json.js';
import { api, reported, returning, taking } from './support/small-api.js';

type Api = ReturnType<typeof api>;

const text = { type: 'string' };
const whole = { type: 'integer' };
const limited = { ...text, maxLength: 3 };
const object = (properties: JsonObject, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const parameter = (more: JsonObject) => ({ parameters: [{ name: 'a', in: 'query', ...more }] });
const both = (before: JsonObject, after: JsonObject, schemas: JsonObject = {}) =>
  [api(taking(before), schemas), api(taking(after), schemas)] as const;
const sent = (before: JsonObject, after: JsonObject) =>
  [api(returning(before)), api(returning(after))] as const;
/** Two fields of an object in a component, and two below. */
const pair = (name: string) => {
  const fields = { a: reference(name), b: reference(name) };
  return { Thing: object({ ...fields, c: object(fields) }), Long: text, Short: limited };
};
const kind = { discriminator: { propertyName: 'kind' } };

/** Changes with the element that is shown, and the calls that they concern. */
const cases: Readonly<Record<string, readonly [Api, Api, Weight | 'none']>> = {
  'a default of a response': [...sent({ default: 'a' }, { default: 'b' }), 'patch'],
  'a default that is gone': [...both({ default: 'a' }, {}), 'major'],
  'a field that may have no value, by a reference': [
    ...both(object({ a: {} }), object({ a: reference('Never') }), { Never: false }),
    'major',
  ],
  'a field that may have a value': [...both(object({ a: false }), object({ a: true })), 'minor'],
  'no discriminator': [
    ...both({ ...object({ kind: text }), ...kind }, object({ kind: text })),
    'major',
  ],
  'examples that are new': [
    api(parameter({})),
    api(parameter({ examples: { a: { value: 1 } } })),
    'patch',
  ],
  'examples that are others': [
    api(parameter({ examples: { a: { value: 1 }, b: { value: 2 }, c: { value: 3 } } })),
    api(parameter({ examples: { a: { value: 1 }, b: { value: 3 }, d: { value: 3 } } })),
    'patch',
  ],
  'another link to more documentation': [
    api({ externalDocs: { url: 'https://a' } }),
    api({ externalDocs: { url: 'https://b' } }),
    'patch',
  ],
  'a field that a component requires, which another part describes': [
    api(taking({ allOf: [{ required: ['b'] }, reference('Base'), object({ a: text })] }), {
      Base: object({}),
    }),
    api(taking({ allOf: [{ required: ['b'] }, reference('Base'), object({ a: text })] }), {
      Base: object({}, 'c', 'a'),
    }),
    'major',
  ],
  'a field that a component no longer requires, which another part describes': [
    api(taking({ allOf: [{ required: ['b'] }, reference('Base'), object({ a: text })] }), {
      Base: object({}, 'c', 'a'),
    }),
    api(taking({ allOf: [{ required: ['b'] }, reference('Base'), object({ a: text })] }), {
      Base: object({}),
    }),
    'minor',
  ],
  'a limit of a field that one of several kinds requires': [
    ...both(
      object({ a: { ...object({ b: text }, 'b'), type: ['object', 'null'] } }, 'a'),
      object({ a: { oneOf: [object({ b: limited }, 'b'), { type: 'null' }] } }, 'a'),
    ),
    'major',
  ],
  'a limit of a required field that may be null': [
    ...both(
      { oneOf: [object({ b: text }, 'b'), { type: 'null' }] },
      { oneOf: [object({ b: limited }, 'b'), { type: 'null' }] },
    ),
    'major',
  ],
  'a limit of a required field in an optional one': [
    ...both(object({ a: object({ b: text }, 'b') }), object({ a: object({ b: limited }, 'b') })),
    'major',
  ],
  'a field that moves into a part': [
    ...both(object({ a: text }), { allOf: [reference('Base')] }, { Base: object({ a: limited }) }),
    'major',
  ],
  'two fields that refer to another component': [
    api(taking(reference('Thing')), pair('Long')),
    api(taking(reference('Thing')), pair('Short')),
    'major',
  ],
  'a field that is now only written': [
    ...both(object({ a: text }), object({ a: { ...text, writeOnly: true } })),
    'none',
  ],
  'null beside alternatives': [
    ...both(
      {
        anyOf: [
          { type: 'object', anyOf: [object({ a: text }), object({ b: whole })] },
          { type: 'null' },
        ],
      },
      { type: ['object', 'null'], anyOf: [object({ a: text }), object({ b: whole })] },
    ),
    'major',
  ],
};

test.each(Object.entries(cases))('D-40 %s', (_name, [before, after, bump]) => {
  expect(heaviest(compareSpecs(before, after)) ?? 'none').toBe(bump);
  expect(reported(before, after)).toMatchSnapshot();
});
