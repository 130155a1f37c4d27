import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { printResult } from '../../../test/proofs/print-result.js';
import { type Booking, createBooking } from './support/booking.js';
import { openCuttingProxy } from './support/cutting-proxy.js';
import { createFirm, type Firm, type ListedFile, startFirm } from './support/firm.js';
import { newFolder } from './support/folders.js';
import { spawnAdx, startAdx } from './support/run-adx.js';

const run = promisify(execFile);
const interrupt = ['--import', fileURLToPath(new URL('support/interrupt.mjs', import.meta.url))];

let service: Firm['service'];
let firm: Firm;
let folder: string;
let pull: readonly string[];
let booking: Booking;
let files: ListedFile[];
beforeAll(async () => {
  ({ service } = await startFirm());
});
afterAll(() => service.close());
beforeEach(async () => {
  firm = await createFirm(service);
  folder = await newFolder();
  booking = createBooking(firm, folder);
  pull = ['pull', folder, '--pdf', '--layout', 'tree'];
  files = [];
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(`${folder}-booked`, { recursive: true, force: true });
});

async function addFiles(count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    files.push(await (each % 3 === 2 ? firm.addCodb() : firm.addCoda()));
  }
}

/** Pulls without interruption. Asserts that every file was written once. */
async function finish(): Promise<void> {
  const { exitCode, stderr } = await spawnAdx(pull, firm.env);
  expect([exitCode, stderr]).toEqual([0, '']);
  await booking.take();
  await booking.expectAll(files);
}

test('D-51 killed before each operation of a run: 0 lost, 0 doubled', async () => {
  let kills = 0;
  for (let operation = 1; ; operation++) {
    await addFiles(2);
    const env = { ...firm.env, ADX_KILL_AT: `any:${operation}`, ADX_JUMP: '1' };
    const child = startAdx(pull, env, interrupt);
    await once(child, 'close');
    await booking.take();
    if (child.signalCode === null) break;
    kills += 1;
    // This gives each run the same operations.
    await spawnAdx(pull, firm.env);
    await booking.take();
  }
  expect(kills).toBeGreaterThan(60);
  await finish();
  printResult(`${kills} kills, ${files.length} files`);
});

test('D-51 two agents on one folder, killed 100 times at random, with clocks that jump: 0 lost, 0 doubled', async () => {
  const env = { ...firm.env, ADX_JUMP: '1' };
  let kills = 0;
  while (kills < 100) {
    await addFiles(20);
    const agents = [startAdx(pull, env, interrupt), startAdx(pull, env, interrupt)];
    const ends = Promise.all(agents.map((agent) => once(agent, 'close')));
    await pause(200 + Math.random() * 1200);
    for (const agent of agents) agent.kill('SIGKILL');
    await ends;
    kills += agents.filter(({ signalCode }) => signalCode === 'SIGKILL').length;
    await booking.take();
  }
  await finish();
  printResult(`${kills} kills, ${files.length} files`);
});

test('D-51 through a proxy that cuts connections: 0 lost, 0 doubled', async () => {
  const cutAfter = () => (Math.random() < 0.3 ? Math.floor(Math.random() * 4000) : undefined);
  const proxy = await openCuttingProxy(cutAfter);
  try {
    const env = { ...firm.env, HTTP_PROXY: proxy.url };
    for (let round = 0; round < 40; round++) {
      await addFiles(6);
      const { exitCode, stderr } = await spawnAdx(pull, env);
      if (exitCode !== 0) expect(stderr).toMatch(/failed|got no response|lost|interrupted/);
      await booking.take();
    }
    await finish();
    expect(proxy.counts.cuts).toBeGreaterThan(20);
    printResult({ ...proxy.counts, files: files.length });
  } finally {
    await proxy.close();
  }
});

test('D-51 on a disk that is full at each size: 0 lost, 0 doubled', async () => {
  const mount = (...options: string[]) => run('mount', ['-t', 'tmpfs', ...options, folder]);
  await mount('-o', 'size=4k', 'tmpfs');
  let failures = 0;
  try {
    for (let kilobytes = 8; kilobytes <= 200; kilobytes += 8) {
      files.push(await firm.addCoda({ content: `${'x'.repeat(6000)}${kilobytes}` }));
      files.push(await firm.addCodb());
      await run('mount', ['-o', `remount,size=${kilobytes}k`, folder]);
      const { exitCode, stderr } = await spawnAdx(pull, firm.env);
      if (exitCode !== 0) expect([exitCode, stderr]).toEqual([1, expect.stringContaining('space')]);
      failures += exitCode ?? 0;
      // The files stay, so that the disk stays full.
    }
    await run('mount', ['-o', 'remount,size=10m', folder]);
    expect(failures).toBeGreaterThan(10);
    await spawnAdx(pull, firm.env);
    await run('cp', ['-a', folder, `${folder}-copy`]);
  } finally {
    await run('umount', [folder]);
  }
  await rm(folder, { recursive: true });
  await run('mv', [`${folder}-copy`, folder]);
  await finish();
  printResult(`${failures} runs on a full disk, ${files.length} files`);
});
