import { cpSync } from 'node:fs';
import { join } from 'node:path';
import * as vitest from 'vitest';
import { runCodegen } from './support/run-codegen.js';
import { emptyProject, repository, strictest } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

const { afterAll, expect, it } = vitest;

const { root, write } = emptyProject(afterAll);
write('tsconfig.json', strictest);
cpSync(join(repository, 'codegen/test/ordinary/legal'), root, { recursive: true });
const outcome = await runCodegen(root, '--spec', 'openapi.yaml', '--out', '.');
const { defineCalls } = await import(join(root, 'calls.ts'));

it('D-42 a legal spec generates parts that compile, and notes say what to write instead', () => {
  expect(outcome).toMatchObject({ exitCode: 0 });
  expect(outcome.stderr.split('\n').toSorted()).toMatchInlineSnapshot(`
    [
      "",
      "openapi.yaml:22:5 plain-form GET /works has no operationId; it is called getWorks.",
      "openapi.yaml:25:61 plain-form An empty enum allows no value; write not: {}.",
      "openapi.yaml:75:15 plain-form PUT /nothing has no operationId; it is called putNothing.",
      "openapi.yaml:75:15 plain-form PUT /nothing has no responses.",
      "openapi.yaml:95:42 plain-form exclusiveMinimum: true belongs to OpenAPI 3.0; write exclusiveMinimum: 0, without minimum.",
      "openapi.yaml:96:32 plain-form The examples of a schema are a list; write only the values.",
      "openapi.yaml:97:32 plain-form nullable belongs to OpenAPI 3.0; write type: [integer, 'null'].",
      "openapi.yaml:98:53 plain-form nullable belongs to OpenAPI 3.0; write type: [string, 'null'].",
      "openapi.yaml:99:67 plain-form nullable belongs to OpenAPI 3.0; write anyOf with { type: 'null' }.",
    ]
  `);
  const files = ['calls.ts', 'client/index.gen.ts', 'server/index.gen.ts'];
  expect(typeCheck(root, files)).toEqual([]);
});

defineCalls(vitest);
