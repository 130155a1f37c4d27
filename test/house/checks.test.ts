import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runCodegen } from '../../codegen/test/support/run-codegen.js';
import { repository, runCommand } from '../support/run-command.js';

test('house: openapi.yaml is clean under the lint rules, examples included', {
  tags: 'long',
}, async () => {
  await runCommand('node', ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--format=stylish']);
});

test('house: the generated files match openapi.yaml', async () => {
  // This process has loaded the libraries for other tests.
  const { exitCode, stderr } = await runCodegen(repository, '--check');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('house: every source file is formatted and free of lint findings', {
  tags: 'long',
}, async () => {
  await runCommand('node', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
});

test('house: every source file passes the compiler', async () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  // npm itself would take CPU time.
  await runCommand('sh', ['-c', scripts.typecheck]);
});

test('house: modules that test files share have no hooks', () => {
  const packages = readdirSync(join(repository, 'packages')).map((name) => `packages/${name}/test`);
  const folders = ['codegen/test', 'test', 'tools/test', ...packages].filter((folder) =>
    existsSync(join(repository, folder)),
  );
  const hooks = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.(test|prove)\.ts$/.test(name))
      .map((name) => join(folder, name))
      .filter((file) =>
        /^(before|after)(All|Each)\(/m.test(readFileSync(join(repository, file), 'utf8')),
      ),
  );
  // A shared module is loaded once per process, so only the first test file would have its hook.
  // These two are loaded for each test file (`setupFiles`).
  expect(hooks.sort()).toEqual([
    'test/support/count-cpu.ts',
    'test/support/expect-documented-answers.ts',
  ]);
});

// A table `Record<Product, …>`, a `switch` or `in` names the place when a product is added.
test('house: no source compares with a product, so that the compiler names each place', () => {
  const compared = sourcesBelow(['packages', 'docs'])
    .filter((file) => !/\/test\/|\/db\/schema\/|^packages\/statements/.test(file))
    .filter((file) =>
      /[!=]== 'cod[ab]'|'cod[ab]'(,| \|) 'cod[ab]'/i.test(
        readFileSync(join(repository, file), 'utf8'),
      ),
    );
  expect(compared).toEqual([]);
});

test('house: comments fit 100 columns', () => {
  const long = sourcesBelow(['codegen', 'docs', 'packages', 'test', 'tools']).flatMap((file) =>
    readFileSync(join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isLongComment(line) ? [`${file}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

test('house: a folder of sources has at most 15 files', () => {
  const counts = new Map<string, number>();
  for (const file of sourcesBelow(['codegen', 'docs', 'packages', 'tools'])) {
    const folder = dirname(file);
    if (!/\/test(\/|$)/.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
});

/** Returns the paths of handwritten sources. */
function sourcesBelow(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter(
      (file) => /\.(?:tsx?|js|mjs|vue)$/.test(file) && !/node_modules|\bdist\b|\.gen\./.test(file),
    );
}

/**
 * Returns true for a comment beyond 100 columns, unless it is code, or an instruction to a tool.
 */
function isLongComment(line: string): boolean {
  return line.length > 100 && /^\s*(?:\/\/|\/?\*)(?!.*(?:@example|biome-ignore))/.test(line);
}
