import { afterAll, expect, it } from 'vitest';
import { bodiesOf, form, json, object, startEcho, taking } from './support/echo-service.js';

const integer = { type: 'integer' };
const text = { type: 'string' };
const constant = (value: string) => ({ const: value });
const referTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** An object with a property that every JavaScript object inherits. */
const proto = `{
  "type": "object", "additionalProperties": false,
  "properties": { "a": {}, "__proto__": { "type": "integer", "default": 7 } }
}`;
const components = {
  schemas: {
    Color: { type: 'string', default: 'red' },
    // Without a reference, Ajv would make one function of each alternative and its schema.
    Round: object({ radius: integer, color: referTo('Color'), fill: { default: true } }),
    Square: object({ side: integer }, { additionalProperties: false, required: ['side'] }),
    Cat: object({ kind: text, name: text }, { required: ['kind'] }),
    Node: object({ kind: text, inner: referTo('Any') }, { required: ['kind', 'inner'] }),
    Any: {
      oneOf: [referTo('Cat'), referTo('Node')],
      discriminator: { propertyName: 'kind', mapping: { tom: 'Cat' } },
    },
    Nothing: {
      ...object({ kind: constant('none') }, { required: ['kind'] }),
      type: ['object', 'null'],
    },
    Some: object({ kind: constant('some'), count: integer }, { required: ['kind', 'count'] }),
    Maybe: {
      oneOf: [referTo('Nothing'), referTo('Some')],
      discriminator: { propertyName: 'kind' },
    },
    Chosen: {
      oneOf: [
        referTo('Some'),
        object(
          { kind: constant('other'), file: { type: 'string', format: 'binary' } },
          { required: ['kind'] },
        ),
      ],
      discriminator: { propertyName: 'kind' },
      unevaluatedProperties: false,
    },
    ChosenOrNull: {
      anyOf: [referTo('Cat'), referTo('Some'), { type: 'null' }],
      discriminator: { propertyName: 'kind' },
    },
    Words: { anyOf: [{ type: 'array', items: referTo('Words') }, text] },
    Tree: object({ color: referTo('Color'), parts: { type: 'array', items: referTo('Tree') } }),
  },
};
const call = await startEcho(
  {
    'post /shape': taking({
      oneOf: [{ ...referTo('Round'), required: ['radius'] }, referTo('Square')],
    }),
    'post /tree': taking(referTo('Tree')),
    'patch /tree': taking(referTo('Tree')),
    'post /map': taking(object({}, { additionalProperties: referTo('Tree') })),
    'post /patterns': taking(object({}, { patternProperties: { '^x-': referTo('Tree') } })),
    'post /first': taking({ type: 'array', prefixItems: [referTo('Tree')], items: {} }),
    'post /parts': taking({ allOf: [referTo('Tree'), object({ size: { default: [1] } })] }),
    'post /required': taking(object({ color: referTo('Color') }, { required: ['color'] })),
    'post /scalar': taking({ type: 'string', enum: ['indexingTime', 'searchTime'] }),
    'post /values': taking({ enum: [null, { a: [1] }, 'x'] }),
    'post /open': taking(
      object({ item: { allOf: [object({ name: text }), object({ extra: text })] } }),
    ),
    'post /form': taking(
      object(
        {
          ...{ count: integer, flag: { type: 'boolean' }, title: text, color: referTo('Color') },
          ...{ either: { oneOf: [integer, text] }, list: { type: 'array', items: integer } },
        },
        { additionalProperties: { anyOf: [integer, { type: 'null' }] } },
      ),
      form,
    ),
    'post /nested-form': taking(
      object({
        tree: { anyOf: [referTo('Tree'), object({ leaf: integer })] },
        lists: { type: 'array', items: { type: 'array', items: integer } },
        words: referTo('Words'),
        // All alternatives are texts, so they are read in the same way.
        all: { allOf: Array(12).fill({ anyOf: Array(4).fill(text) }) },
      }),
      form,
    ),
    'post /proto': taking(JSON.parse(proto)),
    'post /proto-form': taking({ ...JSON.parse(proto), additionalProperties: integer }, form),
    'post /closed': taking(object({ a: text }, { additionalProperties: false })),
    'post /closed-choice': taking({
      anyOf: [object({ a: text }), object({ valueOf: text })],
      unevaluatedProperties: false,
    }),
    'post /evaluated': taking({
      anyOf: [
        {
          patternProperties: { '^a': text },
          anyOf: [object({ a: integer }), object({ b: integer }), { required: ['b'] }],
        },
        { type: 'null' },
      ],
      unevaluatedProperties: false,
    }),
    'post /any': taking(referTo('Any')),
    'post /maybe': taking(referTo('Maybe')),
    'post /chosen': taking(referTo('Chosen')),
    'post /chosen-form': taking(referTo('Chosen'), form),
    'post /chosen-or-null': taking(referTo('ChosenOrNull')),
    'post /set': taking({ type: 'array', uniqueItems: true }),
    'post /text': taking(text, 'text/plain'),
  },
  components,
  afterAll,
);

const got = bodiesOf(call);
const tooLarge = 'must be from -9007199254740991 to 9007199254740991';

it.each([
  ['post /tree', '{}', { color: 'red' }],
  [
    'post /tree',
    '{"color":"blue","parts":[{},{"color":"blue"}]}',
    { color: 'blue', parts: [{ color: 'red' }, { color: 'blue' }] },
  ],
  ['post /map', '{"a":{}}', { a: { color: 'red' } }],
  ['post /patterns', '{"x-a":{},"b":{}}', { 'x-a': { color: 'red' }, b: {} }],
  ['post /first', '[{},{}]', [{ color: 'red' }, {}]],
  ['post /parts', '{}', { color: 'red', size: [1] }],
  ['patch /tree', '{"parts":[{}]}', { parts: [{}] }],
  ['post /shape', '{"side":1}', { side: 1 }],
  ['post /required', '{}', ["/body must have required property 'color'"]],
])('D-42 a default stands for an absent member, %s %s', async (place, body, expected) => {
  expect(await got(place, body)).toEqual(expected);
});

it.each([
  ['post /scalar', '"searchTime"', 'searchTime'],
  [
    'post /scalar',
    '"never"',
    ['/body must be equal to one of the allowed values: indexingTime, searchTime'],
  ],
  ['post /values', '"y"', ['/body must be equal to one of the allowed values: null, {"a":[1]}, x']],
  [
    'post /open',
    '{"item":{"name":"a","extra":"b","other":1},"more":2}',
    { item: { name: 'a', extra: 'b', other: 1 }, more: 2 },
  ],
])('D-42 a body is what was sent, %s %s', async (place, body, expected) => {
  expect(await got(place, body)).toEqual(expected);
});

it.each([
  ['count=7&flag=true&title=a+b%c3%a9&color=', { count: 7, flag: true, title: 'a bé', color: '' }],
  ['either=7&list=1', { either: 7, list: [1], color: 'red' }],
  ['either=007&list=1&list=2', { either: '007', list: [1, 2], color: 'red' }],
  ['other=1&more=', { other: 1, more: null, color: 'red' }],
  ['__proto__=1', JSON.parse('{"__proto__":1,"color":"red"}')],
  ['count=0x1F', ['/body/count must be integer']],
  ['count=1&count=2', ['/body/count must be integer']],
  ['count=9007199254740993', [`/body/count ${tooLarge}`]],
  ['title=%ff&count=x', ['/body/title must be UTF-8 in percent-encoding']],
])('D-42 a form is what was sent: %s', async (body, expected) => {
  expect(await got('post /form', body, form)).toEqual(expected);
});

it.each([
  ['post /open', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  ['post /closed', '{"__proto__":{}}', '["/body must NOT have additional properties: __proto__"]'],
  [
    'post /closed-choice',
    '{"__proto__":{}}',
    '["/body must NOT have unevaluated properties: __proto__"]',
  ],
  [
    'post /closed-choice',
    '{"toString":1}',
    '["/body must NOT have unevaluated properties: toString"]',
  ],
  ['post /closed-choice', '{"a":"b","valueOf":"c"}', '{"a":"b","valueOf":"c"}'],
  ['post /tree', '{"__proto__":[]}', '{"__proto__":[],"color":"red"}'],
  ['post /proto', '{"__proto__":8}', '{"__proto__":8}'],
  ['post /proto', '{"a":1}', '{"a":1,"__proto__":7}'],
  ['post /proto', '{"__proto__":"8"}', '["/body/__proto__ must be integer"]'],
  ['post /proto-form', '__proto__=8&b=1', '{"__proto__":8,"b":1}'],
  ['post /proto-form', '__proto__=x', '["/body/__proto__ must be integer"]'],
  ['post /proto-form', 'b=1', '{"b":1,"__proto__":7}'],
])('D-42 __proto__ is a member like any other, %s %s', async (place, body, expected) => {
  expect(JSON.stringify(await got(place, body, place.endsWith('form') ? form : json))).toBe(
    expected,
  );
});

it.each([
  ['lists=[1,2]&lists=[]', { lists: [[1, 2], []] }],
  ['lists=1', ['/body/lists/0 must be array']],
  ['lists=[', ['/body/lists/0 must be array']],
  ['words=a&words=["b"]', { words: ['a', ['b']] }],
  ['all=a', { all: 'a' }],
])(
  'OpenAPI 3.1 §4.8.15 objects, and lists in lists, are JSON in a form: %s',
  async (body, expected) => {
    expect(await got('post /nested-form', body, form)).toEqual(expected);
  },
);

it('D-42 JSON that is nested too deeply is refused in a form too', async () => {
  const body = `tree=${'{"parts":['.repeat(50_000)}${']}'.repeat(50_000)}`;
  const tooDeep = ['/body is too long or nested too deeply'];
  expect(await got('post /nested-form', body, form)).toEqual(tooDeep);
});

it.each([
  ['{"a":"a","b":1}', { a: 'a', b: 1 }],
  ['{"a":"a","b":"b"}', ['/body must NOT have unevaluated properties: b']],
  ['{"a":"a","c":1}', ['/body must NOT have unevaluated properties: c']],
  [
    '{"a":1}',
    ['/body/a must be string', '/body must be null', '/body must match a schema in anyOf'],
  ],
])(
  'JSON Schema §11.3 members that a pattern describes in one of several schemas count: %s',
  async (body, expected) => {
    expect(await got('post /evaluated', body)).toEqual(expected);
  },
);

const cat = { kind: 'tom', name: 'x' };
// The time must not double with each level.
const nested = `${'{"kind":"Node","inner":'.repeat(40)}${JSON.stringify(cat)}${'}'.repeat(40)}`;

it.each([
  [JSON.stringify(cat), cat],
  [JSON.stringify({ ...cat, inner: cat }), { ...cat, inner: cat }],
  [JSON.stringify({ ...cat, kind: 'Node' }), ["/body must have required property 'inner'"]],
  ['{"kind":"Dog"}', ['/body/kind must be equal to one of the allowed values: tom, Node']],
  [nested, JSON.parse(nested)],
])(
  'OpenAPI 3.1 §4.8.25 a discriminator names one of several schemas that match: %s',
  async (body, expected) => {
    expect(await got('post /any', body)).toEqual(expected);
  },
);

it.each([
  ['post /maybe', 'null', null],
  ['post /chosen', '{"kind":"some","count":1}', { kind: 'some', count: 1 }],
  ['post /chosen', '{"kind":"some"}', ["/body must have required property 'count'"]],
  [
    'post /chosen',
    '{"kind":"other","count":1}',
    ['/body must NOT have unevaluated properties: count'],
  ],
  ['post /chosen-or-null', 'null', null],
  ['post /chosen-or-null', '7', ['/body must be object,null']],
  ['post /chosen-or-null', '{"kind":"some"}', ["/body must have required property 'count'"]],
  ['post /chosen-form', 'kind=some&count=1', { kind: 'some', count: 1 }],
])(
  'OpenAPI 3.1 §4.8.25 a value is read as the alternative that its discriminator names: %s %s',
  async (place, body, expected) => {
    expect(await got(place, body, place.endsWith('form') ? form : json)).toEqual(expected);
  },
);

it.each([
  ['[1,"1",[1],{"a":1},{"a":[1]},null]', undefined],
  [
    '[{"a":1,"b":{"c":2,"d":3}},{"b":{"d":3,"c":2},"a":1}]',
    ['/body must NOT have duplicate items'],
  ],
  ['[1,1.0]', ['/body must NOT have duplicate items']],
])(
  'JSON Schema §6.4.3 items are unique, whatever their order of members: %s',
  async (body, expected) => {
    expect(await got('post /set', body)).toEqual(expected ?? JSON.parse(body));
  },
);

it.each([
  ['post /scalar', json],
  ['post /form', form],
  ['post /text', 'text/plain'],
  ['post /text', 'text/plain; charset=utf8'],
  ['post /scalar', `${json}; charset=utf--8`],
])('RFC 8259 §8.1 a text that is not UTF-8 is refused: %s, %s', async (place, type) => {
  const bytes = Buffer.from('"caf\u00e9"', 'latin1');
  expect(await got(place, bytes, type)).toBe(400);
});

it('OpenAPI 3.1 §4.8.14 a text may say that it has another encoding', async () => {
  const bytes = Buffer.from('caf\u00e9', 'latin1');
  expect(await got('post /text', bytes, 'text/plain; charset=iso-8859-1')).toBe('café');
  expect(await got('post /text', 'café', 'text/plain')).toBe('café');
});
