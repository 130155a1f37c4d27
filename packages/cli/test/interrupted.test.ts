import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newEnterpriseNumber, newIban } from '../../../test/support/numbers.js';
import { oneIn } from '../../../test/support/rounds.js';
import { programPath } from '../../server/test/support/program-path.js';
import { codaFile } from '../../server/test/uploads/sample-files.js';
import { explain } from '../src/explain.js';
import { openSyncedFolder } from '../src/folder/synced-folder.js';
import { createBooking } from './support/booking.js';
import { customerCsv } from './support/customer-csv.js';
import { openCuttingProxy } from './support/cutting-proxy.js';
import { createFirm, type Firm, type ListedFile, startFirm } from './support/firm.js';
import { filesIn, folderOfTest } from './support/folders.js';
import { adxJson, expectFailure, runAdx, spawnAdx, startAdx } from './support/run-adx.js';

const interrupt = ['--import', fileURLToPath(new URL('support/interrupt.mjs', import.meta.url))];
/** The steps by which files become safe. `npm run prove` kills before each operation. */
const operations = [
  ...['writeFile:3', 'appendFile:1', 'datasync:1', 'rename:1', 'rename:4'],
  ...['acknowledgements:1', 'acknowledgements:2'],
];

let service: Firm['service'];
let firm: Firm;
let folder: string;
beforeAll(async () => {
  ({ service } = await startFirm());
});
afterAll(() => service.close());
beforeEach(async () => {
  firm = await createFirm(service);
  folder = await folderOfTest();
});

const pull = () => adxJson(['pull', folder], firm);

test('D-51 an agent that is killed anywhere, with a clock that jumps, loses no file and writes none twice', async () => {
  const target = join(folder, 'statements');
  const booking = createBooking(firm, target);
  const parameters = ['pull', target, '--pdf', '--layout', 'tree'];
  const files: ListedFile[] = [];
  for (const operation of oneIn(2, operations)) {
    files.push(await firm.addCoda(), await firm.addCoda(), await firm.addCodb());
    const env = { ...firm.env, ADX_KILL_AT: operation, ADX_JUMP: '1' };
    const child = startAdx(parameters, env, interrupt);
    await once(child, 'close');
    expect(child.signalCode).toBe('SIGKILL');
    await booking.take();
  }
  const { exitCode, stderr } = await spawnAdx(parameters, firm.env);
  expect([exitCode, stderr]).toEqual([0, '']);
  await booking.take();
  await booking.expectAll(files);
});

test('D-51 a file, its line and the names of all folders are on the disk before it is acknowledged', async () => {
  await firm.addCoda();
  const parameters = ['pull', join(folder, 'new/statements')];
  const env = { ...firm.env, ADX_TRACE: '1' };
  const { exitCode, stderr } = await spawnAdx(parameters, env, interrupt);
  expect(exitCode).toBe(0);
  const changes =
    /^(mkdir|writeFile|sync|appendFile|datasync|truncate|rename|rm|acknowledgements)$/;
  expect(stderr.split('\n').filter((operation) => changes.test(operation))).toEqual([
    // `new`, `statements`, `.adx` and `incoming`, each with the folder above it; then the new files
    // in `.adx`.
    ...['mkdir', 'sync', 'mkdir', 'sync', 'mkdir', 'sync', 'mkdir', 'sync', 'sync'],
    ...['writeFile', 'sync', 'sync', 'appendFile', 'datasync', 'rename', 'sync'],
    'acknowledgements',
  ]);
});

test('D-51 two agents on one folder: the second ends at once, and says why', async () => {
  await firm.addCoda();
  const first = await openSyncedFolder(folder, 'flat');
  await expectFailure(runAdx(['pull', folder], firm), 1, 'Another `adx pull`');
  await first.close();
  expect(await pull()).toMatchObject({ acknowledged: 1 });
});

test('D-51 --watch finds files that come later, and waits out another agent, an outage and a drive that is not there', async () => {
  const proxy = await openCuttingProxy(() => undefined);
  const other = await openSyncedFolder(folder, 'flat');
  const env = { ...firm.env, HTTP_PROXY: proxy.url };
  const child = startAdx(['pull', folder, '--watch', '--every', '1s', '--json'], env);
  const linesOf = (stream: Readable | null) =>
    createInterface({ input: stream ?? expect.fail() })[Symbol.asyncIterator]();
  const [results, errors] = [linesOf(child.stdout), linesOf(child.stderr)];
  const expectPulled = async (added = firm.addCoda(), line = results.next()) => {
    const { fileName } = await added;
    expect(JSON.parse((await line).value)).toEqual({
      ...{ written: [fileName], acknowledged: 1, failed: [] },
    });
  };
  const expectError = async (error: string) => {
    for (let line = ''; !line.includes(error); ) {
      line = (await errors.next()).value ?? expect.fail(`ended without "${error}"`);
      expect(JSON.parse(line)).toMatchObject({ message: expect.any(String) });
    }
  };
  try {
    await expectError('Another `adx pull`');
    await other.close();
    await expectPulled();
    await proxy.close();
    await expectError('got no response');
    await proxy.reopen();
    await expectPulled();
    // This is as if its drive were unmounted: nothing is written in its place.
    const drive = `${folder}-drive`;
    await rename(folder, drive);
    await mkdir(folder);
    const [added, line] = [firm.addCoda(), results.next()];
    await Promise.race([expectError('Mount its drive'), line]);
    expect(await readdir(folder)).toEqual([]);
    await rmdir(folder);
    await rename(drive, folder);
    await expectPulled(added, line);
  } finally {
    child.kill();
    await once(child, 'close');
    await proxy.close();
  }
});

test('D-51 after cut connections the next run goes on', async () => {
  const files = [await firm.addCoda(), await firm.addCoda(), await firm.addCodb()];
  // The list, the downloads and the acknowledgement are cut, each a few times.
  let cuts = 12;
  const proxy = await openCuttingProxy(() => (cuts-- > 0 ? 700 * (cuts % 5) : undefined));
  const env = { ...firm.env, HTTP_PROXY: proxy.url };
  const written: string[] = [];
  for (let exitCode: number | null = 1; exitCode !== 0; ) {
    const result = await runAdx(['pull', folder, '--json'], { env });
    ({ exitCode } = result);
    written.push(...JSON.parse(result.stdout).written);
  }
  await proxy.close();
  expect(proxy.counts.cuts).toBeGreaterThan(2);
  expect(written.sort()).toEqual(files.map(({ fileName }) => fileName).sort());
  expect(await firm.countPending()).toBe(0);
});

test.skipIf(process.platform === 'win32')(
  'D-51 a file that cannot be written is not acknowledged',
  async () => {
    const { fileName } = await firm.addCoda({ content: 'x'.repeat(100_000) });
    // The largest file is 50 KiB, as if the disk were full.
    const script = 'ulimit -f 50; trap "" XFSZ; exec "$0" "$@"';
    const command = ['-c', script, process.execPath, programPath('adx'), 'pull', folder];
    const limited = execFile('bash', command, { env: { ...firm.env, PATH: process.env['PATH'] } });
    await once(limited, 'close');
    expect(limited.exitCode).toBe(1);
    expect(await filesIn(folder)).toEqual([]);
    expect(await firm.countPending()).toBe(1);
    expect(await pull()).toMatchObject({ written: [fileName], acknowledged: 1 });
  },
);

test('D-51 a machine that cannot load the lock can do all but pull', async () => {
  await firm.addCoda();
  const noAddons = ['--no-addons'];
  expect(await spawnAdx(['hello'], firm.env, noAddons)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await spawnAdx(['pull', folder], firm.env, noAddons)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error: `adx pull` cannot lock folders on this machine/),
  });
  expect(await firm.countPending()).toBe(1);
});

// Linux has a file system in memory here, which is another drive.
test.skipIf(!existsSync('/dev/shm'))('D-51 a move to another drive says what to do', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const error = await rename(file, '/dev/shm/file').catch((reason: unknown) => reason);
  expect(explain(error)).toContain(`${file} cannot be moved to /dev/shm/file, which is on another`);
});

test('§4.5 customers import, interrupted, says how far it came, and goes on the next time', async () => {
  const path = join(folder, 'customers.csv');
  const numbers = [newEnterpriseNumber(), newEnterpriseNumber(), newEnterpriseNumber()];
  await writeFile(path, customerCsv(numbers.map((number) => [number, 'Frituur', ''])));
  const parameters = ['customers', 'import', path, '--create', '--json'];
  const env = { ...firm.env, ADX_KILL_AT: 'create:2', ADX_KILL_WITH: 'SIGINT' };
  const { exitCode, stdout, stderr } = await spawnAdx(parameters, env, interrupt);
  expect([exitCode, JSON.parse(stderr)]).toEqual([
    130,
    { code: 'interrupted', message: 'The command was interrupted.' },
  ]);
  expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'created' }, { outcome: 'created' }]);
  expect(await adxJson(parameters, firm)).toMatchObject([
    ...[{ outcome: 'exists' }, { outcome: 'exists' }, { outcome: 'created' }],
  ]);
});

test('§4.20 push, interrupted, says which files have no verdict yet', async () => {
  const paths = ['first.cod', 'second.cod', 'third.cod'].map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, codaFile({ iban: newIban(), number: 1 }));
  const env = { ...firm.env, ADX_KILL_AT: 'PUT:2', ADX_KILL_WITH: 'SIGINT' };
  const { exitCode, stdout, stderr } = await spawnAdx(['push', ...paths], env, interrupt);
  expect(stdout.replaceAll(`${folder}/`, '')).toBe(
    [
      'first.cod: It was uploaded, and has no verdict yet. The command was interrupted.\n',
      'second.cod: The command was interrupted.\nthird.cod: It was not uploaded.\n',
    ].join(''),
  );
  expect([exitCode, stderr]).toEqual([
    130,
    'Push the files without a verdict again: nothing is listed twice.\nerror: The command was interrupted.\n',
  ]);
});
