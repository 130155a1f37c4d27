import { cpSync, mkdtempSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { cachedBuild } from './cached-build.js';
import { repository } from './run-command.js';

const shared = [
  ...['package.json', 'README.md', 'LICENSE', 'src', 'tsconfig.build.json'],
  '../../CHANGELOG.md',
];

const inputs = {
  client: ['tsdown.config.ts', ...shared, '../contract/package.json', '../contract/src'],
  statements: shared,
};

/**
 * Returns a new project of a partner in a temporary folder, with one package of this repository:
 * newly built, packed, and installed by npm. The caller removes the folder.
 */
export async function installPackage(name: keyof typeof inputs): Promise<string> {
  const folder = `packages/${name}`;
  const built = await cachedBuild({
    name,
    inputs: ['tsconfig.json', ...inputs[name].map((path) => join(folder, path))],
    commands: `
      root=$PWD
      cd ${folder}
      PATH=${join(repository, 'node_modules/.bin')}:$PATH npm run --silent prepack
      npm pack --silent --ignore-scripts --pack-destination "$root"
      mkdir "$root/project"
      cd "$root/project"
      echo '{ "type": "module" }' > package.json
      npm install --prefer-offline --no-audit --no-fund "$root"/*.tgz`,
    output: 'project',
  });
  const project = mkdtempSync(join(tmpdir(), `adx-${name}-`));
  cpSync(built, project, { recursive: true, verbatimSymlinks: true });
  return project;
}

export async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}
