import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedBuild } from '../support/cached-build.js';
import { repository } from '../support/run-command.js';

/** Builds the site like `npm run docs`, into a folder that other runs use too. */
export const buildSite = (base: string): Promise<string> =>
  cachedBuild({
    name: 'site',
    inputs: ['package.json', 'tsconfig.json', ...inputsOfBuild()],
    commands: `node --conditions=adx-source --import tsx docs/build.ts --base ${base}`,
    output: 'docs/dist',
  });

/** Returns the inputs of the site in `turbo.json`: a build that needs others fails here. */
function inputsOfBuild(): string[] {
  const { tasks } = JSON.parse(readFileSync(join(repository, 'turbo.json'), 'utf8'));
  const inputs: string[] = tasks['@adx/docs#build'].inputs;
  return inputs.map((input) =>
    input
      .replace('$TURBO_DEFAULT$', 'docs')
      .replace('$TURBO_ROOT$/', '')
      .replace(/\/\*\*$/, ''),
  );
}
