import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../support/run-command.js';
import { type Clone, cloneRepository } from './clone.js';

/** A checkout of the former release. */
export interface FormerRelease extends Clone {
  readonly commit: string;
  remove(): Promise<void>;
}

const migrations = 'packages/server/src/db/migrations/0*';

/**
 * Checks out the former release: `ADX_FORMER_COMMIT`, or the newest tag `v…` before the last commit, or
 * the state before the newest migrations.
 */
export async function checkOutFormerRelease(): Promise<FormerRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-former-'));
  const commit = await formerCommit();
  // Its tests are run by a proof, and are none themselves.
  const env = { ADX_TEST_PROVE: undefined };
  const clone = await cloneRepository(join(folder, 'clone'), env, commit);
  return { ...clone, commit, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function formerCommit(): Promise<string> {
  const git = async (...parameters: string[]) => (await runCommand('git', parameters)).trim();
  const given = process.env['ADX_FORMER_COMMIT'];
  if (given !== undefined) return git('rev-parse', given);
  const tag = ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~1'];
  const released = await git(...tag).catch(() => undefined);
  if (released !== undefined) return git('rev-parse', `${released}^{commit}`);
  // Before one was added: one that was only renamed would leave the database with a migration of no release.
  const added = ['log', '-1', '--first-parent', '-m', '--diff-filter=A', '--format=%H'];
  return git('rev-parse', `${await git(...added, '--', migrations)}~1`);
}
