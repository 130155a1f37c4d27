import { posix } from 'node:path';
import client from '../../packages/client/package.json' with { type: 'json' };

/**
 * Returns Markdown whose links lead to pages of the site. A link to a file that is not a page, such
 * as a test, becomes its text. Of images, plots stay. A link to an operation
 * (`#operation/getToken`) leads to the reference. READMEs of packages, which are read outside of
 * this repository too, have links with the address of the site.
 *
 * @param source the path of the Markdown file in the repository
 * @param path the path of its page in the site, without an extension
 * @param pages the pages of the site: from their path in the repository to that in the site
 */
export function withLinksToPages(
  markdown: string,
  source: string,
  path: string,
  pages: ReadonlyMap<string, string>,
): string {
  return outsideCode(markdown, (text) =>
    text.replaceAll(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (link, image, label, given: string) => {
        const [, ofSite] = given.split(client.homepage);
        const target = ofSite === undefined ? given : `/${asMarkdown(ofSite)}`;
        if (/^[a-z]+:/.test(target)) return link;
        const [file = '', fragment] = target.split('#');
        if (file === '' && /^(operation|tag)\//.test(fragment ?? '')) {
          return `[${label}](${from(path, 'reference/index.html')}#${fragment})`;
        }
        if (file === '') return link;
        if (file.startsWith('/'))
          return `[${label}](${from(path, file.slice(1))}${hash(fragment)})`;
        const linked = posix.join(posix.dirname(source), file);
        if (image && linked.startsWith('docs/plots/')) {
          return `![${label}](${from(path, posix.relative('docs', linked))})`;
        }
        const page = pages.get(linked);
        if (page === undefined) return image ? '' : label;
        return `[${label}](${from(path, page)}.md${hash(fragment)})`;
      },
    ),
  );
}

/** Every page of the site is Markdown at first, except the reference. */
function asMarkdown(path: string): string {
  return path.startsWith('reference/') ? path : path.replace('.html', '.md');
}

/** Returns the path from a page to another file of the site: `../errors/index`. */
export function from(path: string, target: string): string {
  const relative = posix.relative(posix.dirname(path), target);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

function hash(fragment: string | undefined): string {
  return fragment === undefined ? '' : `#${fragment}`;
}

/** Changes the text of Markdown outside of its blocks of code. */
export function outsideCode(markdown: string, change: (text: string) => string): string {
  return markdown
    .split(/(^```.*?^```$)/ms)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');
}
