import { expect, test } from 'vitest';
import type { ShownFile } from '../../../src/files/operator-files.js';
import { createFilePrinter } from '../../../src/files/print-files.js';
import { createLogger } from '../../../src/logger.js';
import { newIban } from '../../support/belgian-iban.js';
import { insertCodaFile } from '../../support/files.js';
import { insertCustomer, insertFirm } from '../../support/rows.js';
import { codaFile } from '../../uploads/sample-files.js';
import { type AsJson, operatorForFile } from '../operator-with-storage.js';

const operator = await operatorForFile();
const { knex, storage } = operator;

test('D-38 operator: a file that cannot be printed is listed with the reason, and printed again after a repair', async () => {
  const firmId = await insertFirm(knex);
  const customerId = await insertCustomer(knex, firmId);
  const id = await insertCodaFile(knex, customerId);
  await knex('files').where({ id }).update({ pdf_status: 'missing' });
  const { object_key } = await knex('files').where({ id }).first('object_key');
  const unprinted = async (firm: string) =>
    (await operator.json<AsJson<ShownFile>[]>('file', 'unprinted', '--firm', firm)).printed;
  expect(await unprinted(firmId)).toMatchObject([{ id, pdf: 'missing', failure: null }]);
  expect(await unprinted(await insertFirm(knex))).toEqual([]);

  const logger = createLogger('silent');
  await createFilePrinter({ ...operator.dependencies, logger }).printFiles([id]);
  expect(await unprinted(firmId)).toMatchObject([
    { id, customerId, pdf: 'failed', failure: 'The object of the file is missing' },
  ]);
  const table = await operator.run('file', 'unprinted');
  expect(table.stdout).toMatch(/^ID +PROCESSED +FIRM +CUSTOMER +FILE +PDF +REASON\n/);
  expect(table.stdout).toMatch(
    new RegExp(`^${id} .* failed +The object of the file is missing$`, 'm'),
  );
  expect(await operator.run('file', 'print', id)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: File ${id} cannot be printed: The object of the file is missing.\n`,
  });

  const content = codaFile({ iban: newIban() });
  await storage.store.put(storage.buckets.files, object_key, content, 'text/plain');
  expect(await operator.run('file', 'print', id)).toEqual({
    exitCode: 0,
    stdout: `File ${id} has a new PDF.\n`,
    stderr: '',
  });
  expect(await unprinted(firmId)).toEqual([]);
  expect(await operator.json('file', 'print', id)).toMatchObject({
    printed: { id, pdf: 'present' },
  });
});

test('D-38 operator: an unknown file is not printed', async () => {
  const id = '7'.repeat(24);
  expect(await operator.run('file', 'print', id)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: There is no file with the id ${id}.\n`,
  });
});
