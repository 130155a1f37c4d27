import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { unpackChromium } from './unpack-chromium.js';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Switches off background work of the browser, on which tests must not depend. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium at `CHROMIUM_PATH`, else an installed one, else that of npm (L-05). */
export async function launchBrowser(): Promise<Browser> {
  const installed = process.env['CHROMIUM_PATH'] ?? systemBrowsers.find(existsSync);
  const { executablePath, env } = installed
    ? { executablePath: installed, env: {} }
    : await unpackChromium();
  const options = { executablePath, args: quiet, env: { ...process.env, ...env } };
  // Chromium has no sandbox for root. The tests open only our own pages.
  if (process.getuid?.() === 0) return chromium.launch({ ...options, chromiumSandbox: false });
  try {
    return await chromium.launch({ ...options, chromiumSandbox: true });
  } catch (error) {
    if (!/No usable sandbox/.test(String(error))) throw error;
    return chromium.launch({ ...options, chromiumSandbox: false });
  }
}
