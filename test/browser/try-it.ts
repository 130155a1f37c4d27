import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService, TestUser } from '../support/test-service.js';
import { type ObservedPage, openObservedPage } from './observed-page.js';

interface Deployment {
  readonly browser: Browser;
  readonly service: TestService;
  /** The address of the site, which ends in a slash. */
  readonly address: string;
}

/** Tests the page on which an operation can be called, on the service itself. */
export function testTryIt(get: () => Deployment): void {
  let observed: ObservedPage;
  let page: Page;
  let address: string;
  let key: string;
  let user: TestUser;

  beforeAll(async () => {
    const { browser, service } = get();
    ({ address } = get());
    user = await service.createUser({ firmId: await service.createFirm() });
    ({ key } = await service.issueApiKey());
    observed = await openObservedPage(browser);
    page = observed.page;
    await page.goto(`${address}interface/try.html`);
  });

  afterAll(() => observed?.close());

  test('D-52 the page "Try it" signs in, and calls an operation with its parameters and body', async () => {
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('Username').fill(user.username);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const refused = page.getByText('POST /token: 500');
    await refused.waitFor();
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const signedIn = page.getByText('POST /token: 200');
    await signedIn.waitFor();
    expect(await refused.count()).toBe(0);

    await page.getByLabel('Operation').selectOption('searchCustomers');
    const [answered, asked] = await Promise.all(
      [signedIn, page.getByLabel('ID token')].map((each) => each.boundingBox()),
    );
    expect(answered?.y).toBeLessThan(asked?.y ?? 0);
    await page.getByLabel('Body').fill('{ "search": "bakkerij" }');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('POST /customers: 200').waitFor();
    expect(await answer()).toEqual({ records: [], recordsTotal: 0, recordsFiltered: 0 });

    await page.getByLabel('Operation').selectOption('getCustomer');
    await page.getByLabel('customerId').fill('673f0c2a9b1d4e8f7a6c5b4d');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(': 404').waitFor();
    expect(await answer()).toMatchObject({ error: 'notFound' });
  });

  test('D-52 from an operation of the reference, "Try it" is reached and used with the keyboard alone', async () => {
    await page.goto(`${address}reference/index.html#operation/listBanks`);
    const link = page
      .locator('[data-section-id$="/listbanks"]')
      .getByRole('link', { name: 'Try it' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/interface/try.html#listBanks');
    await page.getByText('POST /banks', { exact: true }).waitFor();
    await page.getByLabel('API key').focus();
    for (const text of [key, user.username, user.password]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByText('POST /token: 200').waitFor();
    // The answer, the ID token, the operation, its body, "Send".
    for (let tab = 0; tab < 5; tab += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('POST /banks: 200').waitFor();
  });

  test('D-52 "Try it" calls no other origin, and forgets what was typed', async () => {
    const elsewhere = observed.requests.filter((url) => !url.startsWith(new URL(address).origin));
    expect(elsewhere).toEqual([]);
    expect(observed.requests).toContain(new URL('../v1/token', address).href);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(kept).not.toContain(key);
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(await page.getByLabel('ID token').inputValue()).toBe('');
  });

  async function answer(): Promise<unknown> {
    return JSON.parse(await page.getByLabel('Answer', { exact: true }).locator('pre').innerText());
  }
}
