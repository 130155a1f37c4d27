import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBooking } from './support/booking.js';
import { createFirm, type Firm, type ListedFile, startFirm } from './support/firm.js';
import { newFolder, spawnAdx, startAdx } from './support/run-adx.js';

const interrupt = ['--import', fileURLToPath(new URL('support/interrupt.mjs', import.meta.url))];
/** Before and between the steps by which files become safe. `npm run prove` kills before each operation. */
const operations = [
  ...['writeFile:3', 'appendFile:1', 'datasync:1', 'rename:1', 'rename:4'],
  ...['acknowledgements:1', 'acknowledgements:2'],
];

let service: Firm['service'];
beforeAll(async () => {
  ({ service } = await startFirm());
});
afterAll(() => service.close());

test('D-51 an agent that is killed anywhere, with a clock that jumps, loses no file and writes none twice', async () => {
  const firm = await createFirm(service);
  const folder = await newFolder();
  const booking = createBooking(firm, folder);
  const pull = ['pull', folder, '--pdf', '--layout', 'tree'];
  const files: ListedFile[] = [];
  try {
    for (const operation of operations) {
      files.push(await firm.addCoda(), await firm.addCoda(), await firm.addCodb());
      const env = { ...firm.env, ADX_KILL_AT: operation, ADX_JUMP: '1' };
      const child = startAdx(pull, env, interrupt);
      await once(child, 'close');
      expect(child.signalCode).toBe('SIGKILL');
      await booking.take();
    }
    const { exitCode, stderr } = await spawnAdx(pull, firm.env);
    expect([exitCode, stderr]).toEqual([0, '']);
    await booking.take();
    await booking.expectAll(files);
  } finally {
    await rm(folder, { recursive: true });
    await rm(`${folder}-booked`, { recursive: true });
  }
});

test('D-51 a file, its line and the names of all folders are on the disk before it is acknowledged', async () => {
  const firm = await createFirm(service);
  const folder = await newFolder();
  try {
    await firm.addCoda();
    const pull = ['pull', join(folder, 'new/statements')];
    const { exitCode, stderr } = await spawnAdx(pull, { ...firm.env, ADX_TRACE: '1' }, interrupt);
    expect(exitCode).toBe(0);
    const changes =
      /^(mkdir|writeFile|sync|appendFile|datasync|truncate|rename|rm|acknowledgements)$/;
    expect(stderr.split('\n').filter((operation) => changes.test(operation))).toEqual([
      // `new`, `statements`, `.adx` and `incoming`, each with the folder above it; then the new files in `.adx`.
      ...['mkdir', 'sync', 'mkdir', 'sync', 'mkdir', 'sync', 'mkdir', 'sync', 'sync'],
      ...['writeFile', 'sync', 'sync', 'appendFile', 'datasync', 'rename', 'sync'],
      'acknowledgements',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
