import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isAlive, newFolder } from './postgres-folder.js';
import { copyRepository, startDev } from './running-dev.js';

test('sandbox: npm run dev generates, checks and restarts after each save, shows mistakes, and leaves no process behind', async () => {
  const codePath = 'packages/server/src/version.ts';
  const root = copyRepository([codePath]);
  const { port, release } = await takePort();
  const dev = startDev(root, newFolder(), port);
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

  // Saved again and again while the spec is being checked; the last of these must count.
  await dev.afterwards(() => writeFileSync(specFile, withField('field0')), /spec: checking/);
  const checks = dev.count('spec: ok');
  let last = '';
  for (let save = 1; dev.count('spec: ok') === checks; save += 1) {
    last = `field${save}`;
    writeFileSync(specFile, withField(last));
    await sleep(50);
  }
  await expect.poll(() => dev.serves(last), { timeout: 300_000 }).toBe(true);
  expect(
    readFileSync(join(root, 'packages/contract/src/generated/schema.gen.ts'), 'utf8'),
  ).toContain(`${last}?: string`);

  const restarts = dev.count('sandbox: starting');
  const codeFile = join(root, codePath);
  const code = readFileSync(codeFile, 'utf8');
  await dev.afterwards(
    () => {
      writeFileSync(specFile, withField('mistaken').replace('summary: ', 'sumary: '));
      appendFileSync(codeFile, "export const wrong: number = 'text';\n");
    },
    /^spec: 1 mistake\nopenapi\.yaml:\d+:\d+ openapi sumary /m,
    /^types: 1 mistake\npackages\/server\/src\/version\.ts:\d+:14 Type 'string' is not assignable/m,
    /^sandbox: running at .*, as it was before the mistakes$/m,
  );
  // Time for a restart, which would be wrong.
  await sleep(2_000);
  await dev.afterwards(() => writeFileSync(specFile, spec), /^spec: ok$/m, /^types: 1 mistake$/m);
  expect(dev.count('sandbox: starting')).toBe(restarts);
  expect(await dev.serves(last)).toBe(true);

  await dev.afterwards(
    () => writeFileSync(codeFile, code),
    /^types: ok$/m,
    /^sandbox: starting\nsandbox: running at /m,
  );
  expect(dev.count('sandbox: starting')).toBe(restarts + 1);
  expect(await dev.serves(last)).toBe(false);

  const processes = dev.started();
  expect(processes.length).toBeGreaterThan(4);
  expect(await dev.stop('SIGINT')).toMatch(/sandbox: stopping\nsandbox: stopped\n$/);
  await expect.poll(() => processes.filter(isAlive)).toEqual([]);
});

test.each([
  ['--bogus', "error: unknown option '--bogus'\n"],
  ['--port', "error: option '--port <port>' argument missing\n"],
  ['other', /^error: too many arguments/],
])('sandbox: npm run dev refuses %s before it starts anything', async (parameter, message) => {
  const ended = spawnSync('npm', ['run', '--silent', 'dev', '--', parameter], { encoding: 'utf8' });
  expect(ended).toMatchObject({ status: 2, stdout: '' });
  expect(ended.stderr).toMatch(message);
});

/** Takes a port until it is released. */
async function takePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, release: () => once(server.close(), 'close') };
}
