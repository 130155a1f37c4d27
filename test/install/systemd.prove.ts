import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repository, runCommand } from '../support/run-command.js';

test('D-61 systemd accepts the units, and rates their restrictions at most 1.5', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'adx-units-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(repository, 'packages/server/deploy/systemd'), folder, { recursive: true });
  const units = readdirSync(folder)
    .filter((name) => name.endsWith('.service'))
    .map((name) => join(folder, name));
  expect(units).toHaveLength(3);
  expect(await runCommand('systemd-analyze', ['verify', ...units])).toBe('');
  const env = { SYSTEMD_UNIT_PATH: `${folder}:` };
  for (const unit of units) {
    const parameters = ['security', '--offline=true', '--threshold=15', unit];
    expect(await runCommand('systemd-analyze', parameters, { env })).toContain('Overall exposure');
  }
});
