import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { repository } from '../../../../test/support/run-command.js';

const folder = join(repository, 'packages/server/deploy/prometheus');

beforeAll(() => {
  if (spawnSync('promtool', ['--version']).status === 0) return;
  if (process.getuid?.() !== 0) throw new Error('promtool is missing: apt-get install prometheus');
  execFileSync('apt-get', ['install', '--yes', '--no-install-recommends', 'prometheus'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}, 300_000);

/** Runs `promtool test rules` on a copy of the rules. */
function testRules(rules: string, tests: string) {
  const copy = mkdtempSync(join(tmpdir(), 'adx-alerts-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  writeFileSync(join(copy, 'adx-alerts.yml'), rules);
  writeFileSync(join(copy, 'adx-alerts.test.yml'), tests);
  return spawnSync('promtool', ['test', 'rules', 'adx-alerts.test.yml'], { cwd: copy });
}

const read = (name: string) => readFileSync(join(folder, name), 'utf8');

test('D-55 promtool accepts the alert rules, each fires in its test, and its test fails without it', () => {
  const rules = read('adx-alerts.yml');
  const tests = read('adx-alerts.test.yml');
  const check = spawnSync('promtool', ['check', 'rules', 'adx-alerts.yml'], { cwd: folder });
  expect(check.status, String(check.stderr)).toBe(0);
  const whole = testRules(rules, tests);
  expect(whole.status, String(whole.stderr)).toBe(0);
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const without = testRules(rules.replace(`- alert: ${name}\n`, '- alert: Other\n'), tests);
    expect(without.status, name).toBe(1);
    expect(String(without.stdout) + String(without.stderr)).toContain(name);
  }
});
