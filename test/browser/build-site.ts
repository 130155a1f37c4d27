import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../support/run-command.js';

/** A newly built site of the documentation, in its own folder. */
export interface BuiltSite {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Builds the site like `npm run docs`, but in another folder, so that `docs/dist` does not change.
 *
 * @param base the path of the site on its host
 */
export async function buildSite(base: string): Promise<BuiltSite> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-site-'));
  const options = ['--conditions=adx-source', '--import', 'tsx'];
  await runCommand('node', [...options, 'docs/build.ts', folder, '--base', base]);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
