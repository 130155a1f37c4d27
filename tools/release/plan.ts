import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { heaviest } from '../../codegen/src/diff/compare/change.js';
import { readFrom, readNewestRelease } from '../../codegen/src/diff/releases.js';
import { changelogOf, formatChanges, nextVersion } from '../../codegen/src/diff/report.js';
import { readApi, versionOf, type Weighing, weigh } from '../../codegen/src/diff/weigh.js';
import { hasSection, newSection, weightOfUnreleased, withSection } from './changelog.js';
import { hasTag, head, lastCommitOf, tagsOfHead } from './git.js';
import { Refusal } from './run.js';
import { publishedOf, readWorkspaces, type Workspace, withVersion } from './workspaces.js';

/** The next release (D-44). */
export interface Plan {
  readonly version: string;
  /** True if the current commit is that of the release, which was not finished. */
  readonly isCommitted: boolean;
  /** The gate's report on the changes, and the section of the changelog. */
  readonly report: string;
  /** The files that the release writes: the path and the text of each. */
  readonly edits: ReadonlyMap<string, string>;
  /** The packages that the release publishes, with their current versions. */
  readonly packages: readonly Workspace[];
}

/**
 * @param today `YYYY-MM-DD`
 * @throws Refusal if there is nothing to release, or the version is unclear
 * @throws SourceError if a spec cannot be read
 */
export async function planRelease(root: string, today: string): Promise<Plan> {
  const spec = join(root, 'openapi.yaml');
  const newest = await readNewestRelease(spec, root);
  if (newest?.version === undefined) {
    throw new Refusal(
      'There is no released spec to compare with, such as releases/1.0.0/openapi.yaml.',
    );
  }
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const workspaces = await readWorkspaces(root);
  const packages = publishedOf(workspaces);
  const { version } = newest;
  if (hasSection(changelog, version) && !(await hasTag(root, `v${version}`))) {
    await refuseOtherCommits(root, version);
    const report = `${version} is committed, but not finished.`;
    return { version, isCommitted: true, report, edits: new Map(), packages };
  }

  const current = readFrom(spec, root);
  const weighing = await weigh(newest, current);
  const weight = heaviest([...weighing.changes, { weight: weightOfUnreleased(changelog) }]);
  const next = nextVersion(version, weight ?? 'patch');
  await refuseReleased(root, next);
  const api = await readApi(current);
  refuseOtherMajor(next, versionOf(api), weighing);
  const lines = weighing.bump === 'none' ? [] : changelogOf(weighing);
  const section = newSection(changelog, next, today, lines);
  if (section === undefined) {
    throw new Refusal(
      'CHANGELOG.md says nothing under "## [Unreleased]", so there is nothing to release.',
    );
  }
  const edits = new Map([
    ['CHANGELOG.md', withSection(changelog, section)],
    [join('releases', next, 'openapi.yaml'), api.document.text],
    ...(await withVersion(root, workspaces, next)),
  ]);
  const report = `${formatChanges(weighing)}\n\n${section}`;
  return { version: next, isCommitted: false, report, edits, packages };
}

/** Refuses other commits: an unfinished release is finished from its own commit only. */
async function refuseOtherCommits(root: string, version: string): Promise<void> {
  const released = await lastCommitOf(root, `releases/${version}`);
  if (released === '') {
    throw new Refusal(
      `releases/${version} is not committed: a release was killed. Undo it: git reset --hard && git clean -df releases`,
    );
  }
  if (released === (await head(root))) return;
  throw new Refusal(
    `${version} has no tag v${version} here. Fetch the tags; if there is none, check out ${released} and finish that release.`,
  );
}

async function refuseReleased(root: string, next: string): Promise<void> {
  const [released] = (await tagsOfHead(root)).filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
  if (released !== undefined) throw new Refusal(`This commit is already released as ${released}.`);
  if (await hasTag(root, `v${next}`)) throw new Refusal(`There is already a tag v${next}.`);
}

function refuseOtherMajor(next: string, declared: string | undefined, weighing: Weighing): void {
  if (declared?.split('.')[0] === next.split('.')[0]) return;
  throw new Refusal(
    `${formatChanges(weighing)}\n\nThe changes make version ${next}, but \`info.version\` of openapi.yaml belongs to another major version.`,
  );
}
