import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../release/run.js';
import { pack } from '../release/tarball.js';
import { readWorkspaces } from '../release/workspaces.js';
import { releaseRepository, startReadOnlyRegistry } from './support/release-repository.js';
import { expectUntouched, plan, run, runCli } from './support/run-release.js';

/** Runs a release, and interrupts it as soon as it has said what it will do. Returns its output. */
async function interrupted(root: string, registry: string): Promise<string> {
  const lines: string[] = [];
  const released = run(root, { registry }, (line, interrupt) => {
    lines.push(line);
    interrupt.abort(new Refusal('Interrupted.'));
  });
  await expect(released).rejects.toThrow('Interrupted.');
  return lines.join('\n');
}

describe('D-44 a dry run', () => {
  it('D-44 shows the version that the gate gives, the section of the changelog and every step, or why it would be refused', {
    tags: 'long',
  }, async () => {
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
  npm test -- --all
  write CHANGELOG.md
  write releases/1.3.0/openapi.yaml
  write package-lock.json
  write packages/client/package.json
  write packages/server/package.json
  write packages/server/src/version.ts
  write packages/cli/src/version.ts
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

    repo.write('notes.txt', 'To do');
    await expect(run(repo.root, { dryRun: true })).rejects.toThrow(
      'These files have changes that are not committed:\n?? notes.txt',
    );
  });

  it('D-44 a release without a change of the interface weighs what the changelog says', async () => {
    const { root, edit } = releaseRepository();
    expect(await plan(root)).toMatchObject({ version: '1.2.1' });
    edit('CHANGELOG.md', '### Fixed', '### Added');
    expect(await plan(root)).toMatchObject({ version: '1.3.0' });
    edit('CHANGELOG.md', '### Added', '### Breaking');
    await expect(plan(root)).rejects.toThrow('The changes make version 2.0.0');
  });
});

it('D-44 a release that is interrupted before the commit changes nothing', {
  tags: 'long',
}, async () => {
  const repo = releaseRepository();
  // The parent of npm is the command. The options of the script become a comment.
  repo.edit('package.json', '"docs":"true"', '"docs":"kill -INT $(ps -o ppid= -p $PPID) #"');
  const commits = repo.git('log', '--format=%s');
  const ended = await runCli(repo.root, '--registry', await startReadOnlyRegistry());
  expect(ended.stderr).toBe('\nThe release was interrupted.\n');
  expect(ended.code).toBe(1);
  expectUntouched(repo, commits);
});

it('D-44 a release that cannot be published is committed, has no tag, is not weighed again, and can be interrupted', {
  tags: 'long',
}, async () => {
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

it('D-44 a package has the same bytes each time, an SBOM, and nothing that only this repository uses', {
  tags: 'long',
}, async () => {
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
    imports: { '#part': { default: './dist/index.js' } },
  });
  expect(read('CHANGELOG.md')).toContain('## [1.2.0]');
  const { metadata, components } = JSON.parse(read('sbom.cdx.json'));
  expect(metadata.component.purl).toBe('pkg:npm/%40adx/client@1.2.0');
  expect(components.map(({ purl }: { purl: string }) => purl)).toEqual(['pkg:npm/yaml@2.9.1']);
});
