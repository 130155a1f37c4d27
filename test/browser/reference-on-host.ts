import { operations } from '@adx/contract';
import { spec, specYaml } from '@adx/contract/spec';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { samplesOf } from '../../codegen/src/emit/samples/samples.js';
import { readModel } from '../../docs/reference/read-model.js';
import { type ObservedPage, openObservedPage } from './observed-page.js';

const samples = samplesOf(readModel(specYaml));

interface Reference {
  readonly browser: Browser;
  /** The address of the page, which ends in a slash. */
  readonly address: string;
}

/**
 * Tests the reference on a host.
 *
 * @param get returns the reference, once the host listens
 */
export function testReference(get: () => Reference): void {
  let browser: Browser;
  let observed: ObservedPage;
  let page: Page;
  let address: string;

  beforeAll(async () => {
    ({ browser, address } = get());
    observed = await openObservedPage(browser, { viewport: { width: 1440, height: 900 } });
    page = observed.page;
    await page.goto(address);
  });

  afterAll(() => observed?.close());

  test.each(['Authentication', 'Paging', 'Errors', 'Acknowledging', 'Versioning'])(
    'docs: the section %s is shown',
    async (section) => {
      await heading(page, section).first().waitFor();
    },
  );

  test('docs: every operation is shown with its sample in TypeScript, and in each other language if that is chosen', async () => {
    for (const { operationId, path, client } of Object.values(operations)) {
      const section = await (await openOperation(operationId)).textContent();
      expect(section).toContain(path);
      expect(section, operationId).toContain(`client.${client.resource}.${client.method}(`);
    }
    const section = await openOperation('createCustomer');
    let shown = 'TypeScript';
    for (const { lang, source } of (samples.get('createCustomer') ?? []).slice(1)) {
      await section.getByText(shown, { exact: true }).first().click();
      await page.getByRole('menu').getByText(lang, { exact: true }).click();
      const lines = source.split('\n').filter((line) => line.includes('0765.432.146'));
      expect(lines).toHaveLength(1);
      const [call = '', member = ''] = [source.split('\n')[0], lines[0]?.trim()];
      await expect.poll(() => section.textContent(), { message: lang }).toContain(call);
      expect(await section.textContent()).toContain(member);
      shown = lang;
    }
  });

  test.each([
    ['reference/#tag/Reference-data', 'Reference data'],
    // The reference was here before it moved.
    ['#operation/getCustomer', 'Get customer'],
    ['index.html#/mandates', 'Mandates'],
  ])(
    'D-52 %s leads to the reference, which never shows that there is no such page',
    async (link, name) => {
      const { page: opened, problems, close } = await openObservedPage(browser);
      try {
        await opened.addInitScript(`
        globalThis.shown = new Set();
        new MutationObserver(() => {
          for (const { textContent } of document.querySelectorAll('h1, h2')) shown.add(textContent);
        }).observe(document, { childList: true, subtree: true });
      `);
        await opened.goto(new URL(`../${link}`, address).href);
        await heading(opened, name).first().waitFor();
        expect(opened.url()).toContain('/reference/');
        const shown = await opened.evaluate<string[]>('[...shown]');
        expect(shown).toContain('Reference');
        expect(shown).not.toContain('No page at this address');
        expect(problems).toEqual([]);
      } finally {
        await close();
      }
    },
  );

  test('docs: a sample shows the example that is named above it', async () => {
    const panel = (await openOperation('listCodaFiles')).getByTestId('right-panel');
    await panel.getByText('The statements of March, again, with PDF').waitFor();
    await panel.getByText('2026-03-31').first().waitFor();
  });

  test('D-52 in the reference, a language is chosen with the keyboard alone', async () => {
    const panel = (await openOperation('getCustomer')).getByTestId('right-panel');
    const names = (samples.get('getCustomer') ?? []).map(({ lang }) => lang).join('|');
    await panel.getByRole('button', { name: new RegExp(`^(${names})$`) }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('TypeScript');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('PHP');
    await panel.getByText('<?php').waitFor();
  });

  test('D-52 on a phone, the menu of the reference is opened, used and left with the keyboard alone', async () => {
    await page.setViewportSize({ width: 375, height: 700 });
    await openOperation('getCustomer');
    await page.getByRole('button', { name: 'Open navigation menu' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Accounting Data Exchange');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Open navigation menu');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Accounting Data Exchange');
    await page.getByRole('button', { name: 'Close navigation menu' }).focus();
    await page.keyboard.press('Tab');
    await page.getByRole('navigation', { name: 'Reference' }).waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('D-52 in the reference, the keyboard skips the header and the menu', async () => {
    await page.goto(address);
    await heading(page, 'Authentication').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
  });

  test('D-52 on a phone, the method and path of an operation come before its prose', async () => {
    const section = await openOperation('archiveCustomer');
    await page.setViewportSize({ width: 390, height: 844 });
    const call = await section.getByText('/customers/{customerId}').first().boundingBox();
    const prose = await section.getByText('Archives a customer').first().boundingBox();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(call?.y).toBeLessThan(prose?.y ?? 0);
  });

  test('D-52 an operation has its name, and its answers begin with their bodies', async () => {
    const section = await openOperation('getCustomer');
    await section.getByText('getCustomer', { exact: true }).waitFor();
    const [, answer = ''] = (await section.innerText()).split('Responses\n');
    expect(answer).toMatch(/The customer\.\s+Body\s/);
    await heading(page, 'Headers of every answer').waitFor();
  });

  test('D-52 the button that copies a sample covers none of its lines', async () => {
    const panel = (await openOperation('getCustomer')).getByTestId('right-panel');
    await panel.locator('pre code').first().waitFor();
    const button = await panel.locator('.code-block-header button').first().boundingBox();
    const code = await panel.locator('pre code').first().boundingBox();
    const end = button && button.y + button.height;
    expect(end ?? Number.NaN).toBeLessThanOrEqual(code?.y ?? Number.NaN);
  });

  test('docs: every link stays in the page and its site, except those to Redoc and to support', async () => {
    await page.goto(address);
    await heading(page, 'Authentication').first().waitFor();
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.length).toBeGreaterThan(20);
    const isOwn = (link: string) =>
      link.startsWith('#') || link.startsWith('../interface/try.html#');
    const others = links.filter((link) => !isOwn(link));
    expect(new Set(others)).toEqual(
      new Set([
        'openapi.yaml',
        'openapi.json',
        'openapi-3.0.json',
        'postman.json',
        '../index.html',
        'index.html',
        '../guide/quick-start.html',
        '../errors/index.html',
        '../interface/try.html',
        '../help/questions.html',
        '../operators/production.html',
        '1.0.0/index.html',
        'https://redocly.com/redoc/',
        'mailto:support@adx.example.org',
      ]),
    );
  });

  test('docs: openapi.yaml and openapi.json can be downloaded beside the page', async () => {
    const { href } = new URL('openapi.json', address);
    expect(await (await fetch(href)).json()).toEqual(spec);
  });

  test('docs: there were no requests to other origins, no errors and no warnings', () => {
    const { href: site } = new URL('../', address);
    const elsewhere = observed.requests.filter((request) => !request.startsWith(site));
    expect(elsewhere).toEqual([]);
    expect(observed.requests.length).toBeGreaterThan(0);
    expect(observed.problems).toEqual([]);
  });

  test('docs: a foreign script does not run, and a request to another origin is refused', async () => {
    const attacked = await openObservedPage(browser);
    try {
      await attacked.page.goto(address);
      const outcome = await attacked.page.evaluate(`(async () => {
        const script = document.createElement('script');
        script.textContent = 'window.injected = true';
        document.body.append(script);
        const request = await fetch('https://adx.example.org/').then(() => 'sent', () => 'refused');
        return { injected: 'injected' in window, request };
      })()`);
      expect(outcome).toEqual({ injected: false, request: 'refused' });
      await expect
        .poll(() => attacked.problems)
        .toEqual(
          expect.arrayContaining([
            'refused by connect-src: https://adx.example.org/',
            'refused by script-src-elem: inline',
          ]),
        );
    } finally {
      await attacked.close();
    }
  });

  test('D-52 the table of statuses is not cut off at 1280 px, and on a phone its cells stand below each other, named', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${address}#mandates`);
    await heading(page, 'Mandates').first().waitFor();
    const table = page.locator('.md-table-wrapper').filter({ hasText: 'renewalRequired' }).first();
    await table.waitFor();
    const hidden = table.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(await hidden).toBe(0);
    await page.setViewportSize({ width: 360, height: 780 });
    const places = await table
      .locator('tbody td')
      .evaluateAll((cells) => cells.slice(0, 3).map((cell) => cell.getBoundingClientRect().x));
    expect(new Set(places).size).toBe(1);
    expect(await table.locator('td').nth(1).getAttribute('data-column')).toBe('Product');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('docs: on a phone the content does not overflow, and the menu opens', async () => {
    const phone = await openObservedPage(browser, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    try {
      await phone.page.goto(`${address}#operation/createCustomer`);
      await heading(phone.page, 'Create customer').waitFor();
      const overflow = await phone.page.evaluate(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      expect(overflow).toBe(0);
      await phone.page.getByLabel('Open navigation menu').tap();
      await phone.page.locator('.menu-content').getByText('Get customer').tap();
      await heading(phone.page, 'Get customer').waitFor();
      expect(phone.problems).toEqual([]);
    } finally {
      await phone.close();
    }
  });

  async function openOperation(operationId: string): Promise<Locator> {
    await page.goto(`${address}#operation/${operationId}`);
    const section = page.locator(`[data-section-id$="/${operationId.toLowerCase()}"]`);
    await section.getByRole('heading', { level: 2 }).waitFor();
    return section;
  }
}

export function heading(page: Page, text: string): Locator {
  return page.getByRole('heading').filter({ hasText: new RegExp(`^${text}$`) });
}

export function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
}
