import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Samples, samplesOf } from '../src/emit/samples/samples.js';
import {
  hooks,
  loadLibrary,
  renderSchemaTypes,
  withPlainComments,
} from '../src/libraries/schema-types.js';
import { withTypedSchemas } from '../src/libraries/typed-schemas.js';
import { corpus, things } from './support/corpus.js';
import {
  emitAnew,
  filesOf,
  generateInto,
  modelOf,
  openapi,
  operationIds,
} from './support/generate-into.js';
import { temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

const specs = [...corpus('valid'), { name: 'openapi.yaml', text: openapi }];
const derived = { 'x-derived': expect.anything() };
const contract = 'packages/contract/src/generated';

describe('codegen: emitted files', () => {
  it('have exactly these paths', async () => {
    expect([...(await filesOf(openapi)).keys()].sort()).toEqual([
      'packages/client/src/generated/client.gen.ts',
      'packages/client/src/generated/models.gen.ts',
      `${contract}/described-request.gen.ts`,
      `${contract}/errors.gen.ts`,
      `${contract}/json.gen.ts`,
      `${contract}/models.gen.ts`,
      `${contract}/openapi-lines.gen.json`,
      `${contract}/openapi.gen.json`,
      `${contract}/operations.gen.ts`,
      `${contract}/schema.gen.ts`,
      'packages/server/src/generated/handlers.gen.ts',
      'packages/server/src/generated/router.gen.ts',
    ]);
  });

  it.each(specs)('of $name are the same every time', async ({ text }) => {
    expect(await emitAnew(text)).toEqual(await filesOf(text));
  });

  it('do not depend on the line ends of the spec', async () => {
    expect(await filesOf(things.replaceAll('\n', '\r\n'))).toEqual(await filesOf(things));
  });

  it.each(specs)(
    'of $name have no tabs, no trailing spaces and one line end at the end',
    async ({ text }) => {
      for (const [path, file] of await filesOf(text)) {
        expect(file.endsWith('\n') && !file.endsWith('\n\n'), path).toBe(true);
        expect(file, path).not.toMatch(/\t|\r| $/m);
        if (path.endsWith('.json')) continue;
        expect(file.split('\n')[0], path).toBe(
          '// Generated from openapi.yaml by `npm run generate`. Do not edit.',
        );
      }
    },
  );

  it.each(specs)('contain $name as a value and as lines', async ({ text }) => {
    const files = await filesOf(text);
    const read = (name: string) => JSON.parse(files.get(`${contract}/${name}`) ?? '');
    const value = read('openapi.gen.json');
    expect(value).toEqual(text === openapi ? expect.not.objectContaining(derived) : parse(text));
    const lines = read('openapi-lines.gen.json').join('\n');
    expect(parse(lines)).toEqual(value);
    expect(parse(lines, { version: '1.1' })).toEqual(value);
  });

  // The compiler runs once for all of them, because most of its time goes into the libraries.
  it('compile, and so do the samples', async () => {
    const roots = new Map<string, string>();
    const files: string[] = [];
    for (const { name, text } of specs) {
      const { root, pathOf } = temporaryRepository(text);
      roots.set(name, root);
      const generated = await generateInto(root, text);
      const handwritten = ['index.ts', 'spec.ts'].map((file) => `packages/contract/src/${file}`);
      files.push(...generated.filter((path) => path.endsWith('.ts')), ...handwritten.map(pathOf));
    }
    const model = await modelOf(openapi);
    const { operations } = model;
    const samples = samplesOf(model);
    const { root, write } = temporaryRepository(openapi);
    roots.set('samples', root);
    for (const { id } of operations) {
      files.push(write(`samples/${id}.ts`, sampleIn('TypeScript', id, samples)));
    }
    expect(operations.map(({ id }) => id)).toEqual(operationIds);

    const compilerErrors = typeCheck(root, files).map((compilerError) =>
      [...roots].reduce(
        (text, [name, folder]) => text.replace(basename(folder), name),
        compilerError,
      ),
    );
    expect(compilerErrors).toEqual([]);
  });
});

describe('codegen: schema types', () => {
  it.each(specs)('of $name are those that openapi-typescript writes', async ({ text }) => {
    const { document } = await modelOf(text);
    const nodes = await openapiTypescript(withTypedSchemas(document) as unknown as OpenAPI3, {
      ...hooks(loadLibrary()),
      defaultNonNullable: false,
      silent: true,
    });
    const theirs = withPlainComments(astToString(nodes)).replaceAll(/^ +/gm, '');
    expect(renderSchemaTypes(document).replaceAll(/^ +/gm, '')).toBe(theirs);
  });

  it('have descriptions as editors show them: as text, not as tags', () => {
    const schema = {
      type: 'string',
      format: 'date',
      description: 'The day.\nOf all.',
      default: 'x',
    };
    const name = { type: 'string', enum: ['a'], description: 'The name.' };
    const properties = { day: schema, name, kind: { const: 'b' } };
    const schemas = { Thing: { type: 'object', description: 'Thing.', properties } };
    const types = renderSchemaTypes({ openapi: '3.1.0', components: { schemas } });
    expect(types).toContain('/** Thing. */');
    expect(types).toMatch(/\* The name\.\n +\*\/\n +name\?: "a";\n +kind\?: "b";/);
    expect(types).toContain('* Format: date. The day.\n');
  });

  it('have a type with the name of each schema, for editors, and one of values that may be added', () => {
    const schemas = {
      Thing: { type: 'object', properties: { kind: { $ref: '#/components/schemas/kind' } } },
      kind: { type: 'string', 'x-extensible-enum': ['big', 'small'] },
      Things: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
    };
    const names = { Thing: 'Thing', kind: 'Kind', Things: 'Things' };
    const types = renderSchemaTypes({ openapi: '3.1.0', components: { schemas } }, names);
    expect(types).toContain('    kind: Kind;\n');
    expect(types).toContain('export type Kind = ("big" | "small") | (string & {});\n');
    expect(types).toContain('export type Things = Thing | null;\n');
  });

  it('do not change the document', async () => {
    const { document } = await modelOf(openapi);
    const before = structuredClone(document);
    renderSchemaTypes(document);
    expect(document).toEqual(before);
  });
});

function sampleIn(language: string, id: string, samples: Samples): string {
  const found = samples.get(id)?.find(({ lang }) => lang === language);
  return found?.source ?? expect.fail(`${id} has no sample in ${language}`);
}

/** Returns the arguments that a shell passes to curl, for each of these commands. */
function curlArguments(commands: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\0'; }\n${commands.join('\n')}`;
  const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  return output
    .split('\0\0')
    .slice(0, -1)
    .map((line) => line.split('\0'));
}

describe('codegen: samples', () => {
  it.each(specs)('for curl of $name are the intended command in a shell', async ({ text }) => {
    const model = await modelOf(text);
    const { operations } = model;
    const samples = samplesOf(model);
    const calls = curlArguments(operations.map(({ id }) => sampleIn('curl', id, samples)));
    for (const [index, operation] of operations.entries()) {
      const args = calls[index] ?? [];
      const method = operation.method.toUpperCase();
      expect(args[args.indexOf('--request') + 1]).toBe(method);
      expect(args[args.indexOf('--request') + 2]).toMatch(/^https:\/\/[^{}]+$/);
      const body = args[args.indexOf('--data') + 1];
      if (operation.body) expect(JSON.parse(body ?? '')).toEqual(operation.body.sample);
      else expect(args).not.toContain('--data');
      expect(args.includes('authorization: Bearer <ID_TOKEN>')).toBe(
        operation.credentials?.requiresIdToken,
      );
    }
  });
});
