import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { programPath } from '../../packages/server/test/support/program-path.js';
import { oneIn } from '../support/rounds.js';

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

interface Program {
  readonly name: string;
  readonly start: readonly string[];
  /** Arguments with which it only writes to standard output, and only to standard error. */
  readonly speaks: readonly string[];
  readonly complains: readonly string[];
  /** The exit code if nobody reads standard output. */
  readonly whenClosed: number;
}

const missing = 'no-such-file.cod';
const programs: readonly Program[] = [
  {
    ...{ name: 'adx-server', start: [programPath('adx-server')], whenClosed: 141 },
    ...{ speaks: ['--help'], complains: ['nonsense'] },
  },
  {
    ...{ name: 'adx', start: [programPath('adx')], whenClosed: 141 },
    ...{ speaks: ['completion', 'bash'], complains: ['nonsense'] },
  },
  {
    ...{ name: 'adx-statements', start: [programPath('adx-statements')] },
    ...{ speaks: ['--help'], complains: ['show', missing], whenClosed: 141 },
  },
  {
    ...{ name: 'adx-codegen', start: [pathOf('codegen/bin/adx-codegen.mjs')], whenClosed: 141 },
    ...{ speaks: ['--help'], complains: ['--nonsense'] },
  },
  {
    // It must always stop what it has started, so it takes no notice.
    ...{ name: 'adx-sandbox', start: [programPath('adx-sandbox')], whenClosed: 0 },
    ...{ speaks: ['--help'], complains: ['--data', '/nowhere', 'firm', 'list'] },
  },
];

/** Runs a program, whose standard output or standard error may be a pipe that nobody reads. */
async function run(
  { start }: Program,
  parameters: readonly string[],
  closed?: 'stdout' | 'stderr',
) {
  const child = spawn(process.execPath, [...start, ...parameters], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (closed !== undefined) child[closed].destroy();
  const read = (stream: 'stdout' | 'stderr') => (closed === stream ? '' : text(child[stream]));
  const [stdout, stderr] = await Promise.all([
    read('stdout'),
    read('stderr'),
    once(child, 'close'),
  ]);
  return { exitCode: child.exitCode, stdout, stderr };
}

test.each(oneIn(5, programs))(
  'operations: $name ends quietly if nobody reads its output',
  async (program) => {
    expect(await run(program, program.speaks, 'stdout')).toEqual({
      ...{ exitCode: program.whenClosed, stdout: '', stderr: '' },
    });
    const open = await run(program, program.complains);
    expect(open).toMatchObject({ stdout: '', stderr: expect.stringMatching(/./) });
    expect(open.exitCode).toBeGreaterThan(0);
    expect(await run(program, program.complains, 'stderr')).toEqual({ ...open, stderr: '' });
  },
);
