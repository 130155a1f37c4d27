import { setTimeout } from 'node:timers/promises';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { listedFiles, unprint } from '../support/files.js';
import { setUpUploads, withStore } from '../uploads/set-up-uploads.js';
import { createWaitingPrinter, listStatements } from './waiting-printer.js';

const logger = createLogger('silent');

test('D-38 a process prints eight files at once, also for several calls', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 9);
  const { printer, waiting } = createWaitingPrinter(work);
  const calls = ids.map((id) => printer.printFiles(work.principal.firmId, [id]));
  await expect.poll(() => waiting).toHaveLength(8);
  waiting.shift()?.();
  // One has ended, and the ninth takes its place.
  await expect.poll(() => waiting).toHaveLength(8);
  for (const goOn of waiting) goOn();
  expect(await Promise.all(calls)).toEqual(ids.map((id) => new Set([id])));
});

test('D-38 an error of one of several files is thrown when the others have been printed', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 3);
  const { put } = work.storage.store;
  const failing = withStore(work, {
    async put(...parameters) {
      const [, key] = parameters;
      const { id } = await listedFiles(work.knex).where({ pdf_key: key }).first('id');
      if (id === ids[0]) {
        await work.knex('unprinted_files').where({ file_id: id }).delete();
        await work.knex('files').where({ id }).delete();
      } else await setTimeout(300);
      return put(...parameters);
    },
    remove: () => Promise.reject(new Error('Cannot be removed')),
  });
  const printer = createFilePrinter({ ...failing, logger });
  await expect(printer.printFiles(work.principal.firmId, ids)).rejects.toThrow('Cannot be removed');
  expect(await listedFiles(work.knex).orderBy('id').select('id', 'pdf_status')).toEqual(
    ids.slice(1).map((id) => ({ id, pdf_status: 'present' })),
  );
});

test('D-38 the files of a list that may have ended their process are printed one by one after the others, also after a failure', async () => {
  const work = await setUpUploads();
  const [failing = '', tried = '', last = ''] = await listStatements(work, 3);
  for (const id of [failing, tried]) await unprint(work.knex, id, { attempts: 1 });
  const { printer, waiting } = createWaitingPrinter(work);
  const attempts = () => listedFiles(work.knex).orderBy('id').pluck('print_attempts');
  const call = printer
    .printFiles(work.principal.firmId, [failing, tried, last])
    .catch((error: Error) => error);
  await expect.poll(() => waiting).toHaveLength(1);
  expect(await attempts()).toEqual([1, 1, 1]);
  waiting.shift()?.();
  await expect.poll(() => waiting).toHaveLength(1);
  expect(await attempts()).toEqual([2, 1, 0]);
  waiting.shift()?.(
    new S3ServiceException({ name: 'AccessDenied', $fault: 'client', $metadata: {} }),
  );
  await expect.poll(() => waiting).toHaveLength(1);
  expect(await attempts()).toEqual([1, 2, 0]);
  waiting.shift()?.();
  expect(await call).toBeInstanceOf(S3ServiceException);
  expect(await listedFiles(work.knex).where({ pdf_status: 'present' })).toHaveLength(2);
});

test('D-38 when the storage does not respond, no further files of a list are tried', async () => {
  const work = await setUpUploads();
  const ids = await listStatements(work, 12);
  const { printer, waiting } = createWaitingPrinter(work);
  const call = printer.printFiles(work.principal.firmId, ids);
  await expect.poll(() => waiting).toHaveLength(8);
  for (const goOn of waiting) goOn(new Error('No answer'));
  await expect(call).rejects.toThrow('No answer');
  expect(waiting).toHaveLength(8);
  expect(await listedFiles(work.knex).whereNotNull('print_failure')).toHaveLength(8);
});
