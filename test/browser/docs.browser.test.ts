import type { RequestListener } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.js';
import { type BuiltSite, buildSite } from './build-site.js';
import { launchBrowser } from './launch-browser.js';
import { testReference } from './reference-on-host.js';
import { folderUnder, type Listening, listen, serviceUnder } from './serve-folder.js';
import { testPages } from './site-pages.js';
import { testTryIt } from './try-it.js';

interface Host {
  readonly name: string;
  /** The language whose samples are read on this host. */
  readonly language: 'TypeScript' | 'curl';
  readonly serve: () => RequestListener;
}

/** The path at which a proxy shows the service, and the one for which the site is built. */
const path = '/partners/adx';
const base = `${path}/docs/`;

const hosts: readonly Host[] = [
  {
    name: 'a static host',
    language: 'TypeScript',
    serve: () => folderUnder(`${path}/docs`, site.folder),
  },
  {
    name: 'the service, behind a proxy',
    language: 'curl',
    serve: () => serviceUnder(path, new URL(service.baseUrl).origin),
  },
];

let site: BuiltSite;
let service: TestService;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([buildSite(base), launchBrowser()]);
  service = await startTestService({ settings: { DOCS_DIR: site.folder } });
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
  await site?.remove();
});

describe.each(hosts)('docs on $name', ({ name, serve, language }) => {
  let host: Listening;

  beforeAll(async () => {
    host = await listen(serve());
  });

  afterAll(() => host?.close());

  testReference(language, () => ({ browser, address: `${host.origin}${base}reference/` }));
  if (name === 'a static host') {
    testPages(() => ({ browser, folder: site.folder, base, address: host.origin + base }));
  } else {
    testTryIt(() => ({ browser, service, address: host.origin + base }));
  }
});
