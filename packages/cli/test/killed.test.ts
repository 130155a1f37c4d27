import { once } from 'node:events';
import { rm } from 'node:fs/promises';
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
