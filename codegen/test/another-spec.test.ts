import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    const run = () =>
      runCodegen(root, '--spec', 'notes.yaml', '--out', out, '--config', 'adx.yaml');
    expect(await run()).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await run()).stdout).toBe('1 operation, 20 files, all up to date.\n');
    files.push(`${out}/${server}/index.gen.ts`, `${out}/${client}/index.gen.ts`);
  }
  expect(typeCheck(root, files)).toEqual([]);
});

it('D-42 the example of the guide compiles and prints what the guide says', async () => {
  const { root, write } = emptyProject();
  write('notes.yaml', example('yaml'));
  write('program.ts', example('ts').replaceAll('8080', String(await freePort())));

  const [, command = ''] = /adx-codegen (.+)\n/.exec(example('sh')) ?? [];
  const { exitCode, stdout } = await runCodegen(root, ...command.split(' '));
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/\n1 operation, 20 files, 20 written\.\n$/);
  expect(typeCheck(root, ['program.ts'])).toEqual([]);

  const [, printed] = /these commands in the same folder print `([^`]+)`/.exec(section) ?? [];
  const output = execFileSync(process.execPath, ['--import', 'tsx', 'program.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(output).toBe(`${printed}\n`);
});
