import { expect, test } from 'vitest';
import { createLogger } from '../../src/logger.js';
import { createFilePrinter } from '../../src/uploads/print-files.js';
import { newIban } from '../support/belgian-iban.js';
import { codaFile } from './sample-files.js';
import { setUpUploads, type Uploads, withStore } from './set-up-uploads.js';

const logger = createLogger('silent');

/** Lists three statements that are not printed, and returns their ids in order. */
async function listThree(work: Uploads): Promise<string[]> {
  const iban = newIban();
  await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
  await work.deliver(codaFile(...[1, 2, 3].map((number) => ({ iban, number }))));
  return work.knex('files').orderBy('id').pluck('id');
}

test('D-38 concurrent calls print each file once, and both get the files that have a PDF', async () => {
  const work = await setUpUploads();
  const ids = await listThree(work);
  const stored: string[] = [];
  const counting = withStore(work, {
    put: (bucket, key, ...others) => {
      stored.push(key);
      return work.storage.store.put(bucket, key, ...others);
    },
  });
  const printer = createFilePrinter({ ...counting, logger });
  const results = await Promise.all([printer.printFiles(ids), printer.printFiles(ids)]);
  for (const printed of results) expect([...printed].sort()).toEqual(ids);
  expect(new Set(stored).size).toBe(3);
  expect(stored).toHaveLength(3);
});

test('D-38 a file that the storage does not return does not prevent the others from being printed', async () => {
  const work = await setUpUploads();
  const [first = expect.fail(), ...others] = await listThree(work);
  const { object_key } = await work.knex('files').where({ id: first }).first('object_key');
  const failing = withStore(work, {
    get: (bucket, key) =>
      key === object_key
        ? Promise.reject(new Error('Access denied'))
        : work.storage.store.get(bucket, key),
  });
  const printing = createFilePrinter({ ...failing, logger }).printOldest(60_000);
  await expect(printing).rejects.toThrow('Access denied');
  const statuses = () =>
    work.knex('files').where({ pdf_status: 'present' }).orderBy('id').pluck('id');
  expect(await statuses()).toEqual(others);
  await work.printAll();
  expect(await statuses()).toEqual([first, ...others]);
});
