import { afterAll, expect, it, vi } from 'vitest';
import { seededRandom } from '../../packages/server/test/support/seeded-random.js';
import { rounds } from '../../test/support/rounds.js';
import { defaultFillers } from '../runtime/fill-defaults.js';
import { createAjv, validatable } from '../runtime/validator.js';
import type { JsonObject } from '../src/document/json.js';
import { object, startEcho } from './support/echo-service.js';
import { RandomSchemas } from './types/random-schemas.js';
import { documentOf, schemasFrom, validatorOf } from './types/types-property.js';

const referTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const constant = (value: string) => ({ const: value });

/** Schemas of objects that contain themselves under `of`, in two ways, by the name of the case. */
const recursive: Record<string, (self: JsonObject) => JsonObject> = {
  'a member behind a reference': (of) => ({
    oneOf: [object({ of, kind: referTo('A') }), object({ of, kind: referTo('B') })],
  }),
  'a member behind a part': (of) => ({
    oneOf: [
      object({ of, kind: { allOf: [referTo('A')] } }),
      object({ of, kind: { anyOf: [referTo('B'), referTo('C')] } }),
    ],
  }),
  'a part that comes later': (of) => ({
    oneOf: [
      { allOf: [object({ of }), object({ kind: constant('a') })] },
      { allOf: [object({ of }), object({ kind: constant('b') })] },
    ],
  }),
  'a member that is null or itself': (of) => {
    const orNull = { anyOf: [{ type: 'null' }, of] };
    return { oneOf: [object({ of: orNull, kind: referTo('A') }), object({ of: orNull })] };
  },
  'a list of itself': (of) => {
    const list = { anyOf: [{ type: 'array', items: of }, of] };
    return { oneOf: [object({ of: list, kind: referTo('A') }), object({ of: list })] };
  },
  'any of several that match': (of) => ({ anyOf: [object({ of }), object({ of, kind: {} })] }),
  'parts that say the same': (of) => {
    const part = object({ of, note: { default: 'x' } });
    return { allOf: [part, { ...part }] };
  },
  'a member without unknown members': (of) => {
    const member = { ...of, unevaluatedProperties: false };
    return {
      oneOf: [object({ of: member, kind: referTo('A') }), object({ of: member, kind: {} })],
    };
  },
  'not what it contains': (of) => ({
    properties: { of },
    not: object({ of, kind: constant('d') }, { required: ['kind'] }),
  }),
};
const cases = Object.keys(recursive);
const schemas = Object.values(recursive).map(
  (schema, index) => [`S${index}`, schema(referTo(`S${index}`))] as const,
);
const closed = { unevaluatedProperties: false };
const operations = [
  ...schemas.map(([name]) => [name, referTo(name)] as const),
  ['chain', referTo('Level0')],
  ['LineItems', referTo('LineItems')],
  [
    'closed',
    {
      ...referTo('LineItems'),
      ...closed,
      properties: { of: { ...referTo('LineItems'), ...closed } },
    },
  ],
] as const;
/** Schemas of 30 levels of objects, of which each has the next one in two ways. */
const chain = Array.from({ length: 30 }, (_, level) => {
  const of = level < 29 ? referTo(`Level${level + 1}`) : {};
  return [
    `Level${level}`,
    { anyOf: [object({ of, kind: referTo('A') }), object({ of })] },
  ] as const;
});
const call = await startEcho(
  Object.fromEntries(
    operations.map(([name, schema]) => {
      const content = { 'application/json': { schema }, 'application/xml': { schema } };
      return [`post /${name}`, { requestBody: { required: true, content } }];
    }),
  ),
  {
    schemas: {
      ...Object.fromEntries(chain),
      LineItems: { allOf: [referTo('items')] },
      items: object({ items: referTo('A') }),
      A: constant('a'),
      B: constant('b'),
      C: constant('c'),
      ...Object.fromEntries(schemas),
    },
  },
  afterAll,
);

function send(name: string, body: string) {
  const headers = ['content-type', 'application/json'];
  const index = cases.indexOf(name);
  return call(index < 0 ? name : `/S${index}`, { method: 'post', body, headers });
}

/** Work that doubles with each level would never end. */
const levels = 80;

/** Returns objects in objects. */
function nested(innermost: string): string {
  return `${'{"kind":"b","of":'.repeat(levels)}${innermost}${'}'.repeat(levels)}`;
}

it.each(cases)('D-42 the work does not double with each level of a body: %s', async (name) => {
  const valid = nested('{"kind":"b"}');
  expect(await send(name, valid)).toMatchObject({ status: 200, body: JSON.parse(valid) });
  const { status, errors = [] } = await send(name, nested('7'));
  expect([status, errors.length < 100]).toEqual([name.startsWith('not') ? 200 : 400, true]);
});

it('D-42 the work does not double with each schema either', async () => {
  const body = `${'{"kind":"b","of":'.repeat(29)}{"kind":"b"}${'}'.repeat(29)}`;
  expect(await send('/chain', body)).toMatchObject({ status: 200, body: JSON.parse(body) });
});

it('D-42 XML is no text, also by a schema of parts below a path that ends like a keyword', async () => {
  const headers = ['content-type', 'application/xml'];
  const answer = await call('/LineItems', { method: 'post', body: '<items/>', headers });
  expect(answer).toMatchObject({ status: 200, body: '<items/>' });
});

it('D-42 a mistake in alternatives that contain themselves has its place', async () => {
  const { errors = [] } = await send('any of several that match', '{"of":{"of":{"of":7}}}');
  const messages = errors.map(({ path, message }) => `${path} ${message}`);
  expect(new Set(messages)).toEqual(
    new Set(
      ['/body/of/of/of must be object', '/body/of/of/of must match a schema in anyOf'].concat(
        ['/body/of/of', '/body/of', '/body'].map((path) => `${path} must match a schema in anyOf`),
      ),
    ),
  );
});

it.each([
  ['{"items":"a","of":{"items":"a"}}', undefined],
  ['{"items":"a","of":{"items":"b"}}', '/body/of/items must be equal to constant: a'],
  ['{"other":1}', '/body must NOT have unevaluated properties: other'],
  ['{"of":{"other":1}}', '/body/of must NOT have unevaluated properties: other'],
])(
  'JSON Schema §11.3 members that references describe are evaluated: %s',
  async (body, mistake) => {
    const { errors = [] } = await send('/closed', body);
    expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual(
      mistake ? [mistake] : [],
    );
  },
);

it('D-42 a body is not searched for places of defaults if its schema has none', () => {
  const schemas = { Item: object({ of: referTo('Item') }), Sum: { type: 'integer', default: 0 } };
  const fillerOf = defaultFillers(documentOf(schemas));
  const get = vi.fn();
  const body = new Proxy({}, { ownKeys: () => get() ?? [] });
  fillerOf({ properties: { body: referTo('Item') } })({ body });
  expect(get).not.toHaveBeenCalled();
  fillerOf({ properties: { body: object({ of: referTo('Sum') }) } })({ body });
  expect(get).toHaveBeenCalled();
});

it('D-42 an item of lists in lists is read once to tell that each is unique', () => {
  const list = { type: 'array', uniqueItems: true, items: { anyOf: [referTo('List'), {}] } };
  const spec = validatable({ components: { schemas: { List: list } } });
  const validate = createAjv(spec).compile({ $ref: 'openapi#/components/schemas/List' });
  let count = 0;
  const ownKeys = (target: object) => {
    count += 1;
    return Reflect.ownKeys(target);
  };
  let value: unknown = new Proxy({ a: 1 }, { ownKeys });
  for (let level = 0; level < levels; level += 1) value = [value, level];
  expect(validate(value)).toBe(true);
  expect(count).toBeLessThan(levels / 2);
  expect(validate([value, value])).toBe(false);
});

it('D-42 a value of a random schema is valid exactly if Ajv alone takes it for valid', () => {
  const schemas = schemasFrom(1, rounds({ short: 60, all: 600 }));
  const alone = validatorOf(documentOf(schemas));
  const ajv = createAjv(validatable(documentOf(schemas)));
  const source = new RandomSchemas(seededRandom(1));
  const disagreements: unknown[] = [];
  const counts = { true: 0, false: 0 };
  for (const [name, schema] of Object.entries(schemas)) {
    const inside = ajv.compile({
      properties: { v: { $ref: `openapi#/components/schemas/${name}` } },
    });
    const isValid = alone(name);
    for (let round = 0; round < 10; round += 1) {
      const v = source.value(schema);
      const expected = isValid(v) === true;
      counts[`${expected}`] += 1;
      if (inside({ v }) !== expected) disagreements.push({ schema, v, expected });
    }
  }
  expect(disagreements).toEqual([]);
  expect(Math.min(counts.true, counts.false)).toBeGreaterThan(50);
});
