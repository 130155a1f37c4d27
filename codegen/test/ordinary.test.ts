import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vitest from 'vitest';
import { runCodegen } from './support/run-codegen.js';
import { repository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

const { afterAll, expect, it } = vitest;

const root = mkdtempSync(join(tmpdir(), 'adx-codegen-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

cpSync(join(repository, 'tsconfig.json'), join(root, 'tsconfig.json'));
symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
cpSync(join(repository, 'codegen/test/ordinary'), root, { recursive: true });
const outcome = await runCodegen(root, '--spec', 'openapi.yaml', '--out', '.');
const { defineCalls } = await import(join(root, 'calls.ts'));

it('codegen: an ordinary spec generates parts that compile by themselves', () => {
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  const files = ['calls.ts', 'client/index.gen.ts', 'server/index.gen.ts'];
  expect(typeCheck(root, files)).toEqual([]);
});

it('OpenAPI 3.1 §4.8.10 what is deprecated says so in the client', () => {
  const client = readFileSync(join(root, 'client/client.gen.ts'), 'utf8');
  expect(client).toMatch(/@deprecated[^/]*\*\/\s*deleteDocument\(/);
  expect(client.match(/@deprecated/g)).toHaveLength(1);
});

defineCalls(vitest);
