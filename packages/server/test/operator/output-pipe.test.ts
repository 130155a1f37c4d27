import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { oneIn } from '../../../../test/support/rounds.js';
import { programPath } from '../support/program-path.js';
import { operatorForFile } from './operator-for-file.js';

const { url, knex } = await operatorForFile();
// A table of 400 kB: a pipe holds 64 kB of it.
await knex.raw(
  `insert into firms (id, name, tenant, codb_upload)
   select lpad(to_hex(n), 24, '0'), repeat('x', 150) || n, 'firm-' || n, false
     from generate_series(1, 2000) n`,
);

/** Runs a script, in which `"$NODE" "$ADX"` is `adx-server`. */
async function runScript(script: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)('sh', ['-c', script], {
    env: {
      PATH: process.env['PATH'],
      NODE: process.execPath,
      ADX: programPath('adx-server'),
      DATABASE_URL: url,
    },
  });
}

test.each(oneIn(2, ['', '--json']))(
  'operator: firm list %s piped to head -1 ends quietly',
  async (option) => {
    const { stdout, stderr } = await runScript(
      `exec 3>&1; { "$NODE" "$ADX" firm list ${option}; echo $? >&3; } | head -1`,
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(option === '' ? /^ID +NAME .*\n141\n$/ : /^\[\n141\n$/);
  },
);

test.skipIf(!existsSync('/dev/full'))(
  'operator: output that cannot be written fails with one sentence',
  async () => {
    const { stdout, stderr } = await runScript('"$NODE" "$ADX" firm list > /dev/full; echo $?');
    expect(stderr).toBe('error: The output cannot be written (ENOSPC).\n');
    expect(stdout).toBe('1\n');
  },
);
