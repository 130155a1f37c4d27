import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { demoFile, readDemoState } from '../src/demo/demo-state.js';

test('sandbox: a demo whose state an earlier version wrote counts as created', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'adx-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const earlier = { apiKey: 'key', passwords: {}, isComplete: false, deliveredUpTo: '2026-01-05' };
  writeFileSync(demoFile(folder), JSON.stringify(earlier));
  expect(await readDemoState(folder)).toEqual({ ...earlier, isCreated: true });
});
