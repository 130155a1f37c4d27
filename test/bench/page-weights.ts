import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createDocsRouter } from '../../packages/server/src/http/docs.js';
import { buildSite } from '../browser/build-site.js';
import { launchBrowser } from '../browser/launch-browser.js';
import { goals, weighPage } from '../browser/page-weights.js';
import type { Table } from './table.js';

/** Measures what the service sends a browser that opens a page of each kind for the first time. */
export async function benchPageWeights(): Promise<Table> {
  const docsDir = await buildSite('/docs/');
  const browser = await launchBrowser();
  const app = express().use(createDocsRouter({ docsDir, publicUrl: 'https://adx.example.org' }));
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const rows: string[][] = [];
    for (const [path, goal] of Object.entries(goals)) {
      const bytes = await weighPage(browser, `http://127.0.0.1:${port}/docs/${path}`);
      rows.push([path, (bytes / 1024).toFixed(0), String(goal)]);
    }
    return { head: ['page, opened for the first time', 'KiB', 'goal'], rows };
  } finally {
    await browser.close();
    server.close();
  }
}
