import { expect, test } from 'vitest';
import { heaviest } from '../src/diff/compare/change.js';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import { formatJson, formatReport } from '../src/diff/report.js';
import type { JsonObject } from '../src/document/json.js';
import { api, returning, taking } from './support/small-api.js';

type Api = ReturnType<typeof api>;

/** Returns the changes since version 1.2.3. */
function weigh(before: Api, after: Api) {
  const changes = compareSpecs(before, after);
  const released = { name: 'old.yaml', api: before, version: '1.2.3' };
  return { bump: heaviest(changes) ?? ('none' as const), changes, released };
}

const fruit = { $ref: '#/components/schemas/Fruit' };
const both = { ...taking(fruit), ...returning(fruit) };

/** Returns an interface whose operations have a schema in common, beside `others`. */
function sharing(names: readonly string[], pattern: string, others: JsonObject): Api {
  const calls = names.map((name): [string, JsonObject] => [
    `/${name}`,
    { post: { operationId: name, ...both } },
  ]);
  const paths = { ...Object.fromEntries(calls), ...others };
  return api({}, {}, { paths, components: { schemas: { Fruit: { pattern } } } });
}

test.each([1, 2, 3, 4, 5])(
  'D-40 the changelog names all of %i calls up to four, and otherwise three, unless it is all',
  (count) => {
    const names = ['apple', 'berry', 'cherry', 'date', 'elder'].slice(0, count);
    for (const others of [{}, { '/other': { get: { operationId: 'other' } } }]) {
      const weighing = weigh(sharing(names, 'a', others), sharing(names, 'b', others));
      expect(formatReport(weighing)).toMatchSnapshot();
    }
  },
);

test.each([
  [
    'all calls of a component that is called like one of them',
    ['Fruit', 'apple'],
    '`Fruit` and `apple`',
  ],
  ['the only call of a component whose name starts alike', ['Fru'], '`Fru`'],
])('D-40 the report names %s', (_name, names, shown) => {
  const weighing = weigh(sharing(names, 'a', {}), sharing(names, 'b', {}));
  const change = 'The `pattern` of `Fruit` goes from `a` to `b`.';
  const calls = 'requests and responses of';
  expect(formatReport(weighing)).toContain(`${change}\n    in ${calls} ${shown}\n`);
  const { changes } = JSON.parse(formatJson(weighing));
  expect(changes).toMatchObject([
    { text: change, place: expect.stringMatching(`, ${calls} ${names.join(', ')}$`) },
  ]);
});

test('D-40 the report of an interface without operations', () => {
  const titled = (title: string) => api({}, {}, { paths: {}, info: { title } });
  expect(formatReport(weigh(titled('A'), titled('B')))).toMatch(
    /^\S+ patch The `title` of `info` changes\.\n\n1 change since old\.yaml: 1 patch\./,
  );
});

test.each<[string, JsonObject]>([
  ['a break', { 'x-paginated': true, 'x-idempotent': true, deprecated: true, summary: 'A call.' }],
  ['an addition', { 'x-idempotent': true }],
  ['another change', { deprecated: true }],
  ['a description', { summary: 'A call.' }],
  ['an error', { responses: { 400: {} } }],
  ['a body that the text names', taking({})],
  ['nothing', {}],
])('D-40 the report of %s', (_name, edit) => {
  expect(formatReport(weigh(api({}), api(edit)))).toMatchSnapshot();
});

test('D-40 the report names those who used what breaks', () => {
  const fields = (a: string, b: string, c: string) =>
    api(taking({ properties: { a: { type: a }, b: { type: b }, c: { type: c } } }));
  const weighing = weigh(fields('string', 'string', 'integer'), fields('null', 'null', 'number'));
  const used = (partner: string, field: string) => ({
    ...{ partner, apiKey: 'k', operation: 'call', field, calls: 1, lastUsed: '2026-11-20' },
  });
  const uses = [used('Byte', 'body.a'), used('Aboss', 'body.a'), used('Caro', 'body.c')];
  const usage = { from: '2026-08-26', to: '2026-11-23', uses };
  expect([formatReport(weighing, usage), formatJson(weighing, usage)]).toMatchSnapshot();
  expect(formatJson(weighing)).toMatchSnapshot();
});
