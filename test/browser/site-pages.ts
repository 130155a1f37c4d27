import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operations } from '@adx/contract';
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { openObservedPage } from './observed-page.js';

export interface Site {
  readonly browser: Browser;
  readonly folder: string;
  /** The path on the host, which begins and ends with a slash. */
  readonly base: string;
  readonly address: string;
}

/** A page of each kind, and its heading. */
const kinds = [
  ['index.html', 'Accounting Data Exchange'],
  ['guide/quick-start.html', 'Quick start'],
  ['guide/mandates.html', 'Mandates'],
  ['errors/index.html', 'Errors'],
  ['errors/belongsToAnotherTenant.html', 'belongsToAnotherTenant'],
  ['tools/client.html', '@adx/client'],
  ['tools/coda.html', 'CODA by example'],
  ['tools/sandbox.html', '@adx/sandbox'],
  ['findings/coda.html', 'Findings in CODA files'],
  ['interface/try.html', 'Try it'],
  ['interface/journeys.html', 'Journeys'],
  ['interface/changes.html', 'Changes of the interface'],
  ['help/glossary.html', 'Glossary'],
  ['operators/production.html', 'Running in production'],
  ['operators/benchmarks.html', 'Benchmarks'],
  ['operators/proofs.html', 'Proofs'],
  ['decisions/D-24-mandate-lifecycle.html', 'The lifecycle of a mandate'],
  ['404.html', 'There is no such page'],
  ['reference/index.html#mandates', 'Mandates'],
  ['reference/index.html#operation/updateCustomer', 'Update customer'],
] as const;

interface View {
  readonly widths: readonly [number, ...number[]];
  readonly colorScheme: 'light' | 'dark';
}

const views: readonly View[] = [
  { widths: [768, 360, 320], colorScheme: 'light' },
  { widths: [1280, 1920], colorScheme: 'dark' },
];

/** The reference is large, so each of its two places is shown in one scheme. */
const inOneScheme: Readonly<Record<string, typeof views>> = {
  'reference/index.html#mandates': [{ widths: [768, 360, 1280, 1920], colorScheme: 'dark' }],
  'reference/index.html#operation/updateCustomer': [
    { widths: [1280, 1920, 768, 360], colorScheme: 'light' },
  ],
};

/**
 * Finds what is wider than the window, titles of the outline that are cut off, and tables of text
 * that a phone, a laptop or a large window shows in part.
 */
const faultsOfLayout = `[
  ...[...document.querySelectorAll('.vp-doc table:not(.numbers)')]
    .filter((table) => [360, 1280, 1920].includes(innerWidth) && table.scrollWidth > table.clientWidth + 1)
    .map((table) => table.innerText.slice(0, 40)),
  ...(document.documentElement.scrollWidth > window.innerWidth ? ['overflow'] : []),
  ...[...document.querySelectorAll('.outline-link')]
    .filter((link) => link.scrollWidth > link.clientWidth)
    .map((link) => link.textContent),
]`;

const standsStill = `new Promise((resolve) => {
  let timer = setTimeout(resolve, 500);
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(resolve, 500);
  }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
})`;

export const axe = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

export const violationsOfAxe = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary)]))`;

export function testPages(get: () => Site): void {
  test('D-52 every kind of page is accessible, not wider than the window, and cuts off no title, in five widths and both color schemes', async () => {
    const { browser, address } = get();
    // The policy of the pages forbids axe-core. Another test keeps it.
    const observed = await openObservedPage(browser, { bypassCSP: true });
    const { page } = observed;
    const problems: unknown[] = [];
    for (const [kind, name] of kinds) {
      for (const [index, { widths, colorScheme }] of (inOneScheme[kind] ?? views).entries()) {
        await page.emulateMedia({ colorScheme });
        // The pages of VitePress follow the scheme while they are open.
        if (index === 0) {
          await page.goto('about:blank');
          await page.setViewportSize({ width: widths[0], height: 900 });
          await page.goto(address + kind);
          await page.getByRole('heading', { name }).first().waitFor();
          await page.evaluate(axe);
        }
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          const faults = await page.evaluate(faultsOfLayout);
          if (String(faults) !== '') problems.push([kind, width, faults]);
        }
        await page.evaluate(standsStill);
        const isDark = await page.evaluate("document.documentElement.classList.contains('dark')");
        expect(isDark, kind).toBe(colorScheme === 'dark');
        const violations = await page.evaluate(violationsOfAxe);
        if (String(violations) !== '') problems.push([kind, colorScheme, violations]);
      }
    }
    await observed.close();
    expect(problems).toEqual([]);
  });

  test('D-52 a page is copied as Markdown, for example for an assistant', async () => {
    const { browser, folder, address } = get();
    const { page, problems, close } = await openObservedPage(browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${address}guide/files.html`);
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(read(folder, 'guide/files.md'));
    expect(problems).toEqual([]);
    await close();
  });

  test('D-52 on the home page, each way in is a link as a whole, and the page of a path that does not exist leads on', async () => {
    const { browser, base, address } = get();
    const { page, problems, close } = await openObservedPage(browser);
    await page.goto(`${address}index.html`);
    await page.getByText('safe downloads and uploads').click();
    await page.waitForURL(`**${base}tools/client.html`);
    for (const [name, path] of [
      ['Try it', 'interface/try.html'],
      ['Reference', 'reference/index.html'],
    ] as const) {
      await page.goto(`${address}404.html`);
      await page.getByRole('main').getByRole('link', { name, exact: true }).click();
      await page.waitForURL(`**${base}${path}`);
    }
    expect(problems).toEqual([]);
    await close();
  });

  test('D-52 on a phone, Escape closes the links of the header, and the focus stops only where a key does something', async () => {
    const { browser, address } = get();
    const { page, problems, close } = await openObservedPage(browser);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(`${address}guide/quick-start.html`);
    await page.getByRole('button', { name: 'mobile navigation' }).click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.locator('.VPNavScreen').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('mobile navigation');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Quick start');
    expect(problems).toEqual([]);
    await close();
  });

  test('D-52 without scripts and on paper, samples are shown whole, and nothing that needs a script', async () => {
    const { browser, address } = get();
    const { page, close } = await openObservedPage(browser, { javaScriptEnabled: false });
    await page.goto(`${address}guide/quick-start.html`);
    await page.getByText('$env:ADX_URL').waitFor();
    expect(await page.getByRole('button', { name: /^(Search|Copy page)/ }).count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('banner').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Quick start' }).waitFor();
    await close();
  });

  test('D-52 whatever the search finds is a place of the site', () => {
    const { folder, base } = get();
    const entries: { path: string }[] = JSON.parse(read(folder, 'search.json'));
    expect(entries.length).toBeGreaterThan(300);
    const broken = entries.filter(({ path }) => !leadsSomewhere(folder, base, 'index.html', path));
    expect(broken.map(({ path }) => path)).toEqual([]);
  });

  test('D-52 every link and every file of a page leads to a file of the site, and to a place in it', () => {
    const { folder, base } = get();
    const names = [
      ...pagesOf(folder),
      ...filesOf(folder, '.md'),
      ...['llms.txt', 'reference/index.html', 'reference/1.0.0/index.html'],
    ];
    const broken = names.flatMap((name) =>
      targetsIn(name, read(folder, name))
        .filter((target) => !/^(?:https?|mailto|data):/.test(target))
        .filter((target) => !leadsSomewhere(folder, base, name, target))
        .map((target) => `${name}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('D-52 each compressed copy of a file has its content', () => {
    const { folder } = get();
    const copies = [...filesOf(folder, '.br'), ...filesOf(folder, '.gz')];
    expect(copies.length).toBeGreaterThan(500);
    for (const name of copies) {
      const copy = readFileSync(join(folder, name));
      const content = name.endsWith('.br') ? brotliDecompressSync(copy) : gunzipSync(copy);
      expect(content.equals(readFileSync(join(folder, name.slice(0, -3)))), name).toBe(true);
    }
  });

  test('L-04 the script of Redoc has its licences, and nothing that reports to anybody', () => {
    const { folder } = get();
    const scripts = filesOf(folder, '.js').filter((name) => /^assets\/redoc\./.test(name));
    expect(scripts).toHaveLength(1);
    const text = read(folder, scripts[0] ?? '');
    for (const holder of ['Redocly LLC', 'Meta Platforms']) expect(text).toContain(holder);
    expect(text).not.toMatch(/otel\.cloud|cdn\.redoc\.ly|FlexSearch\.js/);
  });

  test('D-52 the reference shows no pattern that forbids control characters, which the spec has', () => {
    const { folder } = get();
    for (const name of ['reference/', 'reference/1.0.0/']) {
      expect(read(folder, `${name}openapi.json`)).toContain('u0000');
      expect(read(folder, `${name}index.html`)).not.toContain('u0000');
    }
  });

  test('D-52 every page forbids what is neither in the site nor one of its own scripts', () => {
    const { folder } = get();
    for (const name of pagesOf(folder)) {
      const [, policy] =
        /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(read(folder, name)) ??
        [];
      expect(policy, name).toMatch(
        /^default-src 'none'; script-src 'self'(?: 'sha256-[\w+/=]+')+; /,
      );
      expect(policy, name).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
    }
  });

  test('D-52 llms.txt names every page, and llms-full.txt has their texts', () => {
    const { folder, base } = get();
    const list = read(folder, 'llms.txt');
    const named = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) =>
      path.slice(base.length),
    );
    const interfaceItself = 'reference/openapi.yaml';
    const pages = filesOf(folder, '.md').filter(
      (path) => !/^(?:index|decisions\/D-.*|decisions\/L-.*)\.md$/.test(path),
    );
    expect(named.sort()).toEqual([...pages, interfaceItself].sort());
    const full = read(folder, 'llms-full.txt');
    expect(pages.filter((path) => !full.includes(read(folder, path)))).toEqual([]);
  });
}

/** Returns pages without those of the reference, which is a page of another program. */
function pagesOf(folder: string): string[] {
  return filesOf(folder, '.html').filter((name) => !name.startsWith('reference/'));
}

function filesOf(folder: string, extension: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(extension));
}

/** Returns the links of HTML, of Markdown, or of the frame around a reference. */
function targetsIn(name: string, text: string): string[] {
  const [frame = text] = /<nav class="site".*?<\/nav>/s.exec(text) ?? [];
  const links = name.endsWith('.html')
    ? frame.matchAll(/(?:href|src)="([^"]+)"/g)
    : text.replaceAll(/^```.*?^```$/gms, '').matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].map(([, target = '']) => target.replaceAll('&amp;', '&'));
}

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function leadsSomewhere(folder: string, base: string, page: string, target: string): boolean {
  const { pathname, hash } = new URL(target, `http://host${posix.join(base, page)}`);
  if (!pathname.startsWith(base)) return false;
  const name = decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
  const place = decodeURIComponent(hash.slice(1));
  const operation = /^operation\/(.+)$/.exec(place)?.[1];
  if (!existsSync(join(folder, name))) return false;
  if (operation) return operation in operations;
  // A text in Markdown has the places of its page.
  return place === '' || read(folder, name.replace(/\.md$/, '.html')).includes(` id="${place}"`);
}
