import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page with a record of what it asked for and what went wrong in it. */
export interface ObservedPage {
  readonly page: Page;
  /** Every address that was asked for, failed and refused ones too. */
  readonly requests: readonly string[];
  /** Errors and warnings of the console, uncaught exceptions, violations of the content policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Opens an empty page in a browser context of its own. */
export async function openObservedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<ObservedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(240_000);
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  // A request that the policy refuses never becomes one that the browser reports.
  await page.exposeFunction('reportViolation', (violation: string) => complaints.push(violation));
  await page.addInitScript(`
    document.addEventListener('securitypolicyviolation', (event) =>
      reportViolation('refused by ' + event.effectiveDirective + ': ' + event.blockedURI));
  `);
  return { page, requests, complaints, close: () => context.close() };
}
