import { basename, join } from 'node:path';
import { build } from 'esbuild';
import type { Assembled } from '../site/assemble.js';
import { searchEntries } from './entries.js';

/** The search as files of the site, and the paths of those that each page loads. */
export interface Search {
  readonly script: string;
  readonly style: string;
  readonly files: readonly (readonly [path: string, text: string])[];
}

/** Builds the search of all pages and operations (D-52): a script, and what it finds. */
export async function buildSearch(pages: readonly Assembled[]): Promise<Search> {
  const { outputFiles } = await build({
    entryPoints: { search: join(import.meta.dirname, 'dialog.js') },
    entryNames: '[name].[hash]',
    outdir: 'assets',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  const assets = outputFiles.map(({ path, text }): [string, string] => [
    `assets/${basename(path)}`,
    text,
  ]);
  const pathOf = (extension: string) =>
    assets.find(([path]) => path.endsWith(extension))?.[0] ?? '';
  return {
    script: pathOf('.js'),
    style: pathOf('.css'),
    files: [...assets, ['search.json', JSON.stringify(searchEntries(pages))]],
  };
}
