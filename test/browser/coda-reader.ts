import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ObservedPage, openObservedPage } from './observed-page.js';

interface Host {
  readonly browser: Browser;
  /** The address of the site, which ends in a slash. */
  readonly address: string;
}

/** Tests the page that reads a CODA file in the browser. */
export function testCodaReader(get: () => Host): void {
  let observed: ObservedPage;
  let page: Page;

  beforeAll(async () => {
    const { browser, address } = get();
    observed = await openObservedPage(browser);
    page = observed.page;
    await page.goto(`${address}tools/coda.html`);
    await page.getByText('The example: 1 of 1 statements can be read.').waitFor();
  });

  afterAll(() => observed?.close());

  test('D-52 "CODA by example" explains each field, also with the keyboard', async () => {
    const file = page.getByLabel('The file, field by field');
    await file.focus();
    const explained = page.locator('#coda-part');
    expect(await explained.innerText()).toContain('record type');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
      await file.press(key);
    }
    expect(await explained.innerText()).toMatch(
      /reference of the bank\s+line 3, position 11–31: REF-1/,
    );
    await file.getByText('000000000125500').first().hover();
    expect(await explained.innerText()).toContain('= 125.500');
  });

  test('D-52 "CODA by example" reads a file of the visitor, and sends nothing', async () => {
    const before = observed.requests.length;
    const example = await page.getByLabel('The file, field by field').innerText();
    const lines = example.split('\n').filter((line) => line.length === 128);
    const upload = async (name: string, text: string) => {
      const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
      await page.getByLabel('Choose or drop a CODA file').setInputFiles(file);
      await page.getByText(`${name}: `).waitFor();
    };
    await upload('good.cod', lines.join('\r\r\n'));
    expect(await page.getByText('good.cod: 1 of 1 statements can be read.').count()).toBe(1);
    expect(await page.getByLabel('Findings').innerText()).toContain('several carriage returns');
    await upload('one-line.cod', lines.join(''));
    expect(await page.getByText('one-line.cod: 1 of 1 statements can be read.').count()).toBe(1);
    expect(await page.getByLabel('The file, field by field').innerText()).toBe(example);
    await upload('bad.cod', lines.join('\n').replace('125500', '125501'));
    expect(await page.getByText('bad.cod: 0 of 1 statements can be read.').count()).toBe(1);
    expect(await page.getByLabel('Findings').innerText()).toMatch(/error in line \d+, position/);
    await upload('other.txt', 'hello');
    expect(await page.getByText('other.txt: 0 of 1 statements').count()).toBe(1);
    // The site fetches pages that visible links lead to; it has no other reason for a request.
    const pages = /^assets\/[\w.-]+\.js$/;
    const sent = observed.requests.slice(before).map((url) => url.replace(get().address, ''));
    expect(sent.filter((url) => !pages.test(url))).toEqual([]);
    expect(observed.problems).toEqual([]);
  });
}
