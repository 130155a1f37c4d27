import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repository } from '../support/run-command.js';
import { type Mutation, visibilityMutations } from './visibility-mutations.js';

// Removes each condition of visibility in turn, and runs the tests of isolation and of partitions
// until one of them fails.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'adx-mutations-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(visibilityMutations().map((mutation) => [titleOf(mutation), mutation] as const))(
  'D-57 a test fails without %s',
  (_, mutation) => {
    const file = join(folder, 'mutation.json');
    writeFileSync(file, JSON.stringify(mutation));
    const { ADX_TEST_PROVE: __, VITEST: ___, ...environment } = process.env;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--no-color'],
        ...['--config', 'test/wall/mutated.vitest.config.ts'],
      ],
      { cwd: repository, env: { ...environment, ADX_MUTATION: file }, encoding: 'utf8' },
    );
    const output = stdout + stderr;
    expect(status, output).toBe(1);
    // A mutation that prevents the start of the service would prove nothing.
    expect(output).toMatch(/FAIL .* > .*(?:§|D-)/);
  },
);

/** Returns a title such as `c.firm_id = ? (place 1) in customers/customer-store.ts`. */
function titleOf({ path, from, occurrence }: Mutation): string {
  const place = occurrence === 0 ? '' : ` (place ${occurrence})`;
  return `${from.replaceAll("'", '')}${place} in ${path.replace('packages/server/src/', '')}`;
}
