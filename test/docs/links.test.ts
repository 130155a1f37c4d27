import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operations } from '@adx/contract';
import { expect, test } from 'vitest';
import { assemble } from '../../docs/site/assemble.js';
import client from '../../packages/client/package.json' with { type: 'json' };
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
const { homepage } = client;

test.each(pages)('docs: the targets of all links in %s exist', (name) => {
  const text = readFileSync(join(repository, name), 'utf8');
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, inMarkdown, inHtml]) => inMarkdown ?? inHtml ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    // The test of the site follows the other links to what only the site has, such as
    // `/errors/notFound.md`.
    .filter((target) => !target.startsWith('/') || isReference(target))
    .filter((target) => !isInReference(target) && !exists(join(repository, name), target));
  expect(broken).toEqual([]);
});

test.each(['cli', 'client', 'sandbox', 'statements'])(
  'D-44 every link in the package %s leads within its README, or to a page of the site',
  async (name) => {
    const readme = readFileSync(join(repository, 'packages', name, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const decisions = readdirSync(join(repository, 'docs/decisions'));
    const site = await assemble(repository, ['1.0.0'], decisions);
    const isLiving = (target: string) => {
      const [path = '', fragment] = target.split('#');
      if (path === '') return exists(join(repository, 'packages', name, 'README.md'), target);
      // Another address of examples is one that was not replaced before a release.
      if (!path.startsWith(homepage)) return /^https:(?!.*\bexample\.org)/.test(path);
      const place = target.replace(homepage, '/');
      if (isReference(place)) return isInReference(place);
      const page = site.find((each) => `${homepage}${each.path}.html` === path);
      return page !== undefined && (!fragment || anchorsIn(page.markdown).includes(fragment));
    };
    expect(links.filter((target) => !isLiving(target))).toEqual([]);
  },
);

const reference = '/reference/index.html';

function isReference(target: string): boolean {
  return target.split('#')[0] === reference;
}

/** Returns true for a link to the reference, or to one of its operations. */
function isInReference(target: string): boolean {
  const places = Object.keys(operations).map((operation) => `#operation/${operation}`);
  return ['', ...places].some((place) => target === reference + place);
}

function exists(page: string, target: string): boolean {
  const [path = '', fragment] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  return fragment === undefined || anchorsOf(file).includes(fragment);
}

function anchorsOf(file: string): string[] {
  return anchorsIn(readFileSync(file, 'utf8'));
}

/** Returns the anchors that GitHub gives to headings: lower case, words joined by hyphens. */
function anchorsIn(markdown: string): string[] {
  const headings = markdown.matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
