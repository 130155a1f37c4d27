import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { type RunningDemo, startDemo } from '../../src/demo/start-demo.js';
import { pasteIntoShell } from '../operator/paste-into-shell.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataDir = mkdtempSync(join(tmpdir(), 'adx-demo-'));
// The account of the embedded database has to enter it.
chmodSync(dataDir, 0o711);
let demo: RunningDemo;
beforeAll(async () => {
  demo = await startDemo(loadConfig({ PORT: '0', ADX_DATA_DIR: dataDir, LOG_LEVEL: 'silent' }));
});
afterAll(async () => {
  await demo.close();
  rmSync(dataDir, { recursive: true });
});

/** The printed call, for mandates instead of customers. */
const searchMandates = async (body: object) => {
  const call = demo.banner
    .slice(demo.banner.indexOf('API_KEY='))
    .replace(
      '/v1/customers ',
      `/v1/mandates -H 'content-type: application/json' -d '${JSON.stringify(body)}' `,
    );
  return JSON.parse(await pasteIntoShell(call));
};

describe('demo: a fresh start', () => {
  test('demo: says that mandates move by themselves, and where the mail is', () => {
    expect(demo.banner).toContain('Mandates move by themselves');
    expect(demo.banner).toContain(`Mail       ${join(dataDir, 'mail')}\n`);
  });

  test('demo: mails the contacts who are asked to sign, and nobody who has answered', async () => {
    const folder = join(dataDir, 'mail');
    const mails = () => (existsSync(folder) ? readdirSync(folder) : []);
    await vi.waitUntil(() => mails().length >= 3, { timeout: 60_000 });
    const { recordsFiltered } = await searchMandates({ status: 'waitingForSigner' });
    expect(recordsFiltered).toBeGreaterThan(0);
    expect(mails().length).toBeLessThan(15);
  });

  test('§4.15 who polls with updatedSince sees mandates change', async () => {
    const updatedSince = new Date().toISOString();
    await vi.waitUntil(
      async () =>
        (await searchMandates({ updatedSince, includeFinished: true })).recordsFiltered > 0,
      { timeout: 100_000, interval: 500 },
    );
  });
});
