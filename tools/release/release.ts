import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { commit, head, restore, tag, uncommittedChanges } from './git.js';
import { type Plan, planRelease } from './plan.js';
import { Registry } from './registry.js';
import { Refusal, show } from './run.js';
import { pack, type Tarball } from './tarball.js';
import { publishedOf, readWorkspaces } from './workspaces.js';

export interface ReleaseOptions {
  readonly dryRun: boolean;
  /** The URL of the registry; a dry run can do without. */
  readonly registry: string | undefined;
  readonly provenance: boolean;
}

/**
 * Releases the current commit: checks it, commits the new version, publishes the packages and tags
 * the commit (D-44). After a failure it can be repeated.
 *
 * @param root the folder of the repository
 * @param today `YYYY-MM-DD`
 * @param interrupt ends the release before the commit, or before the next package is published
 * @throws Refusal, or the reason of the interrupt
 */
export async function release(
  { dryRun, registry: url, provenance }: ReleaseOptions,
  root: string,
  today: string,
  say: (line: string) => void,
  interrupt: AbortSignal,
): Promise<void> {
  const plan = await planRelease(root, today);
  const registry = url === undefined ? undefined : new Registry(root, url);
  say(describe(plan, url));
  await refuseUncommitted(root);
  if (registry) await refusePublished(plan, registry);

  const folder = await mkdtemp(join(tmpdir(), 'adx-release-'));
  try {
    if (dryRun || registry === undefined) {
      say('');
      await packAll(root, folder, say);
      return say('\nThis was a dry run: nothing is changed.');
    }
    const build = async () => {
      await buildDocs(root);
      interrupt.throwIfAborted();
      return packAll(root, folder, say);
    };
    const tarballs = plan.isCommitted
      ? await build()
      : await buildAndCommit(plan, root, build, interrupt);
    await publish(tarballs, registry, provenance, say, interrupt);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await tag(root, `v${plan.version}`, `Release ${plan.version}`);
  say(`${plan.version} is released. Push it: git push --follow-tags`);
}

function describe({ version, isCommitted, report, edits, packages }: Plan, url?: string): string {
  const names = new Intl.ListFormat('en-GB').format(packages.map(({ manifest }) => manifest.name));
  const steps = [
    ...(isCommitted ? [] : ['npm test -- --all']),
    ...[...edits.keys()].map((path) => `write ${path}`),
    'build the documentation of all versions in docs/dist',
    `build, pack and check ${names}`,
    ...(isCommitted ? [] : [`commit "Release ${version}"`]),
    `publish ${names}${url === undefined ? '' : ` at ${url}`}`,
    `tag v${version}`,
  ];
  return [report, '', `Release ${version}:`, ...steps.map((step) => `  ${step}`)].join('\n');
}

async function refuseUncommitted(root: string): Promise<void> {
  const changes = await uncommittedChanges(root);
  if (changes.length === 0) return;
  throw new Refusal(['These files have changes that are not committed:', ...changes].join('\n'));
}

/** Refuses published packages, unless they are of a release that was not finished. */
async function refusePublished(
  { version, packages, isCommitted }: Plan,
  registry: Registry,
): Promise<void> {
  for (const { manifest } of packages) {
    const published = await registry.integrityOf(manifest.name, version);
    if (published !== undefined && !isCommitted) {
      throw new Refusal(`${manifest.name} ${version} is already published at ${registry.url}.`);
    }
  }
}

/** Nothing is changed unless everything that can fail before the commit has succeeded. */
async function buildAndCommit(
  plan: Plan,
  root: string,
  build: () => Promise<Tarball[]>,
  interrupt: AbortSignal,
): Promise<Tarball[]> {
  const tested = await head(root);
  const isGreen = await show(root, 'npm', 'run', '--silent', 'test', '--', '--all');
  if (!isGreen) throw new Refusal('npm test -- --all failed.');
  await refuseUncommitted(root);
  if ((await head(root)) !== tested) {
    throw new Refusal('There is another commit since the checks began.');
  }
  const paths = [...plan.edits.keys()];
  try {
    for (const [path, text] of plan.edits) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const tarballs = await build();
    interrupt.throwIfAborted();
    await commit(root, paths, `Release ${plan.version}`);
    return tarballs;
  } catch (error) {
    await restore(root, paths);
    await rm(join(root, 'releases', plan.version), { recursive: true, force: true });
    throw error;
  }
}

async function buildDocs(root: string): Promise<void> {
  if (!(await show(root, 'npm', 'run', '--silent', 'docs'))) {
    throw new Refusal('The documentation cannot be built.');
  }
}

async function packAll(
  root: string,
  folder: string,
  say: (line: string) => void,
): Promise<Tarball[]> {
  // This is loaded here, because it takes a second, and not every command comes this far.
  const { checkTarball } = await import('./check-tarball.js');
  const workspaces = await readWorkspaces(root);
  const tarballs: Tarball[] = [];
  for (const workspace of publishedOf(workspaces)) {
    const tarball = await pack(root, workspace, folder);
    await checkTarball(tarball);
    const { name, version, size, fileCount } = tarball;
    say(`packed ${name} ${version}: ${fileCount} files, ${(size / 1000).toFixed(1)} kB`);
    tarballs.push(tarball);
  }
  return tarballs;
}

/** Publishes the packages that are not published yet. */
async function publish(
  tarballs: readonly Tarball[],
  registry: Registry,
  provenance: boolean,
  say: (line: string) => void,
  interrupt: AbortSignal,
): Promise<void> {
  const published = new Map<Tarball, string | undefined>();
  for (const tarball of tarballs) {
    const { name, version, integrity } = tarball;
    const other = await registry.integrityOf(name, version);
    if (other !== undefined && other !== integrity) {
      throw new Refusal(`${name} ${version} is published at ${registry.url} with other content.`);
    }
    published.set(tarball, other);
  }
  for (const [tarball, integrity] of published) {
    const name = `${tarball.name} ${tarball.version}`;
    interrupt.throwIfAborted();
    if (integrity === undefined) await registry.publish(tarball, provenance);
    say(integrity === undefined ? `published ${name}` : `${name} was published before`);
  }
}
