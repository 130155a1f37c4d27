// @module-tag long
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const check = fileURLToPath(new URL('../bin/check-node.mjs', import.meta.url));

/** Runs the check as if Node had another version. */
function isAccepted(version: string): boolean {
  const change = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  try {
    execFileSync(process.execPath, ['--import', `data:text/javascript,${change}`, check]);
    return true;
  } catch (error) {
    expect(String(error)).toContain(
      `error: Node 20 (20.19 or later) or Node 22.2 or later is needed`,
    );
    return false;
  }
}

test('sandbox: it refuses every Node without crc32 in one sentence', () => {
  const refused = ['18.20.4', '20.18.3', '21.7.3', '22.0.0', '22.1.0'];
  const accepted = ['20.19.0', '22.2.0', '22.12.0', '23.0.0', '24.0.0'];
  expect([...refused, ...accepted].filter(isAccepted)).toEqual(accepted);
});
