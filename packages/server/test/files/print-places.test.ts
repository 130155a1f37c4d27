import { once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { setUpUploads, withStore } from '../uploads/set-up-uploads.js';
import { createWaitingPrinter, listStatements, makeLarge } from './waiting-printer.js';

const logger = createLogger('silent');

test('D-38 a process prints eight files at once, also for several calls', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 9);
  const { printer, waiting } = createWaitingPrinter(work);
  const calls = ids.map((id) => printer.printFiles([id]));
  await expect.poll(() => waiting).toHaveLength(8);
  waiting.shift()?.();
  // One has ended, and the ninth takes its place.
  await expect.poll(() => waiting).toHaveLength(8);
  for (const goOn of waiting) goOn();
  expect(await Promise.all(calls)).toEqual(ids.map((id) => new Set([id])));
});

test('D-38 a turn of a firm prints eight files at once', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 9);
  const { printer, waiting } = createWaitingPrinter(work);
  const turn = printer.printOfFirm(work.principal.firmId, '', 0);
  await expect.poll(() => waiting).toHaveLength(8);
  for (const goOn of waiting) goOn();
  expect(await turn).toEqual({ after: ids[7], isFailed: false });
});

test('D-38 large files are printed alone, and calls take turns with them', async () => {
  const work = await setUpUploads();
  const [small = '', ...large] = await listStatements(work, 4);
  const [other = ''] = await listStatements(work, 1, await newPrincipal(work.knex));
  for (const id of large) await makeLarge(work, id);
  const { printer, waiting } = createWaitingPrinter(work);
  const printed = () =>
    work.knex('files').where({ pdf_status: 'present' }).orderBy('id').pluck('id');
  const call = printer.printFiles([small, ...large]);
  // The small one is printed first.
  await expect.poll(() => waiting).toHaveLength(1);
  waiting.shift()?.();
  await expect.poll(() => waiting).toHaveLength(1);
  expect(await printed()).toEqual([small]);
  const ofOther = printer.printFiles([other]);
  await setTimeout(200);
  expect(waiting).toHaveLength(1);
  waiting.shift()?.();
  await expect.poll(() => waiting).toHaveLength(1);
  // A small file of another firm does not wait for the other large ones.
  waiting.shift()?.();
  expect(await ofOther).toEqual(new Set([other]));
  expect(await printed()).toEqual([small, large[0], other]);
  for (const _ of [1, 2]) {
    await expect.poll(() => waiting).toHaveLength(1);
    waiting.shift()?.();
  }
  expect(await call).toEqual(new Set([small, ...large]));
  expect(await work.knex('files').where('print_attempts', '>', 0)).toEqual([]);
});

test('D-38 a turn begins no further large file when its time is over, and the next one goes on with it', async () => {
  const work = await setUpUploads();
  const [, second = '', third = ''] = await listStatements(work, 3);
  for (const id of [second, third]) await makeLarge(work, id);
  const printer = createFilePrinter({ ...work, logger });
  const { firmId } = work.principal;
  expect(await printer.printOfFirm(firmId, '', 0)).toEqual({ after: second, isFailed: false });
  expect(await work.knex('files').where({ pdf_status: 'missing' }).pluck('id')).toEqual([third]);
  expect(await printer.printOfFirm(firmId, second, 0)).toEqual({ after: third, isFailed: false });
  expect(await printer.printOfFirm(firmId, third, 0)).toEqual({ isFailed: false });
});

test('D-38 an error of one of several files is thrown when the others have been printed', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 3);
  const { put } = work.storage.store;
  const failing = withStore(work, {
    async put(...parameters) {
      const [, key] = parameters;
      const { id } = await work.knex('files').where({ pdf_key: key }).first('id');
      if (id === ids[0]) await work.knex('files').where({ id }).delete();
      else await setTimeout(300);
      return put(...parameters);
    },
    remove: () => Promise.reject(new Error('Cannot be removed')),
  });
  const printer = createFilePrinter({ ...failing, logger });
  await expect(printer.printFiles(ids)).rejects.toThrow('Cannot be removed');
  expect(await work.knex('files').orderBy('id').select('id', 'pdf_status')).toEqual(
    ids.slice(1).map((id) => ({ id, pdf_status: 'present' })),
  );
});

test('D-38 a file that may have ended its process is printed alone', async () => {
  const work = await setUpUploads();
  const [first = '', tried = '', last = ''] = await listStatements(work, 3);
  await work.knex('files').where({ id: tried }).update({ print_attempts: 1 });
  const { printer, waiting } = createWaitingPrinter(work);
  const begun = () =>
    work.knex('files').where({ pdf_status: 'missing' }).where('print_attempts', '>', 0).pluck('id');
  const calls = [first, tried, last].map((id) => printer.printFiles([id]));
  for (const [id, expected] of [
    [first, [first, tried]],
    [tried, [tried]],
    [last, [last]],
  ] as const) {
    await expect.poll(() => waiting).toHaveLength(1);
    expect((await begun()).sort(), id).toEqual([...expected].sort());
    const { print_attempts } = await work.knex('files').where({ id: tried }).first();
    expect(print_attempts, id).toBe(id === tried ? 2 : 1);
    waiting.shift()?.();
  }
  await Promise.all(calls);
  expect(await work.knex('files').where({ pdf_status: 'present' })).toHaveLength(3);
});

test('D-38 several files that may have ended their process are printed one by one, also after a failure', async () => {
  const work = await setUpUploads();
  const [failing = '', tried = '', last = ''] = await listStatements(work, 3);
  await work.knex('files').whereIn('id', [failing, tried]).update({ print_attempts: 1 });
  const { printer, waiting } = createWaitingPrinter(work);
  const attempts = () => work.knex('files').orderBy('id').pluck('print_attempts');
  const calls = Promise.allSettled([failing, tried, last].map((id) => printer.printFiles([id])));
  await expect.poll(() => waiting).toHaveLength(1);
  expect(await attempts()).toEqual([2, 1, 0]);
  waiting.shift()?.(
    new S3ServiceException({ name: 'AccessDenied', $fault: 'client', $metadata: {} }),
  );
  await expect.poll(() => waiting).toHaveLength(1);
  expect(await attempts()).toEqual([1, 2, 0]);
  waiting.shift()?.();
  await expect.poll(() => waiting).toHaveLength(1);
  expect(await attempts()).toEqual([1, 1, 1]);
  waiting.shift()?.();
  expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('D-38 files that wait when the storage does not respond are not tried, and the next turn begins with them', async () => {
  const work = await setUpUploads();
  const other = await newPrincipal(work.knex);
  const ids = await listStatements(work, 8);
  const [first = '', ...rest] = await listStatements(work, 8, other);
  const timeout = Object.assign(new Error('No answer'), { name: 'TimeoutError' });
  const { printer, waiting } = createWaitingPrinter(work);
  const call = printer.printFiles(ids);
  await expect.poll(() => waiting).toHaveLength(8);
  const found = once(work.knex, 'query-response');
  const turn = printer.printOfFirm(other.firmId, first, 60_000);
  await found;
  // Its files wait behind the others by then.
  await setImmediate();
  for (const goOn of waiting) goOn(timeout);
  await expect(call).rejects.toThrow('No answer');
  expect(await turn).toEqual({ after: first, isFailed: true });
  expect(waiting).toHaveLength(8);
  expect(await work.knex('files').whereIn('id', rest).whereNotNull('print_failure')).toEqual([]);
});

test('D-38 a storage that refuses a file, or breaks off, fails no files that wait', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 9);
  const { printer, waiting } = createWaitingPrinter(work);
  const calls = Promise.allSettled(ids.map((id) => printer.printFiles([id])));
  await expect.poll(() => waiting).toHaveLength(8);
  waiting.shift()?.(new Error('The connection was closed'));
  await expect.poll(() => waiting).toHaveLength(8);
  for (const goOn of waiting) goOn();
  const failed = (await calls).filter(({ status }) => status === 'rejected');
  expect(failed).toHaveLength(1);
});
