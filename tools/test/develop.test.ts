import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isAlive, newDataFolder } from '../../packages/sandbox/test/postgres-folder.js';
import { freePort } from '../../test/support/free-port.js';
import { copyRepository, startDev } from './support/running-dev.js';

test('dev: npm run dev generates, checks and restarts after each save, shows mistakes, and leaves no process behind', {
  tags: 'long',
}, async () => {
  const codePath = 'packages/server/src/checked.ts';
  const root = copyRepository([codePath]);
  const codeFile = join(root, codePath);
  const code = 'export const right: number = 1;\n';
  writeFileSync(codeFile, code);
  const { port, release } = await takePort();
  const dev = startDev(root, await newDataFolder(), port);
  const specFile = join(root, 'openapi.yaml');
  const spec = readFileSync(specFile, 'utf8');
  const withField = (name: string) =>
    spec.replace(
      /\n {4}Tokens:\n(?:.*\n)*? {6}properties:\n/,
      (start) =>
        `${start}        ${name}:\n          type: string\n          maxLength: 9\n          description: New.\n          examples: [a]\n`,
    );
  await dev.afterwards(() => {}, /^sandbox: 1 mistake\nThe port \d+ is taken: /m);
  await release();
  await dev.afterwards(() => writeFileSync(join(root, 'notes.md'), ''), /^sandbox: running at/m);

  const restarts = dev.count('sandbox: starting');
  const checked = dev.count('types: checking');
  await dev.afterwards(
    () => writeFileSync(specFile, spec.replace('  summary: ', '  summary: New ')),
    /^generated: .* [1-9]\d* written\.$/m,
  );
  // Time for a check and a restart, which would be wrong.
  await sleep(2_000);
  expect(dev.count('types: checking')).toBe(checked);
  expect(dev.count('sandbox: starting')).toBe(restarts);

  // A merge with conflicts leaves such files.
  writeFileSync(join(root, 'packages/contract/src/generated/openapi.gen.json'), '<<<<<<< HEAD\n');
  await dev.afterwards(
    () => {
      writeFileSync(specFile, withField('mistaken').replace('summary: ', 'sumary: '));
      writeFileSync(codeFile, `${code}export const wrong: number = 'text';\n`);
    },
    /^spec: 1 mistake\nopenapi\.yaml:\d+:\d+ openapi sumary /m,
    /^types: 1 mistake\npackages\/server\/src\/checked\.ts:\d+:14 Type 'string' is not assignable/m,
    /^sandbox: running at .*, as it was before the mistakes$/m,
  );

  // Saved again and again while the spec is being checked; the last of these must count.
  const checks = dev.count('spec: ok');
  await dev.afterwards(() => writeFileSync(specFile, withField('field0')), /spec: checking/);
  let last = '';
  for (let save = 1; dev.count('spec: ok') === checks; save += 1) {
    last = `field${save}`;
    writeFileSync(specFile, withField(last));
    await sleep(50);
  }
  expect(last).not.toBe('');
  const generatedFile = join(root, 'packages/contract/src/generated/schema.gen.ts');
  const generated = () => readFileSync(generatedFile, 'utf8');
  await dev.afterwards(
    () => expect.poll(generated, { timeout: 300_000 }).toContain(`${last}?: string`),
    /^types: 1 mistake$/m,
  );
  // Time for a restart, which would be wrong.
  await sleep(2_000);
  expect(dev.count('sandbox: starting')).toBe(restarts);
  expect(await dev.serves(last)).toBe(false);

  await dev.afterwards(
    () => writeFileSync(codeFile, code),
    /^types: ok$/m,
    /^sandbox: starting\nsandbox: running at /m,
  );
  expect(dev.count('sandbox: starting')).toBe(restarts + 1);
  expect(await dev.serves(last)).toBe(true);

  const processes = dev.started();
  expect(processes.length).toBeGreaterThan(4);
  expect(await dev.stop('SIGINT')).toMatch(/sandbox: stopping\nsandbox: stopped\n$/);
  await expect.poll(() => processes.filter(isAlive)).toEqual([]);
});

test('dev: the program of npm run dev refuses an unknown option before it starts anything', () => {
  // Starting it without npm takes half the CPU time.
  const program = fileURLToPath(new URL('../dev/cli.ts', import.meta.url));
  const parameters = ['--conditions=adx-source', '--import', 'tsx', program, '--bogus'];
  const ended = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
  expect(ended).toMatchObject({
    ...{ status: 2, stdout: '' },
    stderr: "error: unknown option '--bogus'\n",
  });
});

async function takePort() {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port, release: () => once(server.close(), 'close') };
}
