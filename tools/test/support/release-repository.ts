import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { things } from '../../../codegen/test/support/corpus.js';

/** A repository of git with a package that is published, and one that is private and uses it. */
export interface ReleaseRepository {
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  readonly edit: (path: string, from: string | RegExp, to: string) => void;
  readonly releases: () => string[];
}

/** Succeeds only with the option `--all`, which npm adds behind it. */
export const wholeTests = 'test --all =';

const client = {
  name: '@adx/client',
  version: '1.2.0',
  license: 'MIT',
  type: 'module',
  engines: { node: '>=20' },
  main: './dist/index.js',
  types: './dist/index.d.ts',
  exports: {
    '.': {
      'adx-source': './src/index.ts',
      types: './dist/index.d.ts',
      default: './dist/index.js',
    },
  },
  imports: { '#part': { 'adx-source': './src/part.ts', default: './dist/index.js' } },
  files: ['dist', 'CHANGELOG.md', 'sbom.cdx.json'],
  scripts: { build: 'node build.js', prepack: 'npm run build && cp ../../CHANGELOG.md .' },
  dependencies: { yaml: '2.9.1' },
};
const server = {
  name: '@adx/server',
  version: '1.2.0',
  private: true,
  dependencies: { '@adx/client': '1.2.0', yaml: '2.9.1' },
};
const root = { private: true, type: 'module', workspaces: ['packages/*'] };
const lock = {
  name: 'things',
  lockfileVersion: 3,
  packages: {
    '': root,
    'node_modules/@adx/client': { resolved: 'packages/client', link: true },
    'node_modules/@adx/server': { resolved: 'packages/server', link: true },
    'node_modules/yaml': { version: '2.9.1', integrity: `sha512-${'A'.repeat(86)}==` },
    'packages/client': client,
    'packages/server': server,
  },
};
const changelog = `# Changelog

## [Unreleased]

### Fixed

- Names are trimmed.

## [1.2.0] - 2026-01-31

### Added

- Things.
`;
const files = {
  '.gitignore': 'dist\nnode_modules\npackages/*/CHANGELOG.md\n',
  '.npmrc': 'fund=false\n',
  'CHANGELOG.md': changelog,
  // It is released as 1.2.0.
  'openapi.yaml': things,
  'package-lock.json': `${JSON.stringify(lock, undefined, 2)}\n`,
  'package.json': JSON.stringify({
    ...root,
    scripts: { test: wholeTests, docs: 'true' },
  }),
  'packages/client/build.js': `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist');
writeFileSync('dist/index.js', 'export const things = [];');
writeFileSync('dist/index.d.ts', 'export declare const things: string[];');
`,
  'packages/client/README.md': '# Things\n',
  'packages/client/package.json': JSON.stringify(client),
  'packages/server/package.json': JSON.stringify(server),
  'packages/cli/src/version.ts': "export const version = '1.2.0';\n",
  'packages/server/src/version.ts': "export const version = '1.2.0';\n",
  'releases/1.2.0/openapi.yaml': things,
};

/** Creates a repository whose last release, 1.2.0, is tagged, and which has changed since. */
export function releaseRepository(): ReleaseRepository {
  const folder = mkdtempSync(join(tmpdir(), 'adx-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const commit = (message: string) => {
    git('add', '.');
    git('commit', '--quiet', '--message', message);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('init', '--quiet');
  git('config', 'user.name', 'Els Maes');
  git('config', 'user.email', 'els@example.org');
  commit('Release 1.2.0');
  git('tag', 'v1.2.0');
  git('commit', '--quiet', '--allow-empty', '--message', 'Trim names');
  return {
    root: folder,
    git,
    read,
    write,
    edit: (path, from, to) => {
      write(path, read(path).replace(from, to));
      commit(`Edit ${path}`);
    },
    releases: () => readdirSync(join(folder, 'releases')).sort(),
  };
}

/**
 * Starts a registry that takes no packages, and has those published: `{ '@adx/client': '1.2.1' }`.
 */
export async function startReadOnlyRegistry(
  published: Readonly<Record<string, string>> = {},
): Promise<string> {
  const registry = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1));
    const version = published[name];
    const dist = { integrity: 'sha512-other', tarball: 'http://localhost/client.tgz' };
    const packument = { name, versions: { [version ?? '']: { name, version, dist } } };
    response.statusCode = version === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(version === undefined ? {} : packument));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void registry.close());
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
}
