import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { readCodeBlocks } from '../../../test/partners/code-blocks.js';
import { programPath } from '../../server/test/support/program-path.js';
import { createProgram } from '../src/program.js';
import { startFirm } from './support/firm.js';
import { newFolder } from './support/folders.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Returns the options that the table of commands has, by command. The table leaves out those of `create`. */
function described(): Record<string, string[]> {
  const cells = [...readme.matchAll(/^\| (`adx [^|]+`) \|/gm)].map(([, cell = '']) => cell);
  const synopses = cells.flatMap((cell) => [...cell.matchAll(/`adx ([^`]+)`/g)]);
  return Object.fromEntries(
    synopses.map(([, text = '']) => [
      /^[a-z]+( [a-z]+)*/.exec(text)?.[0] ?? '',
      [...text.matchAll(/--[a-z-]+/g)].map(([option]) => option).sort(),
    ]),
  );
}

function existing(command: Command, before: string): [string, string[]][] {
  return command.commands.flatMap((each): [string, string[]][] => {
    const name = `${before}${each.name()}`;
    if (each.commands.length > 0) return existing(each, `${name} `);
    return [[name, each.options.map(({ long }) => long ?? '').sort()]];
  });
}

test('D-51 the README describes exactly the commands that exist, with all their options', () => {
  // The commands are not run, so they need no context.
  const commands = Object.fromEntries(existing(createProgram({} as never), ''));
  expect(commands['customers create']).toContain('--contact-email');
  expect(described()).toEqual({ ...commands, 'customers create': ['--enterprise-number'] });
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
    await writeFile(join(home, '.adx-password'), firm.user.password);
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
