import { afterAll, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../src/document/json.js';
import { bodiesOf, object, startEcho, taking } from './support/echo-service.js';

const text = { type: 'string' };
const one = (...values: string[]) => ({ enum: values });

/** Returns a schema with a kind, and a required field of its own. */
const kind = (schema: JsonObject | undefined, own: string) =>
  object(
    { ...(schema && { kind: schema }), [own]: { type: 'integer' } },
    { required: ['kind', own] },
  );

/** The kinds of two schemas, what the mapping says, and the kinds that each accepts. */
type Union = readonly [
  kinds: readonly [JsonObject?, JsonObject?],
  mapping: JsonObject | undefined,
  ofFirst: readonly JsonValue[],
  ofSecond: readonly JsonValue[],
];

const anything = ['First', 'Second', 'x', 'y', 'z', 'q', 1, true, null];
const unions: Readonly<Record<string, Union>> = {
  'names of schemas': [[text, text], undefined, ['First'], ['Second']],
  'a mapping of both': [
    [text, text],
    { x: 'First', y: '#/components/schemas/Second' },
    ['x'],
    ['y'],
  ],
  'a mapping of one': [[text, text], { x: 'First' }, ['x'], ['Second']],
  'two names of one': [[text, text], { x: 'First', z: 'First', y: 'Second' }, ['x', 'z'], ['y']],
  values: [[{ const: 'x' }, one('y', 'z')], undefined, ['x'], ['y', 'z']],
  'values that the mapping has too': [
    [one('x'), one('y')],
    { x: 'First', y: 'Second' },
    ['x'],
    ['y'],
  ],
  'values of which the mapping has some': [[one('x', 'z'), one('y')], { x: 'First' }, ['x'], ['y']],
  'a mapping with more than the values': [
    [one('x'), one('y', 'z')],
    { x: 'First', q: 'First', y: 'Second' },
    ['x'],
    ['y'],
  ],
  'values that both have': [[one('x', 'y'), one('y')], undefined, ['x', 'y'], ['y']],
  'values as alternatives': [
    [{ anyOf: [one('x'), one('z')] }, { oneOf: [one('y')] }],
    undefined,
    ['x', 'z'],
    ['y'],
  ],
  'a text or null': [[{ type: ['string', 'null'] }, text], undefined, ['First'], ['Second']],
  'any value': [[{}, {}], undefined, ['First'], ['Second']],
  'no texts': [[{ type: 'integer' }, { type: 'boolean' }], undefined, [1], [true]],
  'a property that nobody describes': [[], undefined, anything, anything],
  'such a property, with a mapping': [[], { x: 'First', y: 'Second' }, ['x'], ['y']],
};

const schemas: Record<string, JsonObject> = {};
const operations = Object.values(unions).flatMap(([[first, second], mapping], index) => {
  // Each pair has names of its own, which are replaced where they are values.
  const names = ['First', 'Second'].map((name) => `${name}${index}`);
  const own = Object.entries(mapping ?? {}).map(([key, name]) => [key, `${name}${index}`]);
  const discriminator = {
    propertyName: 'kind',
    ...(mapping && { mapping: Object.fromEntries(own) }),
  };
  schemas[`First${index}`] = kind(first, 'a');
  schemas[`Second${index}`] = kind(second, 'b');
  const list = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return ['oneOf', 'anyOf'].map(
    (keyword) => [`post /${keyword}${index}`, taking({ [keyword]: list, discriminator })] as const,
  );
});

/** Alternatives that say neither that they are objects nor that they have a kind, and a number. */
const discriminator = { propertyName: 'kind' };
for (const name of ['Loose', 'Free']) schemas[name] = { properties: { kind: text }, discriminator };
const list = ['Loose', 'Free'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
const loose = ['oneOf', 'anyOf'].map((keyword) => {
  const schema = { allOf: [{ [keyword]: [...list, { type: 'integer' }], discriminator }] };
  return [`post /${keyword}/loose`, taking(schema)] as const;
});
const beside = { oneOf: list, discriminator, allOf: [{ required: ['size'] }] };
/** Returns an alternative with a value that does not always tell it apart. */
const valued = (value: string, more: JsonObject) => object({ kind: { const: value } }, more);
const known = valued('y', { required: ['kind'] });
const maybe = { anyOf: [valued('x', {}), known], discriminator };
const texts = { anyOf: [valued('x', { type: ['object', 'string'], required: ['kind'] }), known] };
const base = object({ kind: one('x', 'y') }, { required: ['kind'] });
const based = ['x', 'y'].map((value) => ({ allOf: [base, valued(value, { required: [value] })] }));
const others = {
  'post /based': taking({ oneOf: based, discriminator }),
  'post /beside': taking(beside),
  'post /maybe': taking(maybe),
  'post /texts': taking({ ...texts, discriminator }),
};
const all = { ...Object.fromEntries(operations), ...Object.fromEntries(loose), ...others };
const call = await startEcho(all, { schemas }, afterAll);
const got = bodiesOf(call);

it.each(
  Object.entries(unions).flatMap(([name, [, , ofFirst, ofSecond]], index) =>
    ['oneOf', 'anyOf'].map((keyword) => [keyword, name, index, ofFirst, ofSecond] as const),
  ),
)(
  'OpenAPI 3.1 §4.8.25 %s is told apart by %s',
  async (keyword, _name, index, ofFirst, ofSecond) => {
    const sent = (value: JsonValue) => (/^[FS]/.test(String(value)) ? `${value}${index}` : value);
    const accepted = async (field: string) => {
      const answers = anything.map(async (value) => {
        const body = JSON.stringify({ kind: sent(value), [field]: 1 });
        return Array.isArray(await got(`post /${keyword}${index}`, body)) ? [] : [value];
      });
      return (await Promise.all(answers)).flat();
    };
    expect(new Set(await accepted('a'))).toEqual(new Set(ofFirst));
    expect(new Set(await accepted('b'))).toEqual(new Set(ofSecond));
    expect(await got(`post /${keyword}${index}`, '{"a":1}')).toContain(
      "/body must have required property 'kind'",
    );
  },
);

it.each(['oneOf', 'anyOf'])(
  'OpenAPI 3.1 §4.8.25 %s an alternative that a discriminator names is an object with its property',
  async (keyword) => {
    const send = (body: string) => got(`post /${keyword}/loose`, body);
    expect(await send('{"kind":"Free"}')).not.toBeInstanceOf(Array);
    expect(await send('{}')).toContain("/body must have required property 'kind'");
    expect(await send('"a"')).toContain('/body must be object');
    expect(await send('7')).toBe(7);
    expect(await send('{"kind":"x"}')).toBeInstanceOf(Array);
  },
);

it('OpenAPI 3.1 §4.8.25 a value may match several alternatives of anyOf, but not of oneOf', async () => {
  const index = Object.keys(unions).indexOf('values that both have');
  const body = { kind: 'y', a: 1, b: 1 };
  const send = (keyword: string) => got(`post /${keyword}${index}`, JSON.stringify(body));
  expect(await send('anyOf')).toEqual(body);
  expect(await send('oneOf')).toContain('/body must match exactly one schema in oneOf');
});

it('OpenAPI 3.1 §4.8.25 schemas beside a discriminator hold too', async () => {
  expect(await got('post /beside', '{"kind":"Free"}')).toEqual([
    "/body must have required property 'size'",
  ]);
  expect(await got('post /beside', '{"kind":"Free","size":1}')).not.toBeInstanceOf(Array);
});

it('D-42 only the mistakes of the schema that is named are told, which limits what it is based on', async () => {
  expect(await got('post /based', '{"kind":"x"}')).toEqual([
    "/body must have required property 'x'",
  ]);
});

it.each([
  ['maybe', {}],
  ['texts', 'a'],
])(
  'OpenAPI 3.1 §4.8.25 no name is demanded where the alternatives allow none: %s',
  async (path, value) => {
    expect(await got(`post /${path}`, JSON.stringify(value))).toEqual(value);
  },
);

it.each([
  ['a mapping of both', '{"kind":"x"}', ["/body must have required property 'a'"]],
  ['a mapping of both', '{"kind":"y","b":"1"}', ['/body/b must be integer']],
  [
    'a mapping of both',
    '{"kind":"z"}',
    ['/body/kind must be equal to one of the allowed values: x, y'],
  ],
  ['values', '{"kind":"z"}', ["/body must have required property 'b'"]],
  ['values', '7', ['/body must be object']],
])(
  'D-42 %s: of %s only the mistakes of the schema that is named are told',
  async (name, body, expected) => {
    const index = Object.keys(unions).indexOf(name);
    expect(await got(`post /oneOf${index}`, body)).toEqual(expected);
  },
);
