import type { Client } from '@adx/client';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createFirmStore } from '../../packages/server/src/identity/firms.js';
import { type MailServer, startMailServer } from '../../packages/server/test/mail/mail-server.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { oneIn } from '../support/rounds.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { waitLimitMs } from '../support/wait-limit.js';
import { launchBrowser } from './launch-browser.js';
import { type ObservedPage, openObservedPage } from './observed-page.js';
import { listen } from './serve-folder.js';

const phone = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };

let browser: Browser;
let mail: MailServer;
let service: TestService;
let client: Client;

beforeAll(async () => {
  [browser, mail] = await Promise.all([launchBrowser(), startMailServer()]);
  service = await startTestService({
    settings: {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'Accounting Data Exchange <noreply@adx.example>',
      LINK_SECRET: 'a secret of at least thirty-two characters',
      JOBS_CONCURRENCY: '2',
    },
  });
  const firmId = await service.createFirm('Kantoor Janssens');
  const reach = { email: 'info@kantoor-janssens.example', phone: '+32 9 000 00 01' };
  await createFirmStore(service.knex).update(firmId, reach);
  client = await service.client(await service.createUser({ firmId }));
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
  await mail?.close();
});

type Language = 'fr' | 'nl' | 'de' | 'en';

async function requestSignature(language: Language, accounts = 1) {
  const email = `an-${newIban()}@bakkerij.example`;
  const customer = await client.customers.create(
    newCustomer({
      contact: { name: 'An Peeters', function: 'Zaakvoerder', email, language },
      bankAccounts: Array.from({ length: accounts }, () => ({ iban: newIban() })),
    }),
  );
  const { text = '' } = await vi.waitFor(
    () => {
      const found = mail.delivered.find(({ envelopeTo }) => envelopeTo.includes(email));
      if (found === undefined) throw new Error('The message has not arrived');
      return found.mail;
    },
    { timeout: waitLimitMs, interval: 50 },
  );
  // The service records the sending a moment after the message was sent.
  const statuses = Array(accounts).fill('waitingForSigner');
  await expect.poll(() => statusesOf(customer.id)).toEqual(statuses);
  const [, token] = /\/sign\/([\w-]{43})$/m.exec(text) ?? [];
  // The service listens on another port than that of its links.
  return { customer, link: `${new URL(service.baseUrl).origin}/sign/${token}` };
}

async function statusesOf(customerId: string): Promise<string[]> {
  const { records } = await client.mandates.search({ customerId, includeFinished: true });
  return records.map(({ status }) => status);
}

function expectNoErrors({ requests, problems }: ObservedPage, link: string) {
  const { origin } = new URL(link);
  const elsewhere = requests.filter((url) => !url.startsWith(`${origin}/`));
  expect(elsewhere.filter((url) => !url.startsWith('data:'))).toEqual([]);
  expect(problems).toEqual([]);
}

async function expectNoHorizontalScroll(page: Page) {
  const [wide, room] = await Promise.all([
    page.locator('html').evaluate((element) => element.scrollWidth),
    page.locator('html').evaluate((element) => element.clientWidth),
  ]);
  expect(wide).toBeLessThanOrEqual(room);
}

const open = (options: BrowserContextOptions) => openObservedPage(browser, options);

describe('signing page: in a browser', () => {
  test.each(oneIn(2, [true, false]))(
    '§4.5 §3 from the message to a signed mandate, scripts allowed: %s',
    async (javaScriptEnabled) => {
      const { customer, link } = await requestSignature('nl', 2);
      const observed = await open({ ...phone, javaScriptEnabled });
      const { page } = observed;
      await page.goto(link);
      expect(await page.locator('html').getAttribute('lang')).toBe('nl');
      await page.getByText('Kantoor Janssens', { exact: true }).waitFor();
      await page.getByLabel('Uw voor- en achternaam').fill('An Peeters');
      await page.getByRole('checkbox', { name: 'ga akkoord met deze 2 mandaten' }).check();
      const posted = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByRole('button', { name: 'Ondertekenen' }).click();
      await page.getByRole('heading', { name: 'Ondertekend', level: 1 }).waitFor();
      // Without TLS, the service recognises its own page by this header.
      expect(await (await posted).headerValue('origin')).toBe(new URL(link).origin);
      expect(page.url()).toBe(link);
      expect(await statusesOf(customer.id)).toEqual(['waitingForBank', 'waitingForBank']);
      await page.reload();
      await page.getByText('An Peeters').waitFor();
      await page.getByText('Ik mag ondertekenen voor').waitFor();
      await expectNoHorizontalScroll(page);
      expect(await page.getByRole('button').count()).toBe(0);
      expectNoErrors(observed, link);
      await observed.close();
    },
  );

  test('signing page: with the keyboard alone, mistakes are shown and corrected', {
    tags: 'long',
  }, async () => {
    const { customer, link } = await requestSignature('fr');
    const observed = await open({ javaScriptEnabled: true });
    const { page } = observed;
    await page.goto(link);
    const focused = () =>
      page.evaluate('document.activeElement.id || document.activeElement.textContent');
    const reached: unknown[] = [];
    for (let i = 0; i < 8; i += 1) {
      await page.keyboard.press('Tab');
      reached.push(await focused());
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).toBe('solid');
    }
    expect(reached).toEqual([
      ...['Français', 'Nederlands', 'Deutsch', 'English'],
      ...['name', 'consent', 'Signer', 'refuse'],
    ]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');

    await page.getByRole('alert').waitFor();
    expect(await page.title()).toMatch(/^Erreur/);
    await expect.poll(focused).toBe('name');
    const name = page.getByRole('textbox', { name: 'Vos prénom et nom', exact: true });
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    const described = page.locator(`#${await name.getAttribute('aria-describedby')}`);
    expect(await described.textContent()).toBe('Indiquez vos prénom et nom.');
    await page.keyboard.type('Zoë Peeters');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Signé', level: 1 }).waitFor();
    await page.getByText('Zoë Peeters').waitFor();
    expect(await statusesOf(customer.id)).toEqual(['waitingForBank']);
    // The browser reports only the page with status 422 as failed.
    expect(observed.problems.filter((text) => !text.includes('422'))).toEqual([]);
    await observed.close();
  });

  test('D-37 signing page: if the name changed in between, the page is shown again before it is signed', {
    tags: 'long',
  }, async () => {
    const { customer, link } = await requestSignature('en');
    const observed = await open({ ...phone, javaScriptEnabled: false });
    const { page } = observed;
    await page.goto(link);
    await client.customers.update(customer.id, { name: 'Slagerij Het Mes' });
    const sign = async () => {
      await page.getByLabel('Your first and last name').fill('An Peeters');
      await page.getByLabel('I am authorised').check();
      await page.getByRole('button', { name: 'Sign' }).click();
    };
    await sign();
    await page.getByRole('alert').getByText('The page has changed').waitFor();
    await page.getByText('Slagerij Het Mes', { exact: true }).waitFor();
    expect(await page.getByLabel('I am authorised').isChecked()).toBe(false);
    expect(await statusesOf(customer.id)).toEqual(['waitingForSigner']);
    await sign();
    await page.getByRole('heading', { name: 'Signed', level: 1 }).waitFor();
    expect(await statusesOf(customer.id)).toEqual(['waitingForBank']);
    await page.setViewportSize({ width: 600, height: 800 });
    await expectNoHorizontalScroll(page);
    await observed.close();
  });

  test('D-37 signing page: without scripts, one of several mandates is excluded', async () => {
    const { customer, link } = await requestSignature('fr', 3);
    const observed = await open({ ...phone, javaScriptEnabled: false });
    const { page } = observed;
    await page.goto(link);
    const boxes = page.getByLabel('Ne pas signer celui-ci');
    for (let place = 0; place < 3; place += 1) await boxes.nth(place).check();
    await page.getByLabel('Vos prénom et nom').fill('An Peeters');
    await page.getByRole('checkbox', { name: 'sauf ceux' }).check();
    await page.getByRole('button', { name: 'Signer' }).click();
    await page.getByRole('alert').getByText('Vous avez exclu tous les mandats').waitFor();
    await expectNoHorizontalScroll(page);
    expect((await boxes.nth(0).locator('..').boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await boxes.nth(0).uncheck();
    await boxes.nth(2).uncheck();
    await page.getByRole('button', { name: 'Signer' }).click();
    await page.getByRole('heading', { name: 'Signé en partie', level: 1 }).waitFor();
    expect(await page.getByText(/^[☐☑] Ne pas signer celui-ci$/).allTextContents()).toEqual([
      ...['☐', '☑', '☐'].map((mark) => `${mark} Ne pas signer celui-ci`),
    ]);
    const statuses = await statusesOf(customer.id);
    expect(statuses.sort()).toEqual(['rejectedBySigner', 'waitingForBank', 'waitingForBank']);
    // The browser reports only the page with status 422 as failed.
    expect(observed.problems.filter((text) => !text.includes('422'))).toEqual([]);
    await observed.close();
  });

  test('signing page: declining takes a tick and a press, and keeps the chosen language', {
    tags: 'long',
  }, async () => {
    const { customer, link } = await requestSignature('de');
    const observed = await open({ ...phone, javaScriptEnabled: false });
    const { page } = observed;
    await page.goto(link);
    await page.getByRole('link', { name: 'English' }).click();
    const decline = page.getByRole('button', { name: 'Decline' });
    expect(await decline.isVisible()).toBe(false);
    await page.getByText('I do not want to sign').click();
    expect(await statusesOf(customer.id)).toEqual(['waitingForSigner']);
    await page.getByText('can send you a new request').waitFor();
    await decline.click();
    await page.getByRole('heading', { name: 'Declined', level: 1 }).waitFor();
    expect(page.url()).toBe(`${link}?lang=en`);
    expect(await statusesOf(customer.id)).toEqual(['rejectedBySigner']);
    expectNoErrors(observed, link);
    await observed.close();
  });

  test.each(['fr', 'nl', 'de', 'en'] as const)(
    'signing page: on a small phone no content is cut off and all buttons are large: %s',
    { tags: 'long' },
    async (language) => {
      const { link } = await requestSignature(language, 3);
      const observed = await open({ ...phone, javaScriptEnabled: true });
      const { page } = observed;
      await page.goto(link);
      await expectNoHorizontalScroll(page);
      const reach = await page
        .locator('.questions a')
        .evaluateAll((links) => links.map((each) => each.getAttribute('href')));
      expect(reach).toEqual(['mailto:info@kantoor-janssens.example', 'tel:+3290000001']);
      await page.locator('#refuse').check();
      for (const pressed of await page
        .locator('button, label[for="refuse"], nav a, .name, .questions a')
        .all()) {
        expect((await pressed.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
      const size = 'parseFloat(getComputedStyle(document.body).fontSize)';
      expect(await page.evaluate(size)).toBeGreaterThanOrEqual(16);
      await page.locator('.sign').click();
      await page.getByRole('alert').waitFor();
      await expectNoHorizontalScroll(page);
      await observed.close();
    },
  );

  test('signing page: another site can neither frame it nor send an answer', {
    tags: 'long',
  }, async () => {
    const { customer, link } = await requestSignature('en');
    const stranger = await listen((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end(`
        <form method="post" action="${link}"><button name="answer" value="declined">Win</button></form>
        <iframe src="${link}"></iframe>`),
    );
    const observed = await open({ javaScriptEnabled: true });
    const { page, problems } = observed;
    // To the browser, another name of this machine is another site.
    await page.goto(stranger.origin.replace('127.0.0.1', 'localhost'));
    await expect.poll(() => problems.join()).toContain('frame-ancestors');
    expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0);
    await page.getByRole('button', { name: 'Win' }).click();
    await page.getByRole('heading', { name: 'Your answer was not accepted' }).waitFor();
    expect(await statusesOf(customer.id)).toEqual(['waitingForSigner']);
    await observed.close();
    await stranger.close();
  });
});
