import { spec } from '@adx/contract/spec';
import type { Assembled } from './assemble.js';
import { home, operatorSections, sections } from './pages.js';
import { withoutGroups } from './texts/code-groups.js';
import { errorPages, errorPath } from './texts/error-pages.js';

interface ListedSection {
  readonly name: string;
  readonly pages: readonly { readonly path: string; readonly name: string }[];
}

/**
 * Returns the files for language models (https://llmstxt.org/): a list of all pages in Markdown,
 * and one file with the text of all of them. Decisions are in neither; the interface itself is in
 * `reference/openapi.yaml`.
 *
 * @param base the path of the site on its host
 */
export function llmsFiles(pages: readonly Assembled[], base: string): Map<string, string> {
  const texts = new Map(pages.map(({ path, markdown }) => [path, plain(markdown)]));
  const errors = errorPages.map((page) => ({ path: errorPath(page), name: page.name }));
  const all: readonly ListedSection[] = [
    ...sections,
    { name: 'Error codes', pages: errors },
    ...operatorSections,
  ];
  const lists = all.map(({ name, pages: own }) =>
    [`## ${name}`, '', ...own.map((page) => `- [${page.name}](${base}${page.path}.md)`)].join('\n'),
  );
  const interfaceItself = `The interface: [openapi.yaml](${base}reference/openapi.yaml)`;
  const head = `# ${spec.info.title}\n\n> ${spec.info['summary']}\n\n${interfaceItself}`;
  const paths = [home, ...all.flatMap((section) => section.pages)].map(({ path }) => path);
  return new Map([
    ['llms.txt', `${[head, ...lists].join('\n\n')}\n`],
    ['llms-full.txt', paths.map((path) => texts.get(path)).join('\n\n---\n\n')],
    ...[...texts].map(([path, text]): [string, string] => [`${path}.md`, text]),
  ]);
}

/**
 * Returns the Markdown of a page without what only the site understands: settings, the marks of
 * groups, and tags. Pictures become their descriptions.
 */
function plain(markdown: string): string {
  return withoutGroups(markdown)
    .replace(/^---\n.*?\n---\n+/s, '')
    .replaceAll(/^(?:<svg .*? aria-label="([^"]*)".*<\/svg>\n)+/gm, '*$1*\n')
    .replaceAll(/^<p class="last-change">(.*)<\/p>$/gm, '$1')
    .replaceAll(/^<\/?(?:div|TryIt|CodaReader)\b.*>\n+/gm, '');
}
