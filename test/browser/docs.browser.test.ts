// @module-tag long
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.js';
import { buildSite } from './build-site.js';
import { testCodaReader } from './coda-reader.js';
import { launchBrowser } from './launch-browser.js';
import { openObservedPage } from './observed-page.js';
import { goals, weighPage } from './page-weights.js';
import { testReference } from './reference-on-host.js';
import { testLanguages } from './remembered-language.js';
import { folderUnder, type Listening, listen, serviceUnder } from './serve-folder.js';
import { testPages } from './site-pages.js';
import { testSearch } from './site-search.js';
import { testTryIt } from './try-it.js';

/** The path at which a proxy shows the service, and the one for which the site is built. */
const path = '/partners/adx';
const base = `${path}/docs/`;

let site: string;
let service: TestService;
let browser: Browser;
let host: Listening;

beforeAll(async () => {
  [site, browser] = await Promise.all([buildSite(base), launchBrowser()]);
  service = await startTestService({ settings: { DOCS_DIR: site } });
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
});

function serve(listener: () => RequestListener): void {
  beforeAll(async () => {
    host = await listen(listener());
  });
  afterAll(() => host?.close());
}

describe('docs on a static host', () => {
  serve(() => folderUnder(`${path}/docs`, site));
  testReference(() => ({ browser, address: `${host.origin}${base}reference/` }));
  testPages(() => ({ browser, folder: site, base, address: host.origin + base }));
  testSearch(() => ({ browser, folder: site, base, address: host.origin + base }));
  testCodaReader(() => ({ browser, address: host.origin + base }));
  testLanguages(() => ({ browser, address: host.origin + base }));

  test('D-52 a decision, which is not in the menu, has no next page', async () => {
    const page = await readFile(join(site, 'decisions/D-24-mandate-lifecycle.html'), 'utf8');
    expect(page).not.toContain('Next page');
    expect(await readFile(join(site, 'guide/mandates.html'), 'utf8')).toContain('Next page');
  });

  test('D-52 a long code in a table leaves room for the other columns, and stays one word', async () => {
    const { page, close } = await openObservedPage(browser);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${host.origin}${base}guide/mandates.html`);
    const cells = page.getByRole('row', { name: 'unsupportedPayrollProvider' }).getByRole('cell');
    const boxes = await Promise.all(
      [cells.first(), cells.last()].map((cell) => cell.boundingBox()),
    );
    expect(boxes[1]?.width).toBeGreaterThan(1.5 * (boxes[0]?.width ?? 0));
    const markdown = await readFile(join(site, 'guide/mandates.md'), 'utf8');
    expect(markdown).toContain('| `unsupportedPayrollProvider`<br>CODB |');
    await close();
  });
});

describe('docs on the service, behind a proxy', () => {
  serve(() => serviceUnder(path, new URL(service.baseUrl).origin));
  testTryIt(() => ({ browser, service, address: host.origin + base }));

  test('docs: the service shows the reference without a request to another origin', async () => {
    const { page, problems, requests, close } = await openObservedPage(browser);
    await page.goto(`${host.origin}${base}reference/#operation/getCustomer`);
    await page.getByRole('heading', { name: 'Get customer' }).waitFor();
    expect(problems).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(host.origin + base))).toEqual([]);
    await close();
  });

  test.each(Object.entries(goals))(
    'D-52 %s is at most %i KiB when it is first opened',
    async (path, goal) => {
      const bytes = await weighPage(browser, host.origin + base + path);
      expect(bytes).toBeGreaterThan(1024);
      expect(bytes / 1024).toBeLessThan(goal);
    },
  );
});
