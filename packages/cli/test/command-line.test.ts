import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ApiError, type ApiErrorFacts } from '@adx/client';
import { eraseLine } from '@adx/command/progress-bar';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../test/support/free-port.js';
import { programPath } from '../../server/test/support/program-path.js';
import { explain } from '../src/explain.js';
import { exitCodeOf } from '../src/failure.js';
import { folderOfTest } from './support/folders.js';
import { expectFailure, runAdx, startAdx } from './support/run-adx.js';

test('D-51 an error that may pass is exit code 1, and says when to try again', () => {
  const facts = { fields: [], details: [], requestId: 'r1', retryAfter: undefined };
  const limited = { ...facts, status: 429, code: 'tooManyRequests', retryAfter: 300 };
  const failed = { ...facts, status: 500, code: 'internalError' };
  const errorOf = (of: ApiErrorFacts) => new ApiError('helloWorld', 'No.', of);
  expect(explain(errorOf(limited))).toBe(
    'No. Wait 300 seconds, then run the command again. [tooManyRequests, request r1]',
  );
  expect(explain(errorOf(failed))).toContain(
    'Run the command again later. If it fails again, give',
  );
  // A proxy has answered, which is no reason for `pull --watch` to end.
  const proxy = { ...facts, status: 404, code: undefined };
  expect([limited, failed, proxy].map((each) => exitCodeOf(errorOf(each)))).toEqual([1, 1, 1]);
});

/** Returns what completes a command line, which ends at the cursor. */
async function complete(line: string): Promise<string[]> {
  const { stdout } = await runAdx(['completion', 'words'], { env: { COMP_LINE: line } });
  return stdout.split('\n').slice(0, -1);
}

test('D-51 completion has commands, options and values, and leaves files to the shell', async () => {
  expect(await complete('adx pu')).toEqual(['push', 'pull']);
  expect(await complete('adx ')).toEqual(expect.arrayContaining(['login', 'uploads', 'call']));
  expect(await complete('adx customers a')).toEqual(['archive']);
  expect(await complete('adx accounts ')).toEqual(['add', 'disable', 'help']);
  expect(await complete('adx call listB')).toEqual(['listBanks']);
  expect(await complete('adx help cu')).toEqual(['customers']);
  expect(await complete('adx customers help a')).toEqual(['archive']);
  expect(await complete('adx call getCustomer --cu')).toEqual(['--customer-id']);
  expect(await complete('adx pull "my folder" --la')).toEqual(['--layout']);
  expect(await complete('adx pull --layout ')).toEqual(['flat', 'tree', 'winbooks']);
  expect(await complete('adx uploads list --status re')).toEqual(['received', 'rejected']);
  expect(await complete('adx --profile x mandates list --status wa')).toHaveLength(3);
  expect(await complete('adx customers create --contact-language ')).toContain('nl');
  expect(await complete('adx --profile files pu')).toEqual(['push', 'pull']);
  expect(await complete('adx hello --p')).toEqual(['--profile']);
  // Folders, files and names are not known here.
  for (const line of [
    'pull ',
    'push a.cod st',
    'login --password-file ',
    'call listBanks --body ',
  ]) {
    expect(await complete(`adx ${line}`)).toEqual([]);
  }
});

const hasShell = (shell: string) => spawnSync(shell, ['--version']).error === undefined;

/** How a shell completes the line in `COMP_LINE`, and prints the words. */
const shells: readonly (readonly [shell: string, script: string])[] = [
  ['bash', `. "$FILE"; _adx; printf "%s\\n" "\${COMPREPLY[@]}"`],
  ['zsh', 'autoload -Uz compinit; compinit -u; . "$FILE"; _adx; print -l $COMPREPLY'],
  ['fish', 'source $FILE; complete -C "$COMP_LINE"'],
];

test.each(shells)('D-51 %s asks the command for the words', async (shell, script) => {
  if (!hasShell(shell)) return;
  const folder = await folderOfTest();
  const { stdout: source } = await runAdx(['completion', shell]);
  await writeFile(join(folder, 'completion'), source);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${programPath('adx')}" "$@"\n`;
  await writeFile(join(folder, 'adx'), program, { mode: 0o755 });
  const words = (line: string) => {
    const PATH = `${folder}:${process.env['PATH']}`;
    const COMP = { COMP_LINE: line, COMP_POINT: String(line.length) };
    const env = { PATH, HOME: folder, FILE: join(folder, 'completion'), ...COMP };
    const { stdout } = spawnSync(shell, ['-c', script], { env, encoding: 'utf8' });
    return stdout.trim().split('\n');
  };
  expect(words('adx pu').sort()).toEqual(['pull', 'push']);
  expect(words('adx pull x --layout w')).toEqual(['winbooks']);
});

test('D-51 the script for PowerShell asks the command for the words, and has its quotes and brackets', async () => {
  const { exitCode, stdout } = await runAdx(['completion', 'powershell']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Register-ArgumentCompleter -Native -CommandName adx -ScriptBlock \{/);
  expect(stdout).toContain('adx completion words | ForEach-Object {');
  for (const [open, close] of ['{}', '()', '[]']) {
    expect(stdout.split(open ?? '').length).toBe(stdout.split(close ?? '').length);
  }
  await expectFailure(runAdx(['completion', 'cmd']), 2, 'There is no script for cmd.');
});

test('D-51 the version is printed, and output that nobody reads is no error message', async () => {
  const { version } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  );
  expect(await runAdx(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  const child = startAdx(['completion', 'bash'], {});
  child.stdout?.destroy();
  await once(child, 'close');
  expect(child.exitCode).toBe(141);
});

test('D-51 pull notes once that calls are repeated, with the address and how long it goes on', async () => {
  const url = `http://127.0.0.1:${await freePort()}/v1`;
  const env = {
    ADX_URL: url,
    ADX_API_KEY: 'adx_none',
    ADX_USERNAME: 'els',
    ADX_PASSWORD: 'geheim',
  };
  const said = `Calls to ${url} or its storage fail. They are repeated up to 8 times, for a minute or longer.`;
  const folder = await folderOfTest();
  for (const [option, expected] of [
    ['--pdf', `note: ${said}\n`],
    ['--json', `${JSON.stringify({ note: said })}\n`],
  ] as const) {
    const child = startAdx(['pull', folder, option], env);
    const [text] = await once(child.stderr ?? expect.fail(), 'data');
    child.kill();
    expect(String(text)).toBe(expected);
    await once(child, 'close');
  }
  // It gives up within a second.
  expect((await runAdx(['hello'], { env })).stderr).toMatch(/^error: [^\n]+\n$/);
});

test('D-51 on a terminal a note erases the progress bar, which is drawn again below it', async () => {
  const busy = createServer((_, response) =>
    response.writeHead(503, { 'retry-after': '1' }).end('{"error":"unavailable"}'),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void busy.close());
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;
  const env = {
    ADX_URL: `http://127.0.0.1:${port}/v1`,
    ...{ ADX_API_KEY: 'adx_none', ADX_USERNAME: 'els', ADX_PASSWORD: 'geheim' },
  };
  const folder = await folderOfTest();
  const file = join(folder, 'a.cod');
  await writeFile(file, 'CODA');
  const push = ['push', join(folder, 'none.cod'), file, '--product', 'coda'];
  const { stderr } = await runAdx(push, { env, isTTY: true });
  expect(stderr.split(eraseLine)).toEqual([
    '',
    expect.stringMatching(/^\[.*1\/2 *$/),
    expect.stringMatching(/^note: Calls to .*\n$/),
    expect.stringMatching(/^\[.*2\/2 *$/),
    expect.stringMatching(/^error: /),
  ]);
});
