import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spec } from '@adx/contract/spec';
import type { Search } from '../search/build-search.js';
import { navigation, operatorSections, type Page, type Section, sections } from './pages.js';
import { errorPages, errorPath } from './texts/error-pages.js';

const rememberLanguage = readFileSync(
  join(import.meta.dirname, '../theme/remember-language.js'),
  'utf8',
);

/**
 * A script for the start of each page, as JavaScript. Browsers may block storage, for example with
 * cookies, and then throw at each use: Redoc shows nothing there, and VitePress is never dark. The
 * pages get storage that lasts as long as they do.
 */
export const storageScript = `
for (const name of ['localStorage', 'sessionStorage']) {
  try {
    window[name].length;
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, String(text)),
      removeItem: (key) => kept.delete(key),
    };
    Object.defineProperty(window, name, { value });
  }
}
`;

/** Returns the configuration of VitePress, which is data only. */
export function siteConfig(base: string, search: Search) {
  return {
    base,
    lang: 'en',
    title: spec.info.title,
    description: spec.info['summary'],
    // A test follows all links, those to the reference included.
    ignoreDeadLinks: true,
    metaChunk: true,
    head: [
      ['script', {}, storageScript],
      ['script', {}, movedReferenceScript(base)],
      ['script', { type: 'module', src: base + search.script }],
      ['link', { rel: 'stylesheet', href: base + search.style }],
      ['script', {}, rememberLanguage],
      ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }],
      [
        'link',
        {
          rel: 'alternate',
          type: 'application/atom+xml',
          title: 'Changes',
          href: `${base}changes.xml`,
        },
      ],
      ['meta', { name: 'referrer', content: 'no-referrer' }],
    ],
    // The packages are read as they are in the repository, without their build.
    vite: { resolve: { conditions: ['adx-source'] } },
    markdown: {
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      languageAlias: { mjs: 'js' },
    },
    themeConfig: {
      logo: '/favicon.svg',
      nav: navigation.map(linkOf),
      // Not one collapsed menu, because VitePress nests its buttons.
      sidebar: {
        '/': sections.map(menuOf),
        '/errors/': [errorMenu(), ...sections.map(menuOf)],
        '/operators/': operatorSections.map(menuOf),
        '/decisions/': operatorSections.map(menuOf),
      },
      outline: [2, 3],
    },
  };
}

/**
 * The reference was the home page, and in the fragments of its addresses are slashes:
 * `#operation/getToken`.
 */
function movedReferenceScript(base: string): string {
  return `
if (/^(?:index\\.html)?$/.test(location.pathname.replace(${JSON.stringify(base)}, '')) && location.hash.includes('/')) {
  location.replace(${JSON.stringify(`${base}reference/index.html`)} + location.hash);
}
`;
}

function menuOf({ name, pages }: Section) {
  const items = pages.map(itemOf);
  const reference = { text: 'Reference', link: '/reference/index.html', target: '_self' };
  return { text: name, items: name === 'Interface' ? [reference, ...items] : items };
}

function itemOf({ name, path }: Page) {
  return { text: name, link: `/${path}` };
}

/** The pages at which a link of the header is the current one, where it is not one page. */
const partsOfSite: Readonly<Record<string, string>> = {
  errors: '/errors/',
  help: '/help/',
  operators: '/(operators|decisions)/',
};

function linkOf({ name, path }: (typeof navigation)[number]) {
  const [folder = ''] = path.split('/');
  if (folder === 'reference') return { text: name, link: `/${path}.html`, target: '_self' };
  return { text: name, link: `/${path}`, activeMatch: partsOfSite[folder] ?? `/${path}` };
}

function errorMenu() {
  return {
    text: 'Error codes',
    items: errorPages.map((page) => ({ text: page.name, link: `/${errorPath(page)}` })),
  };
}
