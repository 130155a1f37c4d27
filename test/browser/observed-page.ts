import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { waitLimitMs } from '../support/wait-limit.js';

export interface ObservedPage {
  readonly page: Page;
  /** The URL of every request, failed and refused ones included. */
  readonly requests: readonly string[];
  /** The problems of the console, exceptions, and violations of the content policy. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export async function openObservedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<ObservedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(waitLimitMs);
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  // The browser does not report requests that the policy refuses.
  await page.exposeFunction('reportViolation', (violation: string) => problems.push(violation));
  await page.addInitScript(`
    document.addEventListener('securitypolicyviolation', (event) =>
      reportViolation('refused by ' + event.effectiveDirective + ': ' + event.blockedURI));
  `);
  return { page, requests, problems, close: () => context.close() };
}
