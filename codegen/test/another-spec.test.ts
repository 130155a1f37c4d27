import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../../test/support/free-port.js';
import { configIn } from './support/generate-into.js';
import { runCodegen } from './support/run-codegen.js';
import { emptyProject, repository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

const guide = readFileSync(join(repository, 'docs/guides/editing-the-spec.md'), 'utf8');
const section = guide.slice(guide.indexOf('## Another spec'));

/** Returns the first example of the section in a language, or a later one. */
function example(language: string, index = 0): string {
  const all = [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  return all[index]?.[1] ?? '';
}

it('D-42 the configuration of the guide is valid', () => {
  expect(configIn(example('yaml', 1)).headersOfServer).toEqual(['X-Request-Id']);
});

it('D-42 the layout has any folders', async () => {
  const { root, write } = emptyProject();
  write('notes.yaml', example('yaml'));
  const files: string[] = [];
  for (const [out = '', contract, server, client] of [
    ['one', 'types', 'src/deep/http', 'sdk/'],
    ['two', '.', './server', 'client'],
  ]) {
    write('adx.yaml', JSON.stringify({ layout: { folders: { contract, server, client } } }));
    const run = (...more: string[]) =>
      runCodegen(root, '--spec', 'notes.yaml', '--out', out, '--config', 'adx.yaml', ...more);
    const remedy = '23 out of date. Run adx-codegen without --check.';
    expect((await run('--check')).stderr).toContain(remedy);
    expect(await run()).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await run()).stdout).toBe('1 operation, 23 files, all up to date.\n');
    files.push(`${out}/${server}/index.gen.ts`, `${out}/${client}/index.gen.ts`);
  }
  expect(typeCheck(root, files)).toEqual([]);
});

it('D-42 the example of the guide compiles strictly with its packages, and prints what it says', async () => {
  const { root, write } = emptyProject();
  const commands = example('sh').split('\n');
  const installed = commands.flatMap(
    (line) => /^npm install (?:--save-dev )?(.+)/.exec(line)?.[1] ?? [],
  );
  installFromHere(root, installed.join(' ').split(' '));
  write('notes.yaml', example('yaml'));
  write('program.ts', example('ts').replaceAll('8080', String(await freePort())));

  const argumentsOf = (program: string) =>
    commands
      .find((line) => line.includes(`${program} `))
      ?.split(`${program} `)[1]
      ?.split(' ') ?? [];
  const { exitCode, stdout } = await runCodegen(root, ...argumentsOf('adx-codegen'));
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/\n1 operation, 23 files, 23 written\.\n$/);

  const run = (script: string, program: string) =>
    spawnSync(
      process.execPath,
      [join(repository, 'node_modules', script), ...argumentsOf(program)],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
  expect(run('typescript-7/bin/tsc', 'npx tsc')).toMatchObject({ status: 0, stdout: '' });
  const [, printed] = /these commands in the same folder print `([^`]+)`/.exec(section) ?? [];
  expect(run('tsx/dist/cli.mjs', 'npx tsx').stdout).toBe(`${printed}\n`);
});

/** Puts packages of this repository, and no others, into a project. */
function installFromHere(root: string, names: readonly string[]): void {
  rmSync(join(root, 'node_modules'));
  rmSync(join(root, 'tsconfig.json'));
  for (const name of names) {
    mkdirSync(join(root, 'node_modules', dirname(name)), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), join(root, 'node_modules', name));
  }
}
