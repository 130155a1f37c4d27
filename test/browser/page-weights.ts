import type { Browser } from 'playwright-core';

/** A page of each kind that the site has, and the most that may be sent for it, in KiB. */
export const goals: Readonly<Record<string, number>> = {
  'index.html': 300,
  'guide/quick-start.html': 300,
  'guide/mandates.html': 300,
  'errors/belongsToAnotherTenant.html': 300,
  'findings/coda.html': 300,
  'tools/client.html': 300,
  'tools/coda.html': 300,
  'interface/try.html': 300,
  'interface/changes.html': 300,
  'operators/production.html': 300,
  'reference/index.html': 500,
};

/**
 * Returns how many bytes a page with its scripts and styles is when it is first opened, as they are
 * sent: compressed, with headers.
 *
 * @param address of the page
 */
export async function weighPage(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await network.send('Network.enable');
    await page.goto(address, { waitUntil: 'networkidle' });
    return bytes;
  } finally {
    await context.close();
  }
}
