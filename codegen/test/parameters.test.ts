// @module-tag long
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateInto } from './support/generate-into.js';
import { specWithParameters } from './support/spec-with-parameters.js';
import { addSources, repository, temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

interface Output {
  readonly handled: readonly unknown[];
  readonly got: Readonly<Record<string, Answer>>;
}
interface Answer {
  readonly status: number;
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
  const text = execFileSync(process.execPath, [outfile], { encoding: 'utf8' });
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
