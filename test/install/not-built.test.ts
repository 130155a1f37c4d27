import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from '../support/run-command.js';

test.each(['server', 'sandbox'])(
  'adx-%s says that it is not built in a checkout without dist',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'adx-not-built-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(join(repository, 'packages', name, 'bin'), join(folder, 'bin'), { recursive: true });
    const program = join(folder, `bin/adx-${name}.mjs`);
    expect(spawnSync(process.execPath, [program], { encoding: 'utf8' })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `error: adx-${name} is not built yet: run \`npm run build\` first.\n`,
    });
  },
);
