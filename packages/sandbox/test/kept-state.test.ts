import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readDemoState } from '../src/demo/demo-state.js';
import { openElapsedTime, openHeldMandates } from '../src/kept-state.js';
import { readSettings } from '../src/settings-file.js';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adx-kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('D-53 the time that has passed stays when the sandbox is restarted', async () => {
  const folder = newFolder();
  const issued = new Date();
  const elapsed = openElapsedTime(folder);
  await Promise.all([3_000, 2_000].map((ms) => elapsed.pass(ms, async () => {})));
  const { since } = openElapsedTime(folder);
  expect([since(issued), since(new Date())]).toEqual([5_000, 0]);
});

test('D-53 mandates that are moved at the same time are all left alone after a restart', async () => {
  const folder = newFolder();
  const held = openHeldMandates(folder);
  const ids = Array.from({ length: 40 }, (_, i) => String(i));
  await Promise.all(ids.map((id) => held.add(id)));
  const { has } = openHeldMandates(folder);
  expect(ids.filter((id) => !has(id))).toEqual([]);
});

test.each([
  ['elapsed-time.json', async (folder: string) => openElapsedTime(folder).since(new Date())],
  ['held-mandates.json', async (folder: string) => openHeldMandates(folder).has('a')],
  ['demo.json', readDemoState],
  ['sandbox.json', readSettings],
])('sandbox: %s that cannot be read is not taken for a missing one', async (name, read) => {
  const folder = newFolder();
  mkdirSync(join(folder, name));
  await expect(read(folder)).rejects.toThrow('EISDIR');
});
