import { describe, expect, it } from 'vitest';
import { UsageError } from '../../codegen/src/options.js';
import { parseOptions } from '../release/release-options.js';
import {
  releaseRepository,
  startReadOnlyRegistry,
  wholeTests,
} from './support/release-repository.js';
import { expectUntouched, plan, run, runCli } from './support/run-release.js';

describe('D-44 a release is refused', () => {
  it('D-44 without a registry, or with a statement of origin that nothing can sign', {
    tags: 'long',
  }, async () => {
    const { root } = releaseRepository();
    const nowhere = await runCli(root);
    expect(nowhere.stderr).toMatch(/^--registry is missing\.\n\nnpm run release/);
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    const options = (args: string[], environment = {}) => parseOptions(args, environment);
    for (const url of ['npm.example.org', 'https://els:geheim@npm.example.org']) {
      expect(() => options(['--dry-run', '--registry', url])).toThrow(
        new UsageError('--registry is not an https:// or http:// URL without a password.'),
      );
    }
    // `npm run release --dry-run` sets this variable, with which `npm publish` publishes nothing.
    const swallowed = { npm_config_dry_run: 'true' };
    expect(() => options(['--registry', 'https://npm.example.org'], swallowed)).toThrow(
      new UsageError('npm took --dry-run for itself. Put it behind `--`.'),
    );
    const signed = ['--dry-run', '--provenance'];
    expect(() => options(signed)).toThrow(/^--provenance needs an identity/);
    expect(options(signed, { SIGSTORE_ID_TOKEN: 'token' })).toMatchObject({ provenance: true });
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

  it('D-44 if the registry does not answer, or has the version', { tags: 'long' }, async () => {
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

  it('D-44 if a check fails, or the package lacks what it exports, and nothing is changed', {
    tags: 'long',
  }, async () => {
    const repo = releaseRepository();
    const registry = await startReadOnlyRegistry();
    repo.edit('packages/client/build.js', 'dist/index.d.ts', 'dist/other.d.ts');
    repo.edit('package.json', /"test":"[^"]+"/, '"test":"false"');
    const commits = repo.git('log', '--format=%s');
    await expect(run(repo.root, { registry })).rejects.toThrow('npm test -- --all failed.');
    expectUntouched(repo, commits);

    repo.edit('package.json', 'false', 'touch left #');
    await expect(run(repo.root, { registry })).rejects.toThrow('not committed:\n?? left');
    repo.git('clean', '--quiet', '--force');

    repo.edit(
      'package.json',
      'touch left #',
      'git commit --allow-empty --quiet --message Meanwhile',
    );
    await expect(run(repo.root, { registry })).rejects.toThrow(
      'There is another commit since the checks began.',
    );
    expectUntouched(repo, repo.git('log', '--format=%s'));

    repo.edit('package.json', /"test":"[^"]+"/, `"test":"${wholeTests}"`);
    const later = repo.git('log', '--format=%s');
    await expect(run(repo.root, { registry })).rejects.toThrow(
      /@adx\/client cannot be published:\n(.*\n)?.*dist\/index\.d\.ts but the file does not exist\.\n +Could not find types/,
    );
    expectUntouched(repo, later);
  });
});
