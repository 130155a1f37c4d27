import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  apiKey,
  dataDir,
  run,
  runningSandbox,
  scenario,
  signIn,
  startSandbox,
} from './scenario-sandbox.js';

/** Tests that the API key that `start` prints is the user's. */
export function testRotatedKey(): void {
  test('D-35 sandbox: once the printed API key has a new secret, scenarios go on, and the next start prints a key that works', async () => {
    const operate = async (...parameters: string[]) => {
      const { stdout } = await run('--data', dataDir, 'api-key', ...parameters, '--json');
      return JSON.parse(stdout);
    };
    const printed = apiKey();
    const keys: { id: string; hint: string }[] = await operate('list');
    const { id } = keys.find(({ hint }) => printed.startsWith(hint)) ?? expect.fail(printed);
    await operate('rotate', id, '--overlap', '0');
    await expect.poll(signIn, { timeout: 10_000 }).toMatchObject({ error: 'invalidApiKey' });
    const brought = { status: 'unsupportedBank' };
    expect(await scenario('mandate', brought)).toMatchObject(brought);

    await runningSandbox().stop('SIGINT');
    // The state of a demo that was created when it had only one key.
    const demoFile = join(dataDir, 'demo.json');
    const { ownApiKey: _, ...state } = JSON.parse(readFileSync(demoFile, 'utf8'));
    writeFileSync(demoFile, JSON.stringify(state));
    await startSandbox();
    expect(apiKey()).not.toBe(printed);
    expect(await signIn()).toMatchObject({ status: 200 });
    expect(await scenario('mandate', brought)).toMatchObject(brought);
  });
}
