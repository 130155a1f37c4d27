// @module-tag long
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateInto } from './support/generate-into.js';
import { parameterTables } from './support/parameter-tables.js';
import { specWithParameters } from './support/spec-with-parameters.js';
import { addSources, repository, temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

/** Tables of parameters that `findContacts` has, and what becomes of the queries. */
const tables = Object.entries({
  'an integer': 'count',
  'a number': 'ratio',
  'a boolean': 'isActive',
  'a text': 'word',
  'a list': 'counts',
}).map(([name, parameter]) => {
  const { reads = {}, refuses = {} } = parameterTables.find((each) => each.name === name) ?? {};
  const refused = Object.values(refuses).flat();
  const all = [...Object.entries(reads), ...refused.map((query) => [query, 'status 400'] as const)];
  // A parameter without a value is refused here.
  const expected = all
    .filter(([query]) => !/^p=?$/.test(query))
    .map(([query, value]) => [query.replaceAll(/(?<=^|&)(p|%70)(?=[=&[]|$)/g, parameter), value]);
  return [name, { parameter, expected: Object.fromEntries(expected) }] as const;
});

interface Output {
  readonly handled: readonly unknown[];
  readonly got: Readonly<Record<string, Answer>>;
}
/** A response, or what the handler of a query of the tables got. */
interface Answer {
  readonly status: number;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: unknown;
  readonly path?: unknown;
  readonly body: { readonly error: string; readonly fields: unknown; readonly details: unknown[] };
}

let removeRepository = () => {};
let output: Output;
let compilerErrors: readonly string[];
let headersOf: (name: string) => unknown;

/** Generates from the edited spec, and runs the service and the client with it. */
beforeAll(async () => {
  const spec = specWithParameters();
  const { root, pathOf } = temporaryRepository(spec, (remove) => {
    removeRepository = remove;
  });
  addSources(root, 'packages/server/src');
  addSources(root, 'packages/client/src');
  await generateInto(root, spec);
  const program = pathOf('program.ts');
  cpSync(join(repository, 'codegen/test/programs/contacts.ts'), program);
  compilerErrors = typeCheck(root, [program]);
  const outfile = pathOf('program.mjs');
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['adx-source'],
    packages: 'external',
    plugins: [
      {
        name: 'sources',
        setup({ onResolve }) {
          onResolve({ filter: /^@adx\/contract/ }, ({ path }) => ({
            path: pathOf(`packages/contract/src/${path.split('/')[2] ?? 'index'}.ts`),
          }));
          onResolve({ filter: /^@adx\/command\// }, ({ path }) => ({
            path: join(repository, `${path.replace('@adx/command', 'packages/command/src')}.ts`),
          }));
        },
      },
    ],
  });
  const queries = tables.flatMap(([, { expected }]) => Object.keys(expected));
  const parameters = [outfile, JSON.stringify(queries)];
  const text = execFileSync(process.execPath, parameters, { encoding: 'utf8' });
  output = JSON.parse(text);
  headersOf = (name) => output.got[name];
});
afterAll(() => removeRepository());

describe('codegen: an operation with parameters of the query and of headers works by generating alone', () => {
  it('it compiles in the service and in the client', () => {
    expect(compilerErrors.filter((each) => each.startsWith('program.ts'))).toEqual([]);
  });

  it('the handler gets what the client was given, with the declared types', () => {
    expect(output.handled[0]).toEqual({
      query: { name: 'Jan & co', languages: ['nl', 'fr'], atMost: 3, isActive: false },
      headers: { 'X-Region': 'a,b', 'X-Count': 2 },
    });
    expect(output.handled[1]).toEqual({ query: { name: 'Jan', atMost: 10 }, headers: {} });
  });

  it('every page of a list is requested with the same parameters', () => {
    const sent = { query: { languages: ['de'] }, headers: { 'X-Region': 'c' } };
    expect(output.handled.slice(2, 4)).toEqual([
      { ...sent, body: { search: 'jan', limit: 1, offset: 0 } },
      { ...sent, body: { search: 'jan', limit: 1, offset: 1 } },
    ]);
    expect(output.got['search']).toEqual(['Jan']);
  });

  it('a value may have characters that need not be encoded, and a plus for a space', () => {
    expect(output.handled).toContainEqual({
      query: { name: 'Jan Els:a,b', atMost: 10 },
      headers: {},
    });
  });

  it('a list may have one value', () => {
    expect(output.handled).toContainEqual({
      query: { name: 'Jan', languages: ['nl'], atMost: 10 },
      headers: {},
    });
  });

  it.each([
    ['nothing', ['name']],
    ['wrong values', ['name', 'languages.0', 'atMost', 'isActive', 'X-Count']],
    ['a value twice', ['name']],
    ['an empty value', ['name']],
  ])('D-03 %s: refused with the names of the parameters', (name, paths) => {
    const { status, body } = output.got[name] ?? {};
    expect([status, body?.error]).toEqual([400, 'validationFailed']);
    const details = body?.details as { path: string; message: string }[];
    expect(details.map(({ path }) => path).sort()).toEqual(paths.toSorted());
  });

  it.each(tables)('D-42 %s is what was sent', (_, { parameter, expected }) => {
    const got = Object.keys(expected).map((query) => {
      const { status, query: values } = output.got[query] ?? {};
      return [query, values ? values[parameter] : `status ${status}`];
    });
    expect(Object.fromEntries(got)).toEqual(expected);
  });

  it.each([
    ['12', 12],
    ['%31%32', 12],
    ['0x1F', 400],
    ['1e999', 400],
    ['9007199254740993', 400],
  ])('D-42 a number of a path or a header is what was sent: %s', (text, expected) => {
    const [path, header] = [output.got[`path ${text}`], output.got[`header ${text}`]];
    const isRefused = expected === 400;
    expect(path).toMatchObject(isRefused ? { status: 400 } : { path: { number: expected } });
    // A header has no encoding.
    if (text.startsWith('%')) expect(header).toMatchObject({ status: 400 });
    else
      expect(header).toMatchObject(
        isRefused ? { status: 400 } : { headers: { 'X-Count': expected } },
      );
  });

  it('D-05 a parameter with marks that change the direction of text is refused as such', () => {
    expect(output.got['direction']?.body.details).toEqual([
      { path: 'name', message: expect.stringContaining('direction of text') },
    ]);
  });

  it('D-05 all names that are not declared are unknown fields', () => {
    expect(output.got['unknown names']).toEqual({
      status: 400,
      body: { error: 'unknownField', fields: ['naam', 'lang[a]'] },
    });
  });

  it('a header of the response is sent, and web pages may read it and send the headers of requests', () => {
    expect(headersOf('headers')).toMatchObject({
      'x-total': '8',
      'access-control-expose-headers': expect.stringMatching(/X-Request-Id.*, X-Total$/),
    });
    expect(headersOf('preflight')).toMatchObject({
      'access-control-allow-headers': expect.stringMatching(/x-api-key.*, X-Region, X-Count$/),
    });
  });
});
