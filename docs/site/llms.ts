import { spec } from '@adx/contract/spec';
import type { Assembled } from './assemble.js';
import { outsideCode } from './links.js';
import { home, operatorSections, sections } from './pages.js';
import { languages, withoutGroups } from './texts/code-groups.js';
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
  const named = new Intl.ListFormat('en-GB').format(languages.map(({ name }) => name));
  const samples = `Each sample is in ${named}, one after the other.`;
  const about = `${spec.info['summary']}\n\n${samples}\n\n${interfaceItself}`;
  const head = `# ${spec.info.title}\n\n> ${about}`;
  const paths = [home, ...all.flatMap((section) => section.pages)].map(({ path }) => path);
  return new Map([
    ['llms.txt', `${[head, ...lists].join('\n\n')}\n`],
    ['llms-full.txt', paths.map((path) => texts.get(path)).join('\n\n---\n\n')],
    ...[...texts].map(([path, text]): [string, string] => [`${path}.md`, text]),
  ]);
}

/**
 * Returns the Markdown of a page without what only the site understands: settings, the marks of
 * groups and blocks, and tags. Pictures become their descriptions.
 */
function plain(markdown: string): string {
  const text = withoutGroups(markdown)
    .replace(/^---\n.*?^---\n+/ms, '')
    .replaceAll(/^(```\w+) not-run:\w+$/gm, '$1');
  return outsideCode(text, (part) =>
    part
      // A picture for wide screens and one for phones have the same description.
      .replaceAll(/^(?:<svg .*? aria-label="([^"]*)".*<\/svg>\n)+/gm, '$1\n')
      .replaceAll(/^<p class="last-change">(.*)<\/p>$/gm, '$1')
      .replaceAll(/^<\/?(?:div|TryIt|CodaReader)\b.*>\n+/gm, ''),
  );
}
