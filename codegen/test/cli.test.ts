import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { header } from '../src/emit/text/comment.js';
import { things } from './support/corpus.js';
import { generateInto } from './support/generate-into.js';
import { here, runCodegen, runProgram } from './support/run-codegen.js';
import { emptyProject, temporaryRepository } from './support/temporary-repository.js';

const models = 'packages/contract/src/generated/models.gen.ts';

async function generated() {
  const { root, pathOf, write } = temporaryRepository(things);
  await generateInto(root, things);
  return { root, pathOf, write };
}

// These tests start the program itself. The others call its command in this process, which is
// faster.
describe('codegen: the program adx-codegen', () => {
  it('writes all files, names each of them and exits with 0', async () => {
    const { root, pathOf } = temporaryRepository(things);
    const { exitCode, stdout, stderr } = await runProgram(root, ...here);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(`created ${models}\n`);
    expect(stdout).toMatch(/\n4 operations, 12 files, 12 written\.\n$/);
    expect(readFileSync(pathOf(models), 'utf8')).toContain('  Thing,');

    expect(await runCodegen(root)).toEqual({
      exitCode: 0,
      stdout: '4 operations, 12 files, all up to date.\n',
      stderr: '',
    });
  });

  it('reports what the linter finds by redocly.yaml together with the other mistakes', {
    tags: 'long',
  }, async () => {
    const spec = things.replace('summary: Get token', 'sumary: Get token');
    const { root, write } = temporaryRepository(spec);
    const rules = {
      'info-license': 'error',
      'operation-summary': 'error',
      'tag-description': 'warn',
    };
    write('redocly.yaml', JSON.stringify({ rules }));
    expect(await runProgram(root, ...here)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: [
        'openapi.yaml:3:1 info-license Info object should contain `license` field.',
        'openapi.yaml:14:7 openapi sumary is not allowed here by OpenAPI 3.1; did you mean summary?',
        '2 findings, nothing generated.\n',
      ].join('\n'),
    });
  });

  it('leaves out that the linter cannot validate examples by a schema that is not valid', {
    tags: 'long',
  }, async () => {
    const { root, write } = temporaryRepository(things.replace('type: string', 'type: strin'));
    write('redocly.yaml', '{ "rules": { "no-invalid-parameter-examples": "error" } }');
    const { stderr } = await runCodegen(root, ...here);
    expect(stderr).toContain('; did you mean string?\n');
    expect(stderr).not.toContain('no-invalid-parameter-examples');
  });

  it('leaves out that the linter finds a component unused whose reference is broken', {
    tags: 'long',
  }, async () => {
    const spec = things.replace('    ThingPage:', '    PageOfThings:');
    const { root, write } = temporaryRepository(spec);
    write('redocly.yaml', '{ "rules": { "no-unused-components": "error" } }');
    const { stderr } = await runCodegen(root, ...here);
    expect(stderr).toMatch(
      /^\S+ reference #\/components\/schemas\/ThingPage leads nowhere\.\n1 finding,/,
    );
  });

  it('leaves out that the linter misses the operationId of a webhook', {
    tags: 'long',
  }, async () => {
    const post = '{ operationId: told, responses: { "200": { description: Heard. } } }';
    const spec = things.replace('paths:\n', `webhooks: { told: { post: ${post} } }\npaths:\n`);
    const { root, write } = temporaryRepository(spec);
    write('redocly.yaml', '{ "rules": { "operation-operationId": "error" } }');
    const { stderr } = await runCodegen(root, ...here);
    expect(stderr).toMatch(/^\S+ effect webhooks has no effect\. .*\n1 finding,/);
  });

  it('exits with 1 if there is no spec', async () => {
    const { root } = temporaryRepository('');
    expect(await runCodegen(root, '--spec', 'nowhere.yaml', '--out', '.')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'nowhere.yaml cannot be read: no such file or directory.\n',
    });
  });

  it.each([
    ['openapi.yaml', 'not a directory'],
    ['/proc/none', 'no such file or directory'],
  ])('says why nothing can be written to %s, and exits with 1', async (out, reason) => {
    const { root } = temporaryRepository(things);
    const { exitCode, stderr } = await runCodegen(root, '--spec', 'openapi.yaml', '--out', out);
    expect(stderr).toMatch(
      new RegExp(`^\\S*${out}\\S* cannot be read or written: ${reason}\\.\n$`),
    );
    expect(exitCode).toBe(1);
  });

  it('exits with 1 if the configuration is missing or wrong', { tags: 'long' }, async () => {
    const { root, write } = temporaryRepository(things);
    write('wrong.yaml', 'rules: { exmples: D-01 }');
    const options = ['--spec', 'openapi.yaml', '--out', '.', '--config'];
    expect(await runCodegen(root, ...options, 'nowhere.yaml')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'nowhere.yaml cannot be read: no such file or directory.\n',
    });
    expect(await runCodegen(root, ...options, 'wrong.yaml')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'wrong.yaml:1:10 config There is no convention exmples; did you mean examples?\n' +
        '1 finding, nothing generated.\n',
    });
  });

  it('exits with 2 if the command line is wrong', async () => {
    const { root } = temporaryRepository(things);
    const { exitCode, stderr } = await runProgram(root, '--check', '--watch');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('adx-codegen [--check | --watch]');
  });
});

describe('codegen: adx-codegen', () => {
  it('writes changed files and removes files that are no longer generated', async () => {
    const { root, pathOf, write } = await generated();
    writeFileSync(pathOf(models), 'edited by hand');
    const extra = write('packages/client/src/generated/old.gen.ts', `${header}\nexport {};`);
    const kept = write('packages/client/src/generated/README.md', 'not generated');
    const ofOthers = ['routeTree.gen.ts', 'graphql.gen.json'].map((name) =>
      write(`packages/client/src/generated/${name}`, '{}'),
    );

    const { exitCode, stdout } = await runCodegen(root);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`changed ${models}\n`);
    expect(stdout).toContain('removed packages/client/src/generated/old.gen.ts\n');
    expect(readFileSync(pathOf(models), 'utf8')).toContain('  Thing,');
    expect(() => readFileSync(extra)).toThrow('ENOENT');
    expect(readFileSync(kept, 'utf8')).toBe('not generated');
    for (const path of ofOthers) expect(readFileSync(path, 'utf8')).toBe('{}');
  });

  it('--check names changed, missing and extra files, and writes nothing', async () => {
    const { root, pathOf, write } = await generated();
    writeFileSync(pathOf(models), 'edited by hand');
    rmSync(pathOf('packages/client/src/generated/client.gen.ts'));
    write('packages/contract/src/generated/openapi.gen.json', '{}\n');
    write('packages/contract/src/generated/spec.gen.ts', header);
    write('packages/server/src/generated/deep/openapi.gen.json', '');

    expect(await runCodegen(root, '--check')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: [
        'missing packages/client/src/generated/client.gen.ts',
        `changed ${models}`,
        'changed packages/contract/src/generated/openapi.gen.json',
        'extra packages/contract/src/generated/spec.gen.ts',
        'extra packages/server/src/generated/deep/openapi.gen.json',
        '4 operations, 12 files, 5 out of date. Run `npm run generate`.',
        '',
      ].join('\n'),
    });
    expect(readFileSync(pathOf(models), 'utf8')).toBe('edited by hand');
  });

  it('--check accepts newly generated files', { tags: 'long' }, async () => {
    const { root } = await generated();
    expect(await runCodegen(root, '--check')).toEqual({
      exitCode: 0,
      stdout: '4 operations, 12 files, all up to date.\n',
      stderr: '',
    });
  });

  it.each([['generate'], ['--check']])(
    'prints findings by place and exits with 1: %s',
    async (mode) => {
      const { root, write, pathOf } = await generated();
      write('openapi.yaml', things.replace('operationId: getThing', 'operationId: GetThing'));
      const before = readFileSync(pathOf(models), 'utf8');

      const { exitCode, stderr } = await runCodegen(root, ...(mode === 'generate' ? [] : [mode]));
      expect(exitCode).toBe(1);
      expect(stderr).toBe(
        'openapi.yaml:73:20 operation-id-form operationId GetThing is not in camelCase. (D-01)\n' +
          '1 finding, nothing generated.\n',
      );
      expect(readFileSync(pathOf(models), 'utf8')).toBe(before);
    },
  );

  it('--spec and --out take another spec and another folder, --config its conventions', async () => {
    const { root, pathOf, write } = temporaryRepository('');
    write('elsewhere/things.yaml', things);
    write('elsewhere/adx.yaml', 'rules: { schema-name: our guide }');
    const options = ['--spec', 'elsewhere/things.yaml', '--out', 'parts'];
    expect(await runCodegen(root, ...options)).toMatchObject({ exitCode: 0, stderr: '' });
    const text = readFileSync(pathOf('parts/contract/models.gen.ts'), 'utf8');
    expect(text).toContain('  Thing,');

    write('elsewhere/things.yaml', things.replaceAll(/\bThing(?=:|')/g, 'thing'));
    const { stderr } = await runCodegen(root, ...options, '--config', 'elsewhere/adx.yaml');
    expect(stderr).toContain(' schema-name Schema thing is not in PascalCase. (our guide)\n');
  });

  it.each([
    ['--nonsense'],
    ['--check', '--watch'],
    ['extra'],
    ['--spec', 'openapi.yaml'],
    ['--out', '.'],
    ['--config', 'adx.yaml'],
  ])('exits with 2 if the command line is wrong: %s %s', async (...args) => {
    const { root } = temporaryRepository(things);
    const { exitCode, stderr } = await runCodegen(root, ...args.filter((arg) => arg));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('adx-codegen [--check | --watch]');
  });

  it.each([['--help'], ['diff', '-h'], ['--diff', '--help']])(
    'prints the usage: %s %s',
    async (...args) => {
      const { root } = temporaryRepository('');
      const { exitCode, stdout } = await runCodegen(root, ...args.filter((arg) => arg));
      expect(exitCode).toBe(0);
      expect(stdout).toContain('--watch');
    },
  );
});

it.each([
  ['UTF-16', Buffer.from('\uFEFFopenapi: 3.1.0\n', 'utf16le'), '1:1'],
  ['ISO 8859-1', Buffer.from('openapi: 3.1.0\ninfo: { title: Pêt shop }\n', 'latin1'), '2:17'],
])('D-42 a spec in %s is refused, with its place and remedy', async (_name, bytes, place) => {
  const { root } = emptyProject();
  writeFileSync(join(root, 'pets.yaml'), bytes);
  const { exitCode, stderr } = await runCodegen(root, '--spec', 'pets.yaml', '--out', '.');
  const message = 'yaml This is not a text in UTF-8. Save the file in this encoding.';
  expect(stderr).toBe(`pets.yaml:${place} ${message}\n1 finding, nothing generated.\n`);
  expect(exitCode).toBe(1);
});
