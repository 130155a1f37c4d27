import { expect, test } from 'vitest';
import { openObservedPage } from './observed-page.js';
import { focused, heading } from './reference-on-host.js';
import { axe, type Site, violationsOfAxe } from './site-pages.js';

export function testSearch(get: () => Site): void {
  test('D-52 the search is opened, used and left with the keyboard alone, and is accessible', async () => {
    const { browser, base, address } = get();
    const { page, problems, requests, close } = await openObservedPage(browser, {
      bypassCSP: true,
    });
    await page.goto(`${address}guide/files.html`);
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search' });
    await page.keyboard.type('mandate');
    const options = page.getByRole('option');
    await options.first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe);
      expect(await page.evaluate(violationsOfAxe)).toEqual([]);
    }
    await page.keyboard.press('ArrowDown');
    const second = options.nth(1);
    expect(await second.getAttribute('aria-selected')).toBe('true');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await second.getAttribute('id'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${base}guide/mandates.html`);
    await page.getByRole('button', { name: 'Search' }).click();
    await field.fill('ibanInUse');
    await options.first().waitFor();
    expect(await options.first().getAttribute('href')).toMatch(/errors\/ibanInUse\.html$/);
    await page.keyboard.press('Escape');
    expect(await field.isVisible()).toBe(false);
    expect(problems).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(address))).toEqual([]);
    await close();
  });

  test('D-52 the search says when it cannot be loaded, and tries again when it is opened', async () => {
    const { browser, address } = get();
    const page = await browser.newPage();
    await page.route('**/search.json', (route) => route.abort());
    await page.goto(`${address}guide/files.html`);
    await page.keyboard.press('/');
    await page.getByText('The search could not be loaded.').waitFor();
    await page.unroute('**/search.json');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mandate');
    await page.getByRole('option').first().waitFor();
    await page.close();
  });

  test('D-52 in the reference, the search of the site is opened, used and left with the keyboard alone', async () => {
    const { browser, address } = get();
    const { page, problems, close } = await openObservedPage(browser);
    await page.goto(`${address}reference/#operation/getToken`);
    await heading(page, 'Get or refresh token').waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search' });
    await page.keyboard.type('archiveCustomer');
    await page.getByRole('option', { name: 'Archive customer' }).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await field.isVisible()).toBe(false);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Enter');
    await heading(page, 'Archive customer').waitFor();
    expect(page.url()).toMatch(/#\/customers\/archivecustomer$/);
    expect(await page.getByPlaceholder('Search docs...').count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('link to Archive customer');
    expect(problems).toEqual([]);
    await close();
  });
}
