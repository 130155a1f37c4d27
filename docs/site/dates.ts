import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The days on which files were added and last changed, by their paths in the repository. */
export interface Dates {
  readonly added: ReadonlyMap<string, string>;
  readonly changed: ReadonlyMap<string, string>;
}

/** Without Git, such as in a copy of the repository, pages have no dates. */
export const noDates: Dates = { added: new Map(), changed: new Map() };

/** Returns the days of the commits in which the files of the documentation were changed. */
export async function datesFromGit(root: string): Promise<Dates> {
  const files = ['docs', 'releases', 'CHANGELOG.md', 'packages/*/README.md'];
  const options = ['-c', 'core.quotePath=false', 'log', '--format=%x00%cs', '--name-only'];
  const log = await promisify(execFile)('git', [...options, '--', ...files], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    ({ stdout }) => stdout,
    () => '',
  );
  const added = new Map<string, string>();
  const changed = new Map<string, string>();
  // The newest commit comes first.
  for (const [day = '', ...paths] of log.split('\0').map((commit) => commit.split('\n'))) {
    for (const path of paths.filter((line) => line !== '')) {
      added.set(path, day);
      if (!changed.has(path)) changed.set(path, day);
    }
  }
  return { added, changed };
}

/** Returns a day such as `2026-11-30` as people write it: 30 November 2026. */
export function shownDay(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
