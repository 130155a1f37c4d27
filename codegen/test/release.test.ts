import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planRelease } from '../release/plan.js';
import { type ReleaseOptions, release } from '../release/release.js';
import { Refusal } from '../release/run.js';
import { pack } from '../release/tarball.js';
import { readWorkspaces } from '../release/workspaces.js';
import {
  type ReleaseRepository,
  releaseRepository,
  startReadOnlyRegistry,
} from './support/release-repository.js';
import { repository } from './support/temporary-repository.js';

const today = '2026-03-02';

/** Runs a release, and gives each line of its output to `say`, which may interrupt it. */
function run(
  root: string,
  options: Partial<ReleaseOptions>,
  say: (line: string, interrupt: AbortController) => void = () => {},
): Promise<void> {
  const all = { dryRun: false, registry: undefined, provenance: false, ...options };
  const interrupt = new AbortController();
  return release(all, root, today, (line) => say(line, interrupt), interrupt.signal);
}

/** Runs a release, and interrupts it as soon as it has packed a package. Returns its output before that. */
async function interrupted(root: string, registry: string): Promise<string> {
  const lines: string[] = [];
  const released = run(root, { registry }, (line, interrupt) => {
    if (line.startsWith('packed ')) interrupt.abort(new Refusal('Interrupted.'));
    else lines.push(line);
  });
  await expect(released).rejects.toThrow('Interrupted.');
  return lines.join('\n');
}

const plan = (root: string) => planRelease(root, today);

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in a folder, in an environment without continuous integration. */
function runCli(root: string, ...args: string[]): Promise<Ended> {
  return runCliWith({}, root, ...args);
}

/** Runs the command in a folder, with these settings in its environment. */
function runCliWith(
  settings: Readonly<Record<string, string>>,
  root: string,
  ...args: string[]
): Promise<Ended> {
  const cli = join(repository, 'codegen/release/cli.ts');
  const tsx = join(repository, 'node_modules/tsx/dist/loader.mjs');
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      ['--import', tsx, cli, ...args],
      { cwd: root, env: { PATH: process.env['PATH'], ...settings } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

/** Expects that a release changed nothing: no file, commit, tag or spec of a release. */
function expectUntouched({ git, releases }: ReleaseRepository, commits: string): void {
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--format=%s')).toBe(commits);
  expect(git('tag')).toBe('v1.2.0\n');
  expect(releases()).toEqual(['1.2.0']);
}

describe('D-44 a dry run', () => {
  it('D-44 shows the version that the gate gives, the section of the changelog and every step', async () => {
    const repo = releaseRepository();
    const token = '        idToken: { type: string,';
    repo.edit('openapi.yaml', token, `        colour: { type: string }\n${token}`);
    const commits = repo.git('log', '--format=%s');
    const lines: string[] = [];
    await run(repo.root, { dryRun: true }, (line) => lines.push(line));
    const shown = lines.join('\n');
    expect(shown).toMatch(
      / in responses of `getToken`\n\n1 change .* After 1\.2\.0 comes 1\.3\.0\.\n\n## /,
    );
    expect(shown).toContain(`## [1.3.0] - 2026-03-02

### Interface

#### Added

- \`Tokens.colour\` is new (responses of \`getToken\`).

### Fixed

- Names are trimmed.

Release 1.3.0:
  npm test
  write CHANGELOG.md
  write releases/1.3.0/openapi.yaml
  write package-lock.json
  write packages/client/package.json
  write packages/server/package.json
  write packages/server/src/version.ts
  build the documentation of all versions in docs/dist
  build, pack and check @adx/client
  commit "Release 1.3.0"
  publish @adx/client
  tag v1.3.0
`);
    expect(shown).toMatch(
      /\npacked @adx\/client 1\.2\.0: 6 files, [\d.]+ kB\n\nThis was a dry run: nothing is changed\.$/,
    );
    expectUntouched(repo, commits);
  });

  it('D-44 a release without a change of the interface weighs what the changelog says', async () => {
    const { root, edit } = releaseRepository();
    expect(await plan(root)).toMatchObject({ version: '1.2.1' });
    edit('CHANGELOG.md', '### Fixed', '### Added');
    expect(await plan(root)).toMatchObject({ version: '1.3.0' });
    edit('CHANGELOG.md', '### Added', '### Breaking');
    await expect(plan(root)).rejects.toThrow('The changes make version 2.0.0');
  });

  it('D-44 the command prints why a release would be refused, and exits with 1', async () => {
    const { root, write } = releaseRepository();
    write('notes.txt', 'To do');
    const ended = await runCli(root, '--dry-run');
    expect(ended.stdout).toContain('\nRelease 1.2.1:\n');
    expect(ended.stderr).toBe('\nThese files have changes that are not committed:\n?? notes.txt\n');
    expect(ended.code).toBe(1);
  });
});

describe('D-44 a release is refused', () => {
  it('D-44 without a registry, or with a statement of origin that nothing can sign', async () => {
    const { root } = releaseRepository();
    const nowhere = await runCli(root);
    expect(nowhere.stderr).toMatch(/^--registry is missing\.\n\nnpm run release/);
    expect(nowhere.code).toBe(2);
    for (const url of ['npm.example.org', 'https://els:geheim@npm.example.org']) {
      const wrong = await runCli(root, '--dry-run', '--registry', url);
      expect(wrong).toMatchObject({ code: 2, stdout: '' });
      expect(wrong.stderr).toMatch(/^--registry is not .*\n\nnpm run release/);
      expect(wrong.stderr).not.toContain('geheim');
    }
    // `npm run release --dry-run` sets this variable, with which `npm publish` publishes nothing.
    const registry = await startReadOnlyRegistry();
    const swallowed = await runCliWith(
      { npm_config_dry_run: 'true' },
      root,
      '--registry',
      registry,
    );
    expect(swallowed).toMatchObject({ code: 2, stdout: '' });
    expect(swallowed.stderr).toMatch(/^npm took --dry-run for itself\. Put it behind `--`\.\n\n/);
    const unsigned = await runCli(root, '--dry-run', '--provenance');
    expect(unsigned).toMatchObject({ code: 1, stdout: '' });
    expect(unsigned.stderr).toContain('--provenance needs an identity');
  });

  it('D-44 if the changes need another major version than the spec has', async () => {
    const { root, edit } = releaseRepository();
    edit('openapi.yaml', 'operationId: getThing', 'operationId: readThing');
    await expect(plan(root)).rejects.toThrow(
      'The changes make version 2.0.0, but `info.version` of openapi.yaml belongs to another major version.',
    );
    edit('openapi.yaml', "version: '1.0'", "version: '2.0'");
    expect(await plan(root)).toMatchObject({ version: '2.0.0' });
  });

  it('D-44 if the changelog says nothing about it', async () => {
    const { root, edit } = releaseRepository();
    edit('CHANGELOG.md', '### Fixed\n\n- Names are trimmed.\n', '');
    await expect(plan(root)).rejects.toThrow('CHANGELOG.md says nothing under "## [Unreleased]"');
  });

  it('D-44 if the commit or the version is tagged', async () => {
    const { root, git } = releaseRepository();
    git('tag', 'v1.2.1', 'HEAD~1');
    await expect(plan(root)).rejects.toThrow('There is already a tag v1.2.1.');
    git('tag', 'v1.2.1', '--force');
    await expect(plan(root)).rejects.toThrow('This commit is already released as v1.2.1.');
  });

  it('D-44 if an earlier release was not finished, except from its own commit', async () => {
    const { root, git } = releaseRepository();
    git('tag', '--delete', 'v1.2.0');
    const released = git('rev-parse', 'HEAD~1').trim();
    await expect(plan(root)).rejects.toThrow(
      `1.2.0 has no tag v1.2.0 here. Fetch the tags; if there is none, check out ${released}`,
    );
    git('checkout', '--quiet', released);
    expect(await plan(root)).toMatchObject({ version: '1.2.0', isCommitted: true });
  });

  it('D-44 if the files of a release that was killed are left', async () => {
    const { root, read, write } = releaseRepository();
    write('CHANGELOG.md', read('CHANGELOG.md').replace('[Unreleased]\n', '$&\n## [1.2.1]\n'));
    write('releases/1.2.1/openapi.yaml', read('openapi.yaml'));
    await expect(plan(root)).rejects.toThrow(
      'releases/1.2.1 is not committed: a release was killed.',
    );
  });

  it('D-44 if the registry does not answer, or has the version', async () => {
    const repo = releaseRepository();
    const registry = await startReadOnlyRegistry({ '@adx/client': '1.2.1' });
    // A registry for the scope would take precedence over the one that is asked for.
    repo.edit('.npmrc', 'fund=false', '@adx:registry=http://127.0.0.1:9/');
    const commits = repo.git('log', '--format=%s');
    await expect(run(repo.root, { registry })).rejects.toThrow(
      `@adx/client 1.2.1 is already published at ${registry}.`,
    );
    const nowhere = 'http://127.0.0.1:9/';
    await expect(run(repo.root, { registry: nowhere })).rejects.toThrow(
      /^The registry http:\/\/127\.0\.0\.1:9\/ cannot be read: .*ECONNREFUSED.*$/,
    );
    expectUntouched(repo, commits);
  });

  it('D-44 if a check fails, or the package lacks what it exports, and nothing is changed', async () => {
    const repo = releaseRepository();
    const registry = await startReadOnlyRegistry();
    repo.edit('packages/client/build.js', 'dist/index.d.ts', 'dist/other.d.ts');
    repo.edit('package.json', '"test":"true"', '"test":"false"');
    const commits = repo.git('log', '--format=%s');
    await expect(run(repo.root, { registry })).rejects.toThrow('npm test failed.');
    expectUntouched(repo, commits);

    repo.edit('package.json', 'false', 'touch left');
    await expect(run(repo.root, { registry })).rejects.toThrow('not committed:\n?? left');
    repo.git('clean', '--quiet', '--force');

    repo.edit('package.json', 'touch left', 'git commit --allow-empty --quiet --message Meanwhile');
    await expect(run(repo.root, { registry })).rejects.toThrow(
      'There is another commit since the checks began.',
    );
    expectUntouched(repo, repo.git('log', '--format=%s'));

    repo.edit('package.json', /"test":"[^"]+"/, '"test":"true"');
    const later = repo.git('log', '--format=%s');
    await expect(run(repo.root, { registry })).rejects.toThrow(
      /@adx\/client cannot be published:\n.*dist\/index\.d\.ts but the file does not exist\.\n +Could not find types/,
    );
    expectUntouched(repo, later);
  });
});

it('D-44 a release that is interrupted before the commit changes nothing', async () => {
  const repo = releaseRepository();
  // The parent of npm is the command. The options of the script become a comment.
  repo.edit('package.json', '"docs":"true"', '"docs":"kill -INT $(ps -o ppid= -p $PPID) #"');
  const commits = repo.git('log', '--format=%s');
  const ended = await runCli(repo.root, '--registry', await startReadOnlyRegistry());
  expect(ended.stderr).toBe('\nThe release was interrupted.\n');
  expect(ended.code).toBe(1);
  expectUntouched(repo, commits);
});

it('D-44 a release that cannot be published is committed, has no tag, is not weighed again, and can be interrupted', async () => {
  const { root, git, read } = releaseRepository();
  const registry = await startReadOnlyRegistry();
  const failed = await runCli(root, '--registry', registry);
  expect(failed.stderr).toMatch(/npm error need auth .*\n@adx\/client cannot be published\./s);
  expect(failed.code).toBe(1);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('Release 1.2.1\n');
  expect(git('tag')).toBe('v1.2.0\n');
  expect(read('CHANGELOG.md')).toMatch(
    /## \[Unreleased\]\n\n## \[1\.2\.1\] - \d{4}-\d\d-\d\d\n\n### Fixed\n/,
  );
  const { packages } = JSON.parse(read('package-lock.json'));
  expect(packages['packages/client'].version).toBe('1.2.1');
  expect(packages['packages/server'].dependencies).toEqual({
    '@adx/client': '1.2.1',
    yaml: '2.9.1',
  });
  expect(JSON.parse(read('packages/server/package.json'))).toEqual(packages['packages/server']);
  expect(read('packages/server/src/version.ts')).toBe("export const version = '1.2.1';\n");
  expect(await interrupted(root, registry)).toBe(`1.2.1 is committed, but not finished.

Release 1.2.1:
  build the documentation of all versions in docs/dist
  build, pack and check @adx/client
  publish @adx/client at ${registry}
  tag v1.2.1`);
  expect(git('tag')).toBe('v1.2.0\n');
});

it('D-44 a package has the same bytes each time, an SBOM, and nothing that only this repository uses', async () => {
  const { root, write } = releaseRepository();
  const client = (await readWorkspaces(root)).find(({ manifest }) => !manifest.private);
  if (client === undefined) throw new Error('The repository has no published package.');
  const folder = join(root, 'node_modules');
  const first = await pack(root, client, folder);
  write('packages/client/dist/earlier.js', '');
  const second = await pack(root, client, join(folder, 'again'));
  expect(second.integrity).toBe(first.integrity);

  const read = (path: string) => readFileSync(join(folder, '@adx/client', path), 'utf8');
  const { scripts: _scripts, ...manifest } = client.manifest;
  expect(JSON.parse(read('package.json'))).toEqual({
    ...manifest,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  });
  expect(read('CHANGELOG.md')).toContain('## [1.2.0]');
  const { metadata, components } = JSON.parse(read('sbom.cdx.json'));
  expect(metadata.component.purl).toBe('pkg:npm/%40adx/client@1.2.0');
  expect(components.map(({ purl }: { purl: string }) => purl)).toEqual(['pkg:npm/yaml@2.9.1']);
});
