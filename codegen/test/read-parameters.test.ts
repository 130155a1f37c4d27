import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../src/document/json.js';
import { startEcho } from './support/echo-service.js';
import { parameterTables as tables } from './support/parameter-tables.js';

const integer = { type: 'integer' };
const integers = { type: 'array', items: integer };
const components = {
  schemas: {
    Size: { anyOf: [integer, { type: 'string', enum: ['small'] }] },
    Ten: { type: 'integer', default: 10 },
    Loose: { type: 'object', properties: { at: {} } },
    Named: { type: 'object', properties: { kind: { type: 'string' } } },
  },
};
const inPath = (schema: JsonObject) => ({
  parameters: [{ name: 'p', in: 'path', required: true, schema }],
});
const inHeaders = Object.entries({
  'X-Count': integer,
  'X-Counts': integers,
  Constructor: { type: 'string' },
  'X-Any': { oneOf: [integer, integers, { type: 'string' }] },
  'X-Sizes': { type: 'object', additionalProperties: integer },
});
const exploded = {
  limit: integer,
  closed: { type: 'object', properties: { a: integer }, additionalProperties: false },
  one: { type: 'object', properties: { b: integer } },
  other: { type: 'object', properties: { c: integer }, additionalProperties: integers },
};
const call = await startEcho(
  {
    ...Object.fromEntries(
      tables.map(({ parameter }, index) => [
        `get /${index}`,
        { parameters: [{ name: 'p', in: 'query', ...parameter }] },
      ]),
    ),
    'get /headers': {
      parameters: inHeaders.map(([name, schema]) => ({ name, in: 'header', schema })),
    },
    'get /exploded': {
      parameters: Object.entries(exploded).map(([name, schema]) => ({ name, in: 'query', schema })),
    },
    'get /number/{p}': inPath(integer),
    'get /text/{p}': inPath({ type: 'string' }),
    'get /short/{p}': inPath({ type: 'string', maxLength: 2, pattern: '^a+$' }),
    'get /any/{p}': inPath({ anyOf: [integer, { type: 'string' }] }),
    'get /images/{width}x{height}': {
      parameters: ['width', 'height'].map((name) => ({
        ...{ name, in: 'path', required: true },
        schema: integer,
      })),
    },
    'get /é~/x': {},
  },
  components,
  afterAll,
);

/** Returns what a handler gets as one parameter, or why the call is refused. */
async function got(
  place: 'path' | 'query' | 'headers',
  name: string,
  ...sent: Parameters<typeof call>
): Promise<JsonValue | undefined> {
  const answer = await call(...sent);
  if (answer.status === 200) return answer[place]?.[name];
  return `refused: ${answer.errors?.[0]?.message ?? answer.status}`;
}

const tooLarge = 'refused: must be from -9007199254740991 to 9007199254740991';

describe('D-42 a parameter of the query is what was sent', () => {
  it.each(tables.map(({ name }, index) => [name, index] as const))('D-42 %s', async (_, index) => {
    const { reads = {}, refuses = {} } = tables[index] ?? {};
    const refusals = Object.entries(refuses).flatMap(([message, queries]) =>
      queries.map((query) => [query, `refused: ${message}`] as const),
    );
    const expected = { ...reads, ...Object.fromEntries(refusals) };
    const results: Record<string, unknown> = {};
    for (const query of Object.keys(expected)) {
      results[query] = await got('query', 'p', `/${index}?${query}`);
    }
    expect(results).toEqual(expected);
  });
});

it.each([
  [['X-Count', '7'], 7],
  [['X-Count', ' 7 '], 7],
  [['X-Count', '0x1F'], 'refused: must be integer'],
  [['X-Count', '9007199254740993'], tooLarge],
  [['X-Count', '1', 'X-Count', '2'], 'refused: must be integer'],
  [
    ['X-Counts', '1, 2'],
    [1, 2],
  ],
  [
    ['X-Counts', '1', 'X-Counts', '2'],
    [1, 2],
  ],
  [
    ['X-Counts', '1,,2,'],
    [1, 2],
  ],
  [['X-Counts', ''], []],
  [['X-Any', '1'], 1],
  [
    ['X-Any', '1,2'],
    [1, 2],
  ],
  [['X-Any', '1,x'], '1,x'],
] as const)('D-42 a header is what was sent: %j', async (headers, expected) => {
  expect(await got('headers', headers[0], '/headers', { headers })).toEqual(expected);
});

it('D-42 a member belongs to the exploded object that declares it, or to the first that can have it', async () => {
  const { query } = await call('/exploded?a=1&b=2&c=3&d=4&limit=5');
  const expected = { limit: 5, closed: { a: 1 }, one: { b: 2, d: '4' }, other: { c: 3 } };
  expect(query).toEqual(expected);
  expect((await call('/exploded?c=3')).query).toEqual({ other: { c: 3 } });
});

it.each([
  ['/number/12', 12],
  ['/number/%31%32', 12],
  ['/number/0x1F', 'refused: must be integer'],
  ['/number/9007199254740993', tooLarge],
  ['/text/a%2Fb', 'a/b'],
  ['/text/a%2fb', 'a/b'],
  ['/text/a+b', 'a+b'],
  ['/text/%c3%a9', 'é'],
  ['/text/%zz', 'refused: 400'],
  ['/text/%ff', 'refused: 400'],
  ['/any/7', 7],
  ['/any/007', '007'],
])('D-42 a path is what was sent: %s', async (path, expected) => {
  expect(await got('path', 'p', path)).toEqual(expected);
});

it.each([
  ['aa', undefined],
  ['b', ['must match pattern "^a+$"']],
  ['\u{1f600}\u{1f600}', ['must match pattern "^a+$"']],
  ['b'.repeat(5), ['must NOT have more than 2 characters']],
])('D-42 a pattern is not tried on a text that is too long anyway: %s', async (text, messages) => {
  const { errors } = await call(`/short/${encodeURIComponent(text)}`);
  expect(errors?.map(({ message }) => message)).toEqual(messages);
});

it('D-42 a text may follow a parameter in a path', async () => {
  expect((await call('/images/640x480')).path).toEqual({ width: 640, height: 480 });
  expect((await call('/images/x480')).status).toBe(404);
});

it('D-42 a header is absent, also if every object has a property of its name', async () => {
  expect((await call('/headers')).headers).toEqual({});
});

it.each(['/%C3%A9~/x', '/%c3%a9~/x', '/%c3%A9%7e/%78'])(
  'RFC 3986 §6.2.2 %s is the path that the spec writes as /é~/x',
  async (path) => {
    expect((await call(path)).status).toBe(200);
  },
);

it('RFC 3986 §2.2 an encoded slash does not separate the parts of a path', async () => {
  expect((await call('/%C3%A9~%2Fx')).status).toBe(404);
});

it('D-42 an object in one parameter has at most 1000 members', async () => {
  const sizes = Array.from({ length: 1001 }, (_, index) => `a${index},1`);
  const sent = (members: readonly string[]) =>
    call('/headers', { headers: ['X-Sizes', members.join()] });
  expect((await sent(sizes)).errors).toEqual([
    { path: '/headers/X-Sizes', message: 'must be object' },
  ]);
  expect((await sent(sizes.slice(1))).headers).toHaveProperty('X-Sizes.a1000', 1);
});
