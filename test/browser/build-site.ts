import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../support/run-command.js';

/** A newly built site of the documentation, in its own folder. */
export interface BuiltSite {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Builds the site like `npm run docs`, but in another folder, so that `docs/dist` does not change. */
export async function buildSite(): Promise<BuiltSite> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-site-'));
  await runCommand('node', ['--import', 'tsx', 'docs/build.ts', folder]);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
