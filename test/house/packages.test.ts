import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkspaces, withVersion } from '../../tools/release/workspaces.js';
import { repository } from '../support/run-command.js';

interface Package {
  readonly engines?: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const read = (path: string): Package & { packages?: Record<string, Package> } =>
  JSON.parse(readFileSync(join(repository, path), 'utf8'));
const lock = read('package-lock.json').packages ?? {};

/** Returns the paths of all packages that `npm install --omit=dev` installs for a package. */
function installed(folder: string): Set<string> {
  const found = new Set<string>();
  const visit = (path: string) => {
    for (const name of Object.keys(lock[path]?.dependencies ?? {})) {
      const place = placeOf(name, path);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      visit(place);
    }
  };
  visit(folder);
  return found;
}

/** Returns the path at which Node finds a package that is imported by the package at `from`. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]*$/, '')) {
    const place = join(folder, 'node_modules', name);
    const { link, resolved } = (lock[place] ?? {}) as { link?: boolean; resolved?: string };
    if (link === true) return resolved;
    if (lock[place] !== undefined) return place;
    if (folder === '') return undefined;
  }
}

test('house: the server is installed without PostgreSQL, an S3 server or the sandbox', () => {
  const names = [...installed('packages/server')];
  expect(names).toContain('node_modules/express');
  expect(names).toContain('packages/contract');
  expect(names.filter((name) => /embedded|postgres(ql)?$|s3rver|sandbox/.test(name))).toEqual([]);
});

test('house: the package of the sandbox depends on the libraries of all packages that are bundled into it', () => {
  const { dependencies: own = {} } = read('packages/sandbox/package.json');
  const bundled = ['client', 'command', 'contract', 'server', 'statements'].flatMap((name) =>
    Object.entries(read(`packages/${name}/package.json`).dependencies ?? {}),
  );
  const libraries = bundled.filter(([name]) => !name.startsWith('@adx/'));
  expect(libraries.length).toBeGreaterThan(10);
  for (const [name, version] of libraries) expect([name, own[name]]).toEqual([name, version]);
  expect(Object.keys(own).filter((name) => name.startsWith('@adx/'))).toEqual([]);
});

test('D-44 all packages, the lock file and the programs have one version', async () => {
  const workspaces = await readWorkspaces(repository);
  const [version = ''] = workspaces.map(({ manifest }) => manifest.version);
  expect(workspaces.length).toBeGreaterThan(5);
  for (const [path, text] of await withVersion(repository, workspaces, version)) {
    expect(readFileSync(join(repository, path), 'utf8'), path).toBe(text);
  }
});

test('D-44 every package for partners has the changelog, the licence and a README', async () => {
  const licence = readFileSync(join(repository, 'LICENSE'), 'utf8');
  for (const folder of ['cli', 'client', 'sandbox', 'statements'].map((it) => `packages/${it}`)) {
    const { files, scripts } = JSON.parse(
      readFileSync(join(repository, folder, 'package.json'), 'utf8'),
    );
    expect(files).toContain('CHANGELOG.md');
    expect(scripts.prepack).toBe('npm run --silent build && cp ../../CHANGELOG.md .');
    expect(readFileSync(join(repository, folder, 'LICENSE'), 'utf8')).toBe(licence);
    expect(readFileSync(join(repository, folder, 'README.md'), 'utf8')).toContain('npm install');
  }
});

test('D-44 every published package says where it comes from', async () => {
  const published = (await readWorkspaces(repository)).filter(({ manifest }) => !manifest.private);
  expect(published.map(({ manifest }) => manifest.name)).toEqual([
    '@adx/cli',
    '@adx/client',
    '@adx/statements',
  ]);
  for (const { folder, manifest } of published) {
    expect(manifest).toMatchObject({
      license: 'MIT',
      homepage: expect.stringMatching(/^https:/),
      repository: { type: 'git', directory: folder },
      bugs: { url: expect.stringMatching(/^https:/) },
      publishConfig: { access: 'public' },
      files: ['dist', 'CHANGELOG.md', 'sbom.cdx.json'],
    });
  }
});

test('house: all packages but the client need the same versions of Node', () => {
  const folders = [
    '',
    'codegen',
    ...['cli', 'command', 'contract', 'sandbox', 'server', 'statements'].map(
      (name) => `packages/${name}`,
    ),
  ];
  const manifests = folders.map((folder) => read(join(folder, 'package.json')));
  const all = [...manifests, ...folders.map((folder) => lock[folder])];
  expect(new Set(all.map((each) => each?.engines?.node))).toEqual(
    new Set(['>=20.19 <21 || >=22.2']),
  );
});
