import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releasedVersions } from '../../codegen/src/diff/releases.js';
import { renderReferences } from '../reference/render-reference.js';
import { buildSearch } from '../search/build-search.js';
import { assemble } from './assemble.js';
import { datesFromGit } from './dates.js';
import { feedOfChanges } from './feed.js';
import { llmsFiles } from './llms.js';
import { renderPages } from './render-pages.js';
import { journeyFiles } from './texts/journey-texts.js';

/**
 * Renders the whole site (D-52): the pages, the references, the search, the journeys, and the
 * files for language models. Returns the files, by path.
 *
 * @param root the repository
 * @param base the path of the site on its host, which begins and ends with a slash
 */
export async function renderSite(root: string, base: string): Promise<Map<string, string>> {
  const docs = join(root, 'docs');
  const versions = await releasedVersions(join(root, 'openapi.yaml'));
  const decisions = await readdir(join(docs, 'decisions'));
  const dates = await datesFromGit(root);
  const pages = await assemble(root, versions, decisions, dates);
  const search = await buildSearch(pages);
  const [site, references] = await Promise.all([
    renderPages(pages, base, search),
    renderReferences(root, versions, search),
  ]);
  return new Map([
    ...site,
    ...references,
    ...search.files,
    ...(await journeyFiles(root)),
    ...llmsFiles(pages, base),
    ['changes.xml', await feedOfChanges(root, versions, dates)],
    ...(await plots(docs)),
    ['favicon.svg', await readFile(join(docs, 'favicon.svg'), 'utf8')],
  ]);
}

/** Returns the plots, to which the pages in Markdown refer. */
async function plots(docs: string): Promise<[string, string][]> {
  const names = await readdir(join(docs, 'plots'));
  return Promise.all(
    names.map(async (name) => [`plots/${name}`, await readFile(join(docs, 'plots', name), 'utf8')]),
  );
}
