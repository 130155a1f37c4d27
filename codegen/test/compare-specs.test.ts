import { describe, expect, it } from 'vitest';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import type { JsonObject } from '../src/document/json.js';
import { api, changes, reported, returning, taking } from './support/small-api.js';
import { limited, text } from './support/small-schemas.js';

describe('D-40 compare any spec', () => {
  it('D-40 a schema that contains itself is compared once', () => {
    const tree = (properties: JsonObject) => ({
      Tree: {
        properties: { children: { items: { $ref: '#/components/schemas/Tree' } }, ...properties },
      },
    });
    const operation = returning({ $ref: '#/components/schemas/Tree' });
    expect(changes(api(operation, tree({ name: text })), api(operation, tree({})))).toEqual([
      'major `Tree.name` is removed.',
    ]);
    const call = taking({ $ref: '#/components/schemas/Tree' });
    expect(compareSpecs(api(call, tree({ name: text })), api(call, tree({})))).toMatchObject([
      { uses: [{ operation: 'call', direction: 'request', field: 'body.name' }] },
    ]);
  });

  describe('D-40 schemas that all refer to each other', () => {
    const names = Array.from({ length: 20 }, (_none, index) => `S${index}`);
    /** Twenty schemas, of which each has a field for every one. */
    const circle = (limits: JsonObject, nameOf = (name: string) => name, shift = 0) =>
      Object.fromEntries(
        names.map((name) => [
          nameOf(name),
          {
            type: 'object',
            properties: {
              text: { ...text, ...limits },
              ...Object.fromEntries(
                names.map((field, index) => {
                  const target = names[(index + shift) % names.length] ?? '';
                  return [field, { $ref: `#/components/schemas/${nameOf(target)}` }];
                }),
              ),
            },
          },
        ]),
      );
    const both = (name: string) => {
      const schema = { $ref: `#/components/schemas/${name}` };
      return { ...taking(schema), ...returning(schema) };
    };

    it('D-40 each is compared once, and concerns all operations that lead to it', () => {
      const others = { paths: { '/other': { get: { operationId: 'other', ...both('S7') } } } };
      const apiOf = (limits: JsonObject) =>
        api({}, {}, { ...others, components: { schemas: circle(limits) } });
      const found = compareSpecs(apiOf({ maxLength: 3 }), apiOf({ maxLength: 4 }));
      expect(found.map((change) => change.text)).toEqual(
        names.map((name) => `The \`maxLength\` of \`${name}.text\` goes from \`3\` to \`4\`.`),
      );
      for (const { weight, uses } of found) {
        expect({ weight, uses }).toEqual({
          weight: 'major',
          uses: [{ operation: 'other', direction: 'response', field: undefined }],
        });
      }
    });

    it('D-40 a field of one has the name of the usage, or all calls are concerned', () => {
      const [before, after] = [{ maxLength: 4 }, { maxLength: 3 }].map((limits) =>
        api(taking(both('S0').responses[200].content['application/json'].schema), circle(limits)),
      );
      const [first] = before && after ? compareSpecs(before, after) : [];
      const fields = first?.uses.map(({ field }) => field);
      expect(fields).toEqual(expect.arrayContaining(['body.text', undefined]));
    });

    it('D-40 other names of all mean the same', () => {
      const renamed = circle({}, (name) => `Renamed${name}`);
      expect(changes(api(both('S0'), circle({})), api(both('RenamedS0'), renamed))).toEqual([]);
    });

    it('D-40 other references of all mean the same, because all are alike', () => {
      const exchanged = circle({}, undefined, 1);
      expect(changes(api(both('S0'), circle({})), api(both('S0'), exchanged))).toEqual([]);
    });
  });

  it('D-40 items and other fields are schemas too', () => {
    const list = api(taking({ items: text, additionalProperties: text }));
    expect(changes(list, api(taking({ items: limited, additionalProperties: limited })))).toEqual([
      'major `call body[]` now has `maxLength: 3`.',
      'major `call body.*` now has `maxLength: 3`.',
    ]);
    expect(changes(list, api(taking({ items: text })))).toEqual([
      'minor `call body` no longer has a schema for its other fields.',
    ]);
  });

  it('D-40 one of several credentials is enough', () => {
    const secured = (...security: JsonObject[]) => api({ security });
    const [key, token] = [{ key: [] }, { token: ['read'] }];
    expect(changes(secured(key), secured(key, token))).toEqual([
      'minor `call` now also accepts `token` and `token read`.',
    ]);
    expect(changes(secured(key, token), secured(key))).toEqual([
      'major `call` now requires `key`.',
    ]);
    expect(changes(secured(key, token), secured(token, key))).toEqual([]);
    expect(changes(secured(), secured(key))).toEqual(['major `call` now requires `key`.']);
    expect(changes(secured(key, token), secured({}))).toEqual([
      'minor `call` now also accepts no credentials.',
    ]);
    expect(changes(secured(key), secured({}))).toEqual(['minor `call` no longer requires `key`.']);
  });

  it('D-40 the credentials of the interface count for an operation without its own', () => {
    const [before, after] = [api({}), api({}, {}, { security: [{ key: [] }] })];
    expect(changes(before, after)).toEqual(['major The interface now requires `key`.']);
    const own = { security: [{ key: [] }] };
    expect(changes(api(own), api({}, {}, own))).toEqual([]);
  });

  it('D-40 the name of a header counts in any case', () => {
    const header = (name: string) => api({ parameters: [{ name, in: 'header', schema: text }] });
    expect(changes(header('X-Trace'), header('x-trace'))).toEqual([]);
    const returned = (name: string) => api({ responses: { 200: { headers: { [name]: {} } } } });
    expect(changes(returned('ETag'), returned('etag'))).toEqual([]);
  });

  it('D-40 a deprecated operation may stay longer than announced, but not shorter', () => {
    const until = (sunset: string) => api({ deprecated: true, 'x-sunset': sunset });
    const [early, late] = [until('2027-06-30'), until('2028-01-01')];
    expect(changes(late, early)).toEqual([
      'major The `x-sunset` of `call` goes from `2028-01-01` to `2027-06-30`.',
    ]);
    expect(changes(early, late)).toEqual([
      'patch The `x-sunset` of `call` goes from `2027-06-30` to `2028-01-01`.',
    ]);
    expect(changes(api({ deprecated: true }), early)).toEqual([
      'minor `call` now has `x-sunset: 2027-06-30`.',
    ]);
    expect(changes(early, api({ deprecated: true }))).toEqual([
      'patch `call` no longer has `x-sunset: 2027-06-30`.',
    ]);
  });

  it.each<[title: string, before: JsonObject, after: JsonObject]>([
    ['new and gone', { 400: ['a', 'b'] }, { 400: ['b', 'c'] }],
    ['of another status', { 400: ['a'], 404: ['b'] }, { 404: ['a', 'b'] }],
    ['of one status more', { 400: ['a'] }, { 400: ['a'], 404: ['a'] }],
    ['of one status less', { 400: ['a'], 404: ['a'] }, { 400: ['a'] }],
    ['of one of two statuses', { 400: ['a'], 404: ['a'] }, { 409: ['a'] }],
  ])('D-40 codes of errors that are %s', (_title, before, after) => {
    const failing = (codes: JsonObject) => {
      const bodies = Object.entries(codes).map(([status, names]) => {
        const examples = [names].flat().map((error) => [error, { value: { error } }]);
        const content = { 'application/json': { examples: Object.fromEntries(examples) } };
        return [status, { content }];
      });
      return api({ responses: Object.fromEntries([[200, {}], [409, {}], [404, {}], ...bodies]) });
    };
    expect(reported(failing(before), failing(after))).toMatchSnapshot();
  });

  it('D-40 what no rule knows is major, extensions are not', () => {
    expect(changes(api({}), api({ servers: [{ url: '/a' }] }))).toEqual([
      'major The `servers` of `call` is new.',
    ]);
    expect(changes(api({}), api({ 'x-internal': 1 }))).toEqual([
      'patch The `x-internal` of `call` is new.',
    ]);
    const style = (schema: JsonObject, more: JsonObject = {}) =>
      api({ parameters: [{ name: 'a', in: 'query', schema, ...more }] });
    const list = { type: 'array', items: text };
    const explode = 'The `explode` of `query.a` goes from `true` to `false`.';
    expect(changes(style(list), style(list, { explode: false }))).toEqual([`major ${explode}`]);
    expect(changes(style(text), style(text, { explode: false }))).toEqual([`patch ${explode}`]);
  });

  it('D-40 a reference to another schema is a change of the field, not of the schema', () => {
    const schemas = { Short: { maxLength: 1 }, Long: { maxLength: 2 } };
    const field = (name: string) =>
      taking({ properties: { a: { $ref: `#/components/schemas/${name}` } } });
    expect(changes(api(field('Long'), schemas), api(field('Short'), schemas))).toEqual([
      'major The `maxLength` of `call body.a` goes from `2` to `1`.',
    ]);
    const both = (name: string) => {
      const field = { $ref: `#/components/schemas/${name}` };
      const Both = { properties: { a: field, b: field } };
      return api(taking({ $ref: '#/components/schemas/Both' }), { ...schemas, Both });
    };
    expect(changes(both('Long'), both('Short'))).toEqual([
      'major The `maxLength` of `Both.a` goes from `2` to `1`.',
      'major The `maxLength` of `Both.b` goes from `2` to `1`.',
    ]);
  });

  it('D-40 a field is renamed only if one alone took its place', () => {
    const fields = (...names: string[]) =>
      api(taking({ properties: Object.fromEntries(names.map((name) => [name, text])) }));
    expect(changes(fields('a'), fields('b'))).toEqual(['major `call body.a` is renamed to `b`.']);
    expect(changes(fields('a', 'b'), fields('c'))).toEqual([
      'major `call body.a` is removed.',
      'major `call body.b` is removed.',
      'minor `call body.c` is new.',
    ]);
    expect(changes(fields('a'), fields('b', 'c'))).toEqual([
      'major `call body.a` is removed.',
      'minor `call body.b` is new.',
      'minor `call body.c` is new.',
    ]);
  });

  it.each<[JsonObject, JsonObject]>([
    ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
      (keyword): [JsonObject, JsonObject] => [{ [keyword]: 2 }, { [keyword]: 3 }],
    ),
    ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
      (keyword): [JsonObject, JsonObject] => [{ [keyword]: 3 }, { [keyword]: 2 }],
    ),
    [{}, { pattern: 'a' }],
    [{}, { multipleOf: 2 }],
    [{}, { uniqueItems: true }],
  ])('D-40 %j allows more than %j', (more, less) => {
    const weights = (before: JsonObject, after: JsonObject) =>
      compareSpecs(api(before), api(after)).map(({ weight }) => weight);
    expect(weights(taking(more), taking(less))).toEqual(['major']);
    expect(weights(taking(less), taking(more))).toEqual(['minor']);
    expect(weights(returning(more), returning(less))).toEqual(['patch']);
    expect(weights(returning(less), returning(more))).toEqual(['major']);
  });

  it('D-40 a limit that only differs allows other values', () => {
    const [before, after] = [{ multipleOf: 2 }, { multipleOf: 3 }];
    expect(changes(api(returning(before)), api(returning(after)))).toEqual([
      'major The `multipleOf` of `call 200` goes from `2` to `3`.',
    ]);
  });

  it('D-40 a limit that allows everything is none', () => {
    const limited = taking({ minLength: 0, uniqueItems: false, dependentRequired: {} });
    expect(changes(api(taking({})), api(limited))).toEqual([]);
    expect(changes(api(taking({})), api(taking({ minimum: 0 })))).toEqual([
      'major `call body` now has `minimum: 0`.',
    ]);
  });
});
