import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '@adx/contract';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { sections } from '../../../docs/site/pages.js';
import { readCodeBlocks } from '../../../test/partners/code-blocks.js';
import { programPath } from '../../server/test/support/program-path.js';
import { customerColumns } from '../src/import/read-customer-rows.js';
import { createProgram } from '../src/program.js';
import { writeProfile } from '../src/settings/profile.js';
import { startFirm } from './support/firm.js';
import { folderOfTest, newFolder } from './support/folders.js';
import { runAdx } from './support/run-adx.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Returns the options by command. The table leaves out those of `create`. */
function described(): Record<string, string[]> {
  const cells = [...readme.matchAll(/^\| (`adx [^|]+`) \|/gm)].map(([, cell = '']) => cell);
  const synopses = cells.flatMap((cell) => [...cell.matchAll(/`adx ([^`]+)`/g)]);
  return Object.fromEntries(
    synopses.map(([, text = '']) => [
      /^[a-z-]+( [a-z]+)*/.exec(text)?.[0] ?? '',
      [...text.matchAll(/--[a-z-]+/g)].map(([option]) => option).sort(),
    ]),
  );
}

function existing(command: Command, before: string): [string, string[]][] {
  return command.commands.flatMap((each): [string, string[]][] => {
    const name = `${before}${each.name()}`;
    // The operations are those of the reference.
    if (name === 'call') return [[name, ['--body']]];
    if (each.commands.length > 0) return existing(each, `${name} `);
    if (each.name() === 'help' || name === 'completion words') return [];
    return [[name, each.options.map(({ long }) => long ?? '').sort()]];
  });
}

test('D-51 the README describes exactly the commands that exist, with all their options', () => {
  // The commands are not run, so they need no context.
  const commands = Object.fromEntries(existing(createProgram({} as never), ''));
  expect(commands['customers create']).toContain('--contact-email');
  expect(commands['customers update']).toContain('--name');
  const some = { 'customers create': ['--enterprise-number'], 'customers update': ['--name'] };
  expect(described()).toEqual({ ...commands, ...some });
});

/** Returns the commands and groups of commands, with their words after `adx`. */
function wordsOf(command: Command, words: readonly string[] = []): string[][] {
  return command.commands.flatMap((each) => {
    const own = [...words, each.name()];
    return [own, ...wordsOf(each, own)];
  });
}

const commands = wordsOf(createProgram({} as never)).filter(
  (words) => !['help', 'words'].includes(words.at(-1) ?? ''),
);

test('D-51 the help of each command has an example that can be run, and the address of its page', async () => {
  expect(commands.length).toBeGreaterThan(50);
  const pages = new Set(sections.flatMap((section) => section.pages.map(({ path }) => path)));
  const env = { ADX_URL: 'https://adx.kantoor.example/v1' };
  for (const words of commands) {
    const { stdout } = await runAdx([...words, '--help'], { env });
    const [, example = '', address = ''] =
      /\nExample:\n {2}(.+)\n\nDocumentation:\n {2}(.+)\n$/.exec(stdout) ?? [];
    expect(stdout.split('\nExample:\n'), words.join(' ')).toHaveLength(2);
    expect(`${example} `, words.join(' ')).toContain(`adx ${words.join(' ')} `);
    const [page = '', anchor] = address.replace('https://adx.kantoor.example/docs/', '').split('#');
    if (page === 'reference/index.html') {
      expect(Object.keys(operations)).toContain(anchor?.replace('operation/', ''));
    } else {
      expect([...pages].map((path) => `${path}.html`)).toContain(page);
      const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading.toLowerCase().replaceAll(' ', '-'),
      );
      if (anchor !== undefined) expect(headings).toContain(anchor);
    }
    const line = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
    const { stderr } = await runAdx(line.slice(1));
    expect(stderr, example).not.toMatch(
      /^error: (There (is no (option|command)|are)|The |--|<)(?!profile)/,
    );
  }
});

test('D-51 a wrong option of each command is one JSON object on standard error with --json', async () => {
  for (const words of commands) {
    const { exitCode, stdout, stderr } = await runAdx([...words, '--json', '--nonsense']);
    expect([exitCode, stdout, JSON.parse(stderr)], words.join(' ')).toEqual([
      ...[2, ''],
      { code: 'wrongUse', message: expect.stringMatching(/^[A-Z].*\. Add --help for help\.$/) },
    ]);
  }
});

test('D-51 help has the addresses of the service that --profile names, and of each default the options', async () => {
  const profileFolder = await folderOfTest();
  const signIn = { apiKey: 'k', username: 'els', signedInOn: '2026-03-02T08:00:00Z' };
  for (const name of ['default', 'staging']) {
    await writeProfile(profileFolder, name, { ...signIn, url: `https://${name}.example/v1` });
  }
  for (const parameters of [
    ['--profile', 'staging', 'uploads', '--help'],
    ['help', 'uploads', '--profile=staging'],
  ]) {
    const { stdout, exitCode } = await runAdx(parameters, { profileFolder });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('  --status <status> ')]);
    expect(stdout).toContain('  https://staging.example/docs/guide/uploads.html\n');
  }
  expect((await runAdx(['uploads', 'show', '--help'])).stdout).not.toContain('--status');
});

test('D-51 help without a known service has the address of the package', async () => {
  const { homepage } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  for (const parameters of [['--help'], ['push', '--help']]) {
    const { stdout } = await runAdx(parameters);
    expect(stdout).toContain(`\nDocumentation:\n  ${homepage}`);
  }
});

test('D-51 the README has the columns of an import; `npx vitest run readme -u` writes them', async () => {
  const rows = [...customerColumns].map(([name, { meaning, isOptional }]) => {
    return `| \`${name}\` | ${meaning}${isOptional === true ? '; may be absent' : ''} |\n`;
  });
  const [before = '', after = ''] = readme.split(/(?<=\| Column \| Content \|\n.*\n)(?:\|.*\n)+/);
  await expect(before + rows.join('') + after).toMatchFileSnapshot('../README.md');
});

test('D-51 the README goes from the first steps to the rest', () => {
  const [before = '', ...sections] = readme.split(/^## /m);
  expect(before).toMatch(/npm install .*adx login\nadx pull/s);
  const headings = sections.map((section) => section.split('\n', 1)[0]);
  expect(headings.slice(0, 3)).toEqual(['Sign in', 'Pull', 'Commands']);
});

test('D-51 the commands of the README run as they are printed', async () => {
  const commands = readCodeBlocks('packages/cli/README.md').filter(
    ({ language, note }) => ['sh', 'bash'].includes(language) && note === '',
  );
  const script = [
    'adx() { "$NODE" "$ADX" "$@"; }',
    ...commands.map(({ source }) => source),
    'complete -p adx',
  ].join('\n');
  const [firm, home] = [await startFirm(), await newFolder()];
  try {
    const { fileName } = await firm.addCoda();
    await writeFile(join(home, '.adx-password'), firm.user.password, { mode: 0o600 });
    const program = { NODE: process.execPath, ADX: programPath('adx') };
    const env = { PATH: process.env['PATH'], HOME: home, ...program, ...firm.env };
    const run = promisify(execFile);
    const { stdout, stderr } = await run('bash', ['--norc', '-euc', script], { cwd: home, env });
    expect(stderr).toBe('');
    expect(stdout).toContain(`${fileName}\n1 written, 1 acknowledged, 0 failed\n`);
    expect(stdout).toContain('Each command reads the password from');
    expect(stdout).toMatch(/complete .*-F _adx adx\n$/);
    expect(await readdir(join(home, 'statements'))).toContain(fileName);
  } finally {
    await rm(home, { recursive: true });
    await firm.service.close();
  }
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined;

test.skipIf(!hasSystemd)('D-51 systemd accepts the units of the README', async () => {
  const folder = await folderOfTest();
  const units = [...readme.matchAll(/`(adx-pull\S*)`:\n\n```ini\n([\s\S]*?)^```/gm)];
  const paths: string[] = [];
  for (const [, name = '', source = ''] of units) {
    paths.push(join(folder, name));
    await writeFile(join(folder, name), source);
  }
  expect(paths).toHaveLength(3);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('D-51 the line of the README for cron says that the drive is missing', async () => {
  const folder = await folderOfTest();
  const [table] = readCodeBlocks('packages/cli/README.md').filter(
    ({ language }) => language === 'text',
  );
  const command = /^\d+ [\d-]+ \* \* \* (.+)$/m.exec(table?.source ?? '')?.[1] ?? '';
  const here = command.replaceAll('/srv', folder);
  const { status, stdout } = spawnSync('sh', ['-c', here], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: `${folder} is not mounted\n` });
});
