// @module-tag long
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.js';
import { filesIn, installPackage } from '../../../test/support/installed-package.js';
import { writeCoda } from '../src/index.js';
import { sample } from './coda/sample-statement.js';
import { payrollFile } from './codb/payroll-file.js';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const compiler = join(resolve('typescript-7/package.json'), '../bin/tsc');

let project: string;
let packed: string[];
beforeAll(async () => {
  project = await installPackage('statements');
  packed = await filesIn(join(project, 'node_modules/@adx/statements'));
  await writeFile(join(project, 'statement.cod'), writeCoda([{ ...sample, movements: [] }]));
  await writeFile(join(project, 'payroll.xml'), payrollFile());
});
afterAll(() => rm(project, { recursive: true, force: true }));

const installed = (path: string) =>
  readFile(join(project, 'node_modules/@adx/statements', path), 'utf8');

async function compile(source: string, types: readonly string[]): Promise<void> {
  const typeRoots = [fileURLToPath(new URL('../../../node_modules/@types', import.meta.url))];
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: types.length > 0 },
    // Checking the libraries of the compiler would take most of the time.
    skipDefaultLibCheck: true,
    ...{ target: 'ES2022', module: 'NodeNext', types, typeRoots },
  };
  await writeFile(join(project, 'main.ts'), source);
  const config = JSON.stringify({ compilerOptions, files: ['main.ts'] });
  await writeFile(join(project, 'tsconfig.json'), config);
  await run(process.execPath, [compiler, '--singleThreaded'], { cwd: project }).catch((error) =>
    expect.fail(error.stdout),
  );
}

async function sizeOf(path: string): Promise<number> {
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Runs lines of a shell in the project, with its commands. */
const shell = (lines: string) =>
  run('bash', ['-ec', `set -o pipefail\n${lines}`], {
    cwd: project,
    env: { ...process.env, PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH']}` },
  });

const pdfPackages = ['pdfkit', 'fontkit', 'dejavu-fonts-ttf'];

describe('statements: the package', () => {
  test('statements: contains the build, README and licence', () => {
    expect(packed.filter((path) => !path.startsWith('dist/'))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    expect(packed).toContain('dist/index.d.ts');
  });

  test('statements: its types need no other packages', async () => {
    await compile(
      "export * from '@adx/statements'; export * as pdf from '@adx/statements/pdf';",
      [],
    );
  });

  test('D-46 it is installed with less than 2 MB, and the lengths of IBANs with it', async () => {
    const modules = join(project, 'node_modules');
    expect(await readdir(modules)).toEqual(['.bin', '.package-lock.json', '@adx', 'ibantools']);
    expect(await sizeOf(modules)).toBeLessThan(2_000_000);
  });

  test('D-46 a PDF without the optional packages is an error that says how to install them', async () => {
    await writeFile(
      join(project, 'print.mjs'),
      `import { renderTextPdf } from '@adx/statements/pdf';
      const blocks = [{ kind: 'paragraph', text: 'Text' }];
      const document = { title: '', subject: '', language: 'en', date: '2026-02-03', blocks, footer: () => '' };
      await renderTextPdf(document).catch((error) => console.log(error.message, error.cause.code));`,
    );
    const { stdout } = await run(process.execPath, ['print.mjs'], { cwd: project });
    expect(stdout).toBe(
      `@adx/statements/pdf needs pdfkit, fontkit and dejavu-fonts-ttf. Install them: npm install ${pdfPackages.join(' ')} ERR_MODULE_NOT_FOUND\n`,
    );
  });

  test('statements: every example of the README compiles and runs', async () => {
    const readme = await installed('README.md');
    for (const name of pdfPackages) {
      const source = fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url));
      await symlink(source, join(project, 'node_modules', name));
    }
    const printed: string[] = [];
    for (const [, example = ''] of readme.matchAll(/```ts\n(.*?)```/gs)) {
      await compile(example, ['node']);
      printed.push((await run(process.execPath, ['main.js'], { cwd: project })).stdout);
    }
    expect(printed).toEqual([
      '',
      'Groep S – Sociaal Secretariaat 202401 2\n',
      'BE71096123456769 1\n',
    ]);
    expect(await readFile(join(project, 'statement.pdf'), 'latin1')).toMatch(/^%PDF-/);
  });

  test('D-46 every command of the README runs', async () => {
    const readme = await installed('README.md');
    const commands = [...readme.matchAll(/^npx (adx-statements .*)$/gm)].map((match) => match[1]);
    expect(commands.length).toBeGreaterThan(3);
    await shell(commands.join('\n'));
    expect(JSON.parse(await readFile(join(project, 'findings.json'), 'utf8'))).toHaveLength(1);
    expect(await readFile(join(project, 'movements.csv'), 'utf8')).toMatch(
      /^\uFEFFaccount;currency;/,
    );
    expect(await readFile(join(project, 'statement.xml'), 'utf8')).toContain('camt.053.001.02');
    await expect(shell('adx-statements check nothing.cod')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing.cod'),
    });
    await shell('adx-statements --help | head -c 1');
  });

  test('D-46 a file that is read as standard input is not overwritten', async () => {
    const convert = 'adx-statements convert --to json --out statement.cod - < statement.cod';
    await expect(shell(convert)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('statement.cod would be overwritten, but it is read too'),
    });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('D-46 %s leaves no unfinished file', async (signal, exitCode) => {
    const written = async () => (await readdir(project)).filter((name) => /^stopped/.test(name));
    const command = join(project, 'node_modules/.bin/adx-statements');
    const convert = spawn(command, ['convert', '--to', 'json', '--out', 'stopped.json', '-'], {
      cwd: project,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = once(convert, 'exit');
    await eventually(written, (names) => names.length === 1);
    convert.kill(signal);
    expect(await ended).toEqual([exitCode, null]);
    expect(await written()).toEqual([]);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'D-46 output that cannot be written is no refusal: exit code 2',
    async () => {
      await expect(shell('adx-statements --help > /dev/full')).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^error: standard output cannot be written/),
      });
    },
  );
});
