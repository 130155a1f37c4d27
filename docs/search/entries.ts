import { STATUS_CODES } from 'node:http';
import { type Operation, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import type { Assembled } from '../site/assemble.js';
import { operatorSections, sections } from '../site/pages.js';
import { type ErrorPage, errorPages, errorPath } from '../site/texts/error-pages.js';
import type { Entry } from './find.js';

/**
 * Returns what the search finds: each operation, each error, and each part of each other page under
 * its heading.
 */
export function searchEntries(pages: readonly Assembled[]): Entry[] {
  const errors = new Set(errorPages.map(errorPath));
  return [
    ...Object.values<Operation>(operations).map(entryOfOperation),
    ...errorPages.map(entryOfError),
    ...pages.filter(({ path }) => !errors.has(path)).flatMap(partsOf),
  ];
}

function entryOfOperation({ operationId, method, path, client, errors }: Operation): Entry {
  const operation = spec.paths[path]?.[method];
  const call = `${client.resource}.${client.method}`;
  return {
    path: `reference/index.html#operation/${operationId}`,
    title: operation?.summary ?? operationId,
    place: `${method.toUpperCase()} ${path}`,
    text: plain(operation?.description ?? ''),
    names: [operationId, call, path, `${method} ${path}`],
    words: [operation?.tags, errors].join(' '),
  };
}

function entryOfError(page: ErrorPage): Entry {
  const { name, error, message, status, advice } = page;
  return {
    path: `${errorPath(page)}.html`,
    title: name,
    place: `Error ${status}`,
    text: plain(`${message} ${advice.when} ${advice.action}`),
    names: [error, message, String(status), STATUS_CODES[status] ?? ''],
  };
}

/** By path, the pages of the menu with the names of their sections. */
const menu = new Map(
  [...sections, ...operatorSections].flatMap(({ name, pages }) =>
    pages.map((page) => [page.path, { ...page, section: name }]),
  ),
);

/** Returns the parts of a page: from each heading to the next. */
function partsOf({ path, markdown }: Assembled): Entry[] {
  const text = markdown
    .replace(/^---\n.*?\n---\n/s, '')
    .replaceAll(/^ *```.*?^ *```$/gms, '')
    .replaceAll(/^:::.*$/gm, '')
    .replaceAll(/<(svg|style|script)\b.*?<\/\1>/gs, '');
  const page = menu.get(path);
  const used = new Map<string, number>();
  const parts = text.split(/^(?=#{1,3} )/m).filter((part) => part.startsWith('#'));
  const [title = ''] = parts.map((part) => plain(headingOf(part)));
  return parts.map((part, index) => {
    const heading = headingOf(part);
    const own = /\{#(.+)\}$/.exec(heading)?.[1];
    const name = plain(heading);
    const slug = own ?? slugOf(name);
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    const fragment = index === 0 ? '' : `#${slug}${count === 0 ? '' : `-${count}`}`;
    const ofPage = index === 0 ? (page ? [page.name, ...page.names] : []) : [];
    return {
      path: `${path}.html${fragment}`,
      title: name,
      place: index === 0 ? (page?.section ?? 'Decisions') : (page?.name ?? title),
      text: plain(part.slice(part.indexOf('\n') + 1 || part.length)),
      // A decision is also found by its number.
      names: [...ofPage, ...(/^[DL]-\d+/.exec(name) ?? [])].filter((each) => each !== name),
    };
  });
}

function headingOf(part: string): string {
  return (part.split('\n')[0] ?? '').replace(/^#+ /, '').trim();
}

/** Returns the text of Markdown without its marks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\{#.+?\}$/gm, '')
    .replaceAll(/<[^>\n]+>/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[-:| ]+$|^#+ |^> |^ *(?:[-*]|\d+\.) |[`*|]/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the fragment that VitePress gives to a heading. */
function slugOf(heading: string): string {
  return heading
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase();
}
