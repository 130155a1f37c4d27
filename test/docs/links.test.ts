import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/run-command.js';

/** Folders with files of other projects, or files that commands write. */
const notOurs = /^(\.git|\.data|\.stryker-tmp|\.turbo|node_modules|dist|coverage|reports)$/;

/** Returns the Markdown files below a folder of the repository, as paths from its root. */
function markdownIn(folder: string): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return notOurs.test(entry.name) ? [] : markdownIn(path);
    return entry.isFile() && entry.name.endsWith('.md') ? [path] : [];
  });
}

const pages = markdownIn('');

test.each(pages)('docs: the targets of all links in %s exist', (name) => {
  const text = readFileSync(join(repository, name), 'utf8');
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, inMarkdown, inHtml]) => inMarkdown ?? inHtml ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    // The test of the site follows the links to what only the site has, such as
    // `/errors/notFound.md`.
    .filter((target) => !target.startsWith('/'))
    .filter((target) => !exists(join(repository, name), target));
  expect(broken).toEqual([]);
});

function exists(page: string, target: string): boolean {
  const [path = '', fragment] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  return fragment === undefined || anchorsOf(file).includes(fragment);
}

/** Returns the anchors that GitHub gives to headings: lower case, words joined by hyphens. */
function anchorsOf(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
