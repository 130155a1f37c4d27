import { expect, test } from 'vitest';
import { compileProject } from '../support/compile-project.js';
import { runCommand } from '../support/run-command.js';

/** Holds a command to success, showing what it printed where it fails. */
async function expectSuccess(command: string, ...parameters: string[]): Promise<void> {
  const { exitCode, output } = await runCommand(command, ...parameters);
  expect(exitCode, output).toBe(0);
}

test('house: openapi.yaml is clean under the lint rules, examples included', async () => {
  await expectSuccess('npx', 'redocly', 'lint', '--format=stylish');
});

test('house: the generated files are what openapi.yaml says', async () => {
  await expectSuccess('node', 'codegen/bin/adx-codegen.mjs', '--check');
});

test('house: every source file is formatted and free of lint findings', async () => {
  await expectSuccess('npx', 'biome', 'check', '.');
});

test.each([
  'codegen',
  'packages/contract',
  'packages/client',
  'packages/server',
  'packages/statements',
  'docs',
  'test',
])('house: %s passes the compiler', (folder) => {
  expect(compileProject(folder)).toBe('');
});
