import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiError, type ApiErrorFacts } from '@adx/client';
import { expect, onTestFinished, test } from 'vitest';
import { explain } from '../src/explain.js';
import { exitCodeOf } from '../src/failure.js';
import { newFolder } from './support/folders.js';
import { runAdx, startAdx } from './support/run-adx.js';

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

test('D-51 bash completes commands, options and values', async () => {
  const folder = await newFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'completion');
  await writeFile(file, (await runAdx(['completion', 'bash'])).stdout);
  const complete = async (...words: string[]) => {
    const script = `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _adx; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script, file, ...words]);
    return stdout.trim();
  };
  expect(await complete('adx', 'pu')).toBe('push pull');
  expect(await complete('adx', 'customers', 'im')).toBe('import');
  expect(await complete('adx', 'pull', 'folder', '--la')).toBe('--layout');
  expect(await complete('adx', 'pull', '--layout', '')).toBe('flat tree winbooks');
  expect((await runAdx(['completion', 'zsh'])).stdout).toMatch(
    /^autoload -Uz compinit bashcompinit\n/,
  );
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
