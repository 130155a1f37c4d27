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
      "openapi.yaml:107:42 plain-form exclusiveMinimum: true belongs to OpenAPI 3.0; write exclusiveMinimum: 0, without minimum.",
      "openapi.yaml:108:32 plain-form The examples of a schema are a list; write only the values.",
      "openapi.yaml:109:32 plain-form nullable belongs to OpenAPI 3.0; write type: [integer, 'null'].",
      "openapi.yaml:110:53 plain-form nullable belongs to OpenAPI 3.0; write type: [string, 'null'].",
      "openapi.yaml:111:67 plain-form nullable belongs to OpenAPI 3.0; write anyOf with { type: 'null' }.",
      "openapi.yaml:22:5 plain-form GET /works has no operationId; it is called getWorks.",
      "openapi.yaml:25:61 plain-form An empty enum allows no value; write not: {}.",
      "openapi.yaml:81:11 plain-form OpenAPI ignores a parameter of this name; leave it out.",
      "openapi.yaml:82:61 plain-form nullable_since is not a keyword of schemas, and has no effect; write x-nullable_since.",
      "openapi.yaml:85:15 plain-form PUT /nothing has no operationId; it is called putNothing.",
      "openapi.yaml:85:15 plain-form PUT /nothing has no responses.",
    ]
  `);
  const files = ['calls.ts', 'client/index.gen.ts', 'server/index.gen.ts'];
  expect(typeCheck(root, files)).toEqual([]);
});

it('D-42 a spec of webhooks alone has their types', async () => {
  const project = emptyProject();
  const post = { responses: { 204: { description: 'Seen.' } } };
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Hooks', version: '1' },
    webhooks: { sold: { post } },
  };
  project.write('openapi.yaml', JSON.stringify(spec));
  project.write('tsconfig.json', strictest);
  project.write(
    'use.ts',
    "import type { webhooks } from './contract/index.gen.js';\nexport type Sold = webhooks['sold']['post'];\n",
  );
  const generated = await runCodegen(project.root, '--spec', 'openapi.yaml', '--out', '.');
  expect(generated).toMatchObject({ exitCode: 0, stderr: '' });
  const files = ['use.ts', 'client/index.gen.ts', 'server/index.gen.ts'];
  expect(typeCheck(project.root, files)).toEqual([]);
});

it('D-42 schemas may contain themselves, and have names of types that others are made of', async () => {
  const project = emptyProject();
  const itself = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    Record: { type: 'object', additionalProperties: itself('Record') },
    Omit: { type: 'array', items: itself('Omit') },
    Object: { anyOf: [{ type: 'string' }, { type: 'array', items: itself('Object') }] },
    Free: { type: 'object', additionalProperties: true },
  };
  const content = { 'application/json': { schema: itself('Record') } };
  const get = { responses: { 200: { description: 'Records.', content } } };
  const info = { title: 'Records', version: '1' };
  const spec = { openapi: '3.1.0', info, paths: { '/records': { get } }, components: { schemas } };
  project.write('openapi.yaml', JSON.stringify(spec));
  project.write('tsconfig.json', strictest);
  project.write(
    'use.ts',
    `import type { Free, Object2, Omit2, Record2 } from './contract/index.gen.js';
export const record: Record2 = { one: { two: {} } };
export const omit: Omit2 = [[], [[]]];
export const object: Object2 = ['one', ['two']];
export const free: Free = { anything: true };
`,
  );
  const generated = await runCodegen(project.root, '--spec', 'openapi.yaml', '--out', '.');
  expect(generated).toMatchObject({ exitCode: 0 });
  expect(typeCheck(project.root, ['use.ts', 'client/index.gen.ts'])).toEqual([]);
});

defineCalls(vitest);
