import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { repository } from '../../../test/support/run-command.js';
import { planRelease } from '../../release/plan.js';
import { type ReleaseOptions, release } from '../../release/release.js';
import type { ReleaseRepository } from './release-repository.js';

const today = '2026-03-02';

/** Runs a release, and gives each line of its output to `say`, which may interrupt it. */
export function run(
  root: string,
  options: Partial<ReleaseOptions>,
  say: (line: string, interrupt: AbortController) => void = () => {},
): Promise<void> {
  const all = { dryRun: false, registry: undefined, provenance: false, ...options };
  const interrupt = new AbortController();
  return release(all, root, today, (line) => say(line, interrupt), interrupt.signal);
}

export const plan = (root: string) => planRelease(root, today);

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in a folder, in an environment without continuous integration. */
export function runCli(root: string, ...args: string[]): Promise<Ended> {
  const cli = join(repository, 'tools/release/cli.ts');
  const tsx = join(repository, 'node_modules/tsx/dist/loader.mjs');
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      ['--import', tsx, cli, ...args],
      { cwd: root, env: { PATH: process.env['PATH'], HOME: process.env['HOME'] } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

/** Expects that a release changed nothing: no file, commit, tag or spec of a release. */
export function expectUntouched({ git, releases }: ReleaseRepository, commits: string): void {
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--format=%s')).toBe(commits);
  expect(git('tag')).toBe('v1.2.0\n');
  expect(releases()).toEqual(['1.2.0']);
}
