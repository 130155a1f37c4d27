import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findBreak } from '../src/diff/diff-command.js';
import { readNewestRelease } from '../src/diff/releases.js';
import { things } from './support/corpus.js';
import { runCodegen, runProgram } from './support/run-codegen.js';
import { repository, temporaryRepository } from './support/temporary-repository.js';

/** The same with breaking and other changes. */
const edited = things
  .replace('summary: Get token', 'summary: Get a token')
  .replace('operationId: getThing', 'operationId: readThing');

function changed(spec = edited) {
  const { root, write } = temporaryRepository(spec);
  write('releases/1.2.0/openapi.yaml', things);
  write('releases/1.0.0/openapi.yaml', spec);
  write('releases/README.md', '');
  return { root, write };
}

function commit(root: string, path: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
  git('init', '--quiet');
  git('add', path);
  const author = ['-c', 'user.name=Els', '-c', 'user.email=els@example.org'];
  git(...author, 'commit', '--quiet', '--message', 'Edit');
}

const text = `openapi.yaml:73:20 major The \`operationId\` of \`getThing\` becomes \`readThing\`.
openapi.yaml:14:16 patch The \`summary\` of \`getToken\` changes.

2 changes since releases/1.2.0/openapi.yaml: 1 major and 1 patch. After 1.2.0 comes 2.0.0.

### Breaking

- The \`operationId\` of \`getThing\` becomes \`readThing\`.

### Changed

- Descriptions and examples.
`;

describe('D-40 adx-codegen diff', () => {
  it('D-40 --diff prints the changes since the newest release, the next version and the changelog', async () => {
    const { root } = changed();
    expect(await runProgram(root, '--diff', '--spec', 'openapi.yaml')).toEqual({
      exitCode: 1,
      stdout: text,
      stderr: '',
    });
  });

  it('D-40 diff compares two files', async () => {
    const { root } = changed();
    const files = ['releases/1.2.0/openapi.yaml', 'openapi.yaml'];
    expect(await runCodegen(root, 'diff', ...files)).toEqual({
      exitCode: 1,
      stdout: text,
      stderr: '',
    });
  });

  it('D-40 diff reports a part that operations share once', async () => {
    const shared = "x-derived: { responses: { always: { '418': { description: A teapot. } } } }";
    const { root } = changed(things.replace(/^paths:/m, `${shared}\npaths:`));
    const files = ['releases/1.2.0/openapi.yaml', 'openapi.yaml'];
    const { stdout } = await runCodegen(root, 'diff', ...files);
    expect(stdout.match(/Response `418`.*\n.*/g)).toEqual([
      'Response `418` is new.\n    in errors of all operations',
      'Response `418` is new (errors of all operations).\n',
    ]);
  });

  it('D-40 --diff takes a file or a revision of git', { tags: 'long' }, async () => {
    const { root, write } = changed();
    const file = await runCodegen(root, '--diff', 'releases/1.0.0/openapi.yaml');
    expect(file.stdout).toBe('Nothing changed since releases/1.0.0/openapi.yaml.\n');
    expect(file.exitCode).toBe(0);

    commit(root, 'openapi.yaml');
    execFileSync('git', ['tag', 'edited'], { cwd: root });
    write('openapi.yaml', edited.replace('operationId: readThing', 'operationId: getThing'));
    const { exitCode, stdout } = await runCodegen(root, '--diff', 'edited');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('The `operationId` of `readThing` becomes `getThing`.');
    expect(stdout).toContain('since edited:openapi.yaml: 1 major. After 1.0.0 comes 2.0.0.');
  });

  it('D-40 a spec in several files is compared as one, also with a revision of git', {
    tags: 'long',
  }, async () => {
    const { root, pathOf, write } = temporaryRepository('');
    const split = fileURLToPath(new URL('./specs/split/named-in-root/', import.meta.url));
    cpSync(split, pathOf('specs'), { recursive: true });
    write('things.yaml', things);
    const spec = 'specs/openapi.yaml';
    const same = await runCodegen(root, 'diff', 'things.yaml', spec);
    expect(same).toEqual({
      exitCode: 0,
      stdout: 'Nothing changed since things.yaml.\n',
      stderr: '',
    });

    commit(root, 'specs');
    const path = pathOf('specs/schemas/thing.yaml');
    const text = readFileSync(path, 'utf8');
    write('specs/schemas/thing.yaml', text.replace('size:', 'length:'));
    const { exitCode, stdout, stderr } = await runCodegen(root, '--diff', 'HEAD', '--spec', spec);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(/^specs\/schemas\/thing\.yaml:\d+:\d+ major .*renamed to `length`/);
    expect(stdout).toContain('since HEAD:specs/openapi.yaml');

    const inside = await runCodegen(pathOf('specs'), '--diff', 'HEAD', '--spec', 'openapi.yaml');
    expect(inside.stdout).toMatch(/^schemas\/thing\.yaml:\d+:\d+ major .*renamed to `length`/);
    expect(inside.stdout).toContain('since HEAD:specs/openapi.yaml');
  });

  it('D-40 a change that breaks nothing exits with 0', async () => {
    const { root } = changed(things.replace('summary: Get token', 'summary: Get a token'));
    const { exitCode, stdout } = await runCodegen(root, '--diff');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      '\n1 change since releases/1.2.0/openapi.yaml: 1 patch. After 1.2.0 comes 1.2.1.\n',
    );
  });

  it('D-40 a removal has its place in the old spec', async () => {
    const { root } = changed(things.replace(/ {2}\/things:\n(?: {4}.*\n)+/, ''));
    const { stdout } = await runCodegen(root, '--diff');
    const lines = stdout.split('\n').filter((line) => line.includes('is removed'));
    expect(lines[0]).toMatch(/^releases\/1\.2\.0\/openapi\.yaml:\d+:\d+ major `searchThings` \(/);
  });

  it('D-40 --json prints the bump and the changes with their places', async () => {
    const { root } = changed();
    const { stdout } = await runCodegen(root, '--diff', '--json');
    expect(JSON.parse(stdout)).toEqual({
      bump: 'major',
      changes: [
        {
          weight: 'major',
          place: 'openapi.yaml:73:20, getThing',
          text: 'The `operationId` of `getThing` becomes `readThing`.',
        },
        {
          weight: 'patch',
          place: 'openapi.yaml:14:16, getToken',
          text: 'The `summary` of `getToken` changes.',
        },
      ],
    });
    const same = await runCodegen(root, 'diff', 'openapi.yaml', 'openapi.yaml', '--json');
    expect(JSON.parse(same.stdout)).toEqual({ bump: 'none', changes: [] });
  });

  it.each([
    [['--diff', '--nonsense'], "Unknown option '--nonsense'.\n"],
    [['--diff', 'a', 'b'], '--diff takes one revision or file.'],
    [['diff', 'openapi.yaml'], 'diff takes two files'],
    [['diff', 'openapi.yaml', 'openapi.yaml', 'more'], 'diff takes two files'],
    [['--json'], '--json'],
    [['diff', 'https://a.be/b.yaml', 'openapi.yaml'], 'Download the file first.'],

    [['diff', '', 'openapi.yaml'], 'A path is empty.'],
    [['diff', 'a', 'b', '--spec', 'c'], '--spec cannot be used with diff.'],
  ])('D-40 exits with 2 if it cannot compare: %j', async (args, message) => {
    const { root } = changed();
    const { exitCode, stdout, stderr } = await runCodegen(root, ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each([
    [
      ['nowhere.yaml', 'openapi.yaml'],
      'nowhere.yaml is neither a file nor a revision of git with openapi.yaml.',
    ],
    [['openapi.yaml', 'nowhere.yaml'], 'nowhere.yaml cannot be read: no such file or directory.'],
    [['openapi.yaml', 'releases'], 'releases cannot be read: it is a folder.'],
    [['.', 'openapi.yaml'], '. cannot be read: it is a folder.'],
    [['openapi.yaml', '.'], '. cannot be read: it is a folder.'],
    [
      ['HEAD~9', 'openapi.yaml'],
      'HEAD~9 is neither a file nor a revision of git with openapi.yaml.',
    ],
    [
      ['--diff', 'nowhere', '--spec', 'openapi.yaml'],
      'nowhere is neither a file nor a revision of git with openapi.yaml.',
    ],
    [['openapi.yaml', 'empty.yaml'], 'empty.yaml:1:1 yaml The document is empty.'],
    [['list.yaml', 'openapi.yaml'], 'list.yaml:1:1 yaml The document is not a mapping.'],
    [['openapi.yaml', 'broken.yaml'], 'broken.yaml:1:8 yaml This [ is not closed.'],
    [
      ['openapi.yaml', 'package.json'],
      'package.json:1:1 openapi This is not OpenAPI 3.1; its first line is openapi: 3.1.0.',
    ],
    [
      ['openapi.yaml', 'former.yaml'],
      'former.yaml:1:10 openapi This is not OpenAPI 3.1 but 3.0; --upgrade rewrites it.',
    ],
    [
      ['former.yaml', 'openapi.yaml'],
      'former.yaml:1:10 openapi This is not OpenAPI 3.1 but 3.0; --upgrade rewrites it.',
    ],
    [
      ['openapi.yaml', 'openapi.yaml', '--usage', 'nowhere.json'],
      'nowhere.json cannot be read: no such file or directory.',
    ],
  ])('D-40 names in one line what cannot be compared: %j', async (args, message) => {
    const { root, write } = changed();
    write('empty.yaml', '');
    write('list.yaml', '- a\n');
    write('broken.yaml', 'paths: [\n');
    write('former.yaml', 'openapi: 3.0.3\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n');
    const command = args[0] === '--diff' ? args : ['diff', ...args];
    const { exitCode, stdout, stderr } = await runCodegen(root, ...command);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `${message}\n`,
    });
  });

  it('D-40 an operation that goes from a path item in another file is removed', async () => {
    const { root, write } = temporaryRepository(things);
    const get = "get: { operationId: getX, responses: { '200': { description: ok } } }\n";
    const spec =
      'openapi: 3.1.0\ninfo: { title: X, version: 1.0.0 }\npaths: { /x: { $ref: item.yaml } }\n';
    write('old/openapi.yaml', spec);
    write('old/item.yaml', `${get}${get.replace('get:', 'delete:').replace('getX', 'deleteX')}`);
    write('new/openapi.yaml', spec);
    write('new/item.yaml', get);
    const { stdout } = await runCodegen(root, 'diff', 'old/openapi.yaml', 'new/openapi.yaml');
    expect(stdout).toMatch(/^old\/item.yaml:2:1 major `deleteX` \(`DELETE \/x`\) is removed\./);
  });

  it('D-40 exits with 2 if it runs out of memory, and says so', async () => {
    const { root, write } = temporaryRepository(things);
    const field = 'properties: { a: { type: string, description: A field of an object. } }';
    const schemas = Array.from({ length: 4000 }, (_none, index) => `    S${index}: { ${field} }`);
    write('large.yaml', `${things}\n${schemas.join('\n')}\n`);
    vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=24');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { exitCode, stdout, stderr } = await runProgram(root, 'diff', 'large.yaml', 'large.yaml');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^adx-codegen failed, so nothing was compared: .*memory/);
  });

  it('D-40 exits with 2 if there is no release', async () => {
    const { root } = temporaryRepository(things);
    const { exitCode, stderr } = await runCodegen(root, '--diff');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There is no release beside the spec');
  });
});

describe('D-40 the gate', () => {
  it('D-40 openapi.yaml does not break the newest release of its major version', async () => {
    const spec = join(repository, 'openapi.yaml');
    expect(await readNewestRelease(spec, repository)).toBeDefined();
    const report = await findBreak(spec, repository);
    expect(report, report).toBeUndefined();
  });

  it('D-40 the gate fails with what --diff prints', async () => {
    const { root } = changed();
    expect(`${await findBreak(join(root, 'openapi.yaml'), root)}\n`).toBe(text);
  });

  it('D-40 a new major version passes, also beside older ones', async () => {
    const next = edited.replace("version: '1.0'", "version: '2.0'");
    const { root, write } = changed(next);
    expect(await findBreak(join(root, 'openapi.yaml'), root)).toBeUndefined();
    write('releases/2.0.0/openapi.yaml', things);
    expect(await findBreak(join(root, 'openapi.yaml'), root)).toContain('After 2.0.0 comes 3.0.0.');
  });

  it('D-40 a version that is no number is compared with the newest release', async () => {
    const { root } = changed(edited.replace("version: '1.0'", 'version: next'));
    expect(await findBreak(join(root, 'openapi.yaml'), root)).toContain('After 1.2.0 comes 2.0.0.');
  });

  it('D-40 releases are ordered by number', async () => {
    const { root, write } = changed();
    write('releases/1.10.0/openapi.yaml', edited);
    expect(await findBreak(join(root, 'openapi.yaml'), root)).toBeUndefined();
  });
});
