import { basename } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderSchemaTypes } from '../src/emit/contract/schema-types.js';
import { corpus } from './support/corpus.js';
import { filesOf, generateInto, openapi, renderAnew } from './support/generate-into.js';
import { temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

const specifications = [...corpus('valid'), { name: 'openapi.yaml', text: openapi }];

describe('codegen: emitted files', () => {
  it('are these', async () => {
    expect([...(await filesOf(openapi)).keys()].sort()).toEqual([
      'docs/generated/samples.gen.ts',
      'packages/client/src/generated/client.gen.ts',
      'packages/client/src/generated/models.gen.ts',
      'packages/contract/src/generated/errors.gen.ts',
      'packages/contract/src/generated/models.gen.ts',
      'packages/contract/src/generated/openapi-lines.gen.json',
      'packages/contract/src/generated/openapi.gen.json',
      'packages/contract/src/generated/operations.gen.ts',
      'packages/contract/src/generated/schema.gen.ts',
      'packages/server/src/generated/handlers.gen.ts',
      'packages/server/src/generated/router.gen.ts',
    ]);
  });

  // For openapi.yaml itself the next test shows it.
  it.each(corpus('valid'))('of $name are the same every time', async ({ text }) => {
    expect((await renderAnew(text)).files).toEqual(await filesOf(text));
  });

  it('do not depend on the line ends of the specification', async () => {
    expect(await filesOf(openapi.replaceAll('\n', '\r\n'))).toEqual(await filesOf(openapi));
  });

  it.each(specifications)('of $name are tidy', async ({ text }) => {
    for (const [path, file] of await filesOf(text)) {
      expect(file.endsWith('\n') && !file.endsWith('\n\n'), path).toBe(true);
      expect(file, path).not.toMatch(/\t|\r| $/m);
      if (path.endsWith('.json')) continue;
      expect(file.split('\n')[0], path).toBe(
        '// Generated from openapi.yaml by `npm run generate`. Do not edit.',
      );
    }
  });

  // The compiler is run once for all of them: most of its time goes into the libraries.
  it('of every specification compile', async () => {
    const roots = new Map<string, string>();
    const files: string[] = [];
    for (const { name, text } of specifications) {
      const { root, pathOf } = temporaryRepository(text);
      roots.set(name, root);
      const generated = await generateInto(root, text);
      const contract = ['index.ts', 'spec.ts'].map((file) => `packages/contract/src/${file}`);
      files.push(...generated.filter((path) => path.endsWith('.ts')), ...contract.map(pathOf));
    }
    const [first = ''] = roots.values();
    const complaints = typeCheck(first, files).map((complaint) =>
      [...roots].reduce((text, [name, root]) => text.replaceAll(basename(root), name), complaint),
    );
    expect(complaints).toEqual([]);
  });
});

describe('codegen: schema types', () => {
  it.each(specifications)('of $name are what openapi-typescript itself makes', async ({ text }) => {
    const document = parse(text);
    const nodes = await openapiTypescript(structuredClone(document), {
      defaultNonNullable: false,
      silent: true,
    });
    const remark = ' (enum property replaced by openapi-typescript)';
    const theirs = astToString(nodes).replaceAll(/^ +/gm, '').replaceAll(remark, '');
    expect(renderSchemaTypes(document).replaceAll(/^ +/gm, '')).toBe(theirs);
  });

  it('do not change the document they are made of', () => {
    const document = parse(openapi);
    renderSchemaTypes(document);
    expect(document).toEqual(parse(openapi));
  });
});
