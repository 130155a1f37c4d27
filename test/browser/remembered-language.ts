import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openObservedPage } from './observed-page.js';
import { heading } from './reference-on-host.js';

interface Site {
  readonly browser: Browser;
  readonly address: string;
}

/**
 * Tests that a language of samples, once chosen, is kept by all pages of a site, which do without
 * the storage of the browser.
 */
export function testLanguages(get: () => Site): void {
  test('D-54 a language that is chosen by keyboard is shown by all groups, on all pages, and by the reference', async () => {
    const { browser, address } = get();
    const { page, problems, close } = await openObservedPage(browser);
    await page.goto(`${address}guide/customers.html`);
    await expectShown(page, 'TypeScript', 'const customer = await client.customers.create');
    // Below the group.
    await page
      .getByRole('heading', { name: 'Test IBANs and enterprise numbers' })
      .scrollIntoViewIfNeeded();
    await page.getByRole('radio', { name: 'TypeScript' }).focus();
    await page.keyboard.press('ArrowRight');
    await expectShown(page, 'C#', 'HttpRequestMessage');
    await page.keyboard.press('ArrowRight');
    await expectShown(page, 'PHP', 'stream_context_create');
    const menu = await page.locator('.VPNav').boundingBox();
    const tab = await page.locator('.vp-code-group label', { hasText: 'PHP' }).boundingBox();
    expect(tab?.y).toBeGreaterThan(menu?.height ?? 0);

    await page.getByRole('link', { name: 'Uploading' }).first().click();
    await expectShown(page, 'PHP', 'hash_hmac');
    await page.reload();
    await expectShown(page, 'PHP', 'hash_hmac');

    // A cookie of this name that is not Redoc's.
    await page.evaluate("document.cookie = 'redoc.appStore=x; path=/'");
    await page.goto(`${address}reference/#operation/createCustomer`);
    const section = page.locator('[data-section-id$="/createcustomer"]');
    await section.getByText('stream_context_create').first().waitFor();
    await section.getByText('PHP', { exact: true }).first().click();
    await page.getByRole('menu').getByText('Java', { exact: true }).click();
    await section.getByText('HttpRequest').first().waitFor();

    await page.goto(`${address}guide/uploads.html`);
    await expectShown(page, 'Java', 'javax.crypto.Mac');
    expect(problems).toEqual([]);
    await close();
  });

  test('D-54 a page shows nothing but the chosen language, so that it does not move while it loads', async () => {
    const { browser, address } = get();
    const { page, close } = await openObservedPage(browser);
    await page.goto(`${address}index.html`);
    await page.evaluate("localStorage.setItem('adx-language', 'java')");
    await page.addInitScript(`
      globalThis.painted = new Set();
      (function look() {
        for (const block of document.querySelectorAll('.vp-code-group:has([data-title=curl]) .active')) painted.add(block.className);
        requestAnimationFrame(look);
      })();
    `);
    for (const name of ['signing-in', 'quick-start', 'uploads']) {
      await page.goto(`${address}guide/${name}.html`);
      await expectShown(page, 'Java', 'HttpRequest');
      const painted = await page.evaluate<string[]>('[...painted]');
      expect(painted).toEqual([expect.stringMatching(/^language-java\b/)]);
    }
    await close();
  });

  test('D-52 the reference works in a browser that blocks storage', async () => {
    const { browser, address } = get();
    const { page: blocked, problems, close } = await openObservedPage(browser);
    try {
      await blocked.addInitScript(blockStorage);
      await blocked.goto(`${address}reference/#operation/getCustomer`);
      await heading(blocked, 'Get customer').waitFor();
      await blocked.keyboard.press('Control+k');
      await blocked.getByRole('combobox', { name: 'Search' }).fill('archive');
      await blocked.getByRole('option', { name: 'Archive customer' }).first().waitFor();
      await blocked.keyboard.press('Escape');
      await blocked.goto(`${address}index.html`);
      await blocked.getByRole('heading', { name: 'Accounting Data Exchange' }).waitFor();
      expect(problems).toEqual([]);
    } finally {
      await close();
    }
  });
}

async function expectShown(page: Page, language: string, code: string): Promise<void> {
  const groups = page.locator('.vp-code-group:has([data-title=curl])');
  await groups.first().waitFor();
  await expect
    .poll(() => groups.locator('.blocks > .active').first().textContent())
    .toContain(code);
  for (const group of await groups.all()) {
    expect(await group.getByRole('radio', { name: language, exact: true }).isChecked()).toBe(true);
    expect(await group.locator('.blocks > *:visible').count()).toBe(1);
  }
}

/** Makes the storage of a page throw at each use, as browsers do that block cookies. */
const blockStorage = `
  for (const name of ['localStorage', 'sessionStorage']) {
    const get = () => { throw new DOMException('Access is denied', 'SecurityError'); };
    Object.defineProperty(window, name, { get, configurable: true });
  }
`;
