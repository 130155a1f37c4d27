import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { createFilePrinter } from '../../../src/files/print-files.js';
import { createLogger } from '../../../src/logger.js';
import type { CheckedFiles } from '../../../src/uploads/check-files.js';
import { readDocuments } from '../../../src/uploads/documents/read-documents.js';
import { insertCodaFile, listedFiles, unprint } from '../../support/files.js';
import { insertCustomer, insertFirm } from '../../support/rows.js';
import { codaFile } from '../../uploads/sample-files.js';
import { failure, operatorForFile } from '../operator-for-file.js';

const operator = await operatorForFile();
const { knex, storage } = operator;

test('D-38 operator: a file that cannot be printed is listed with the reason, and printed again after a repair', async () => {
  const firmId = await insertFirm(knex);
  const customerId = await insertCustomer(knex, firmId);
  const id = await insertCodaFile(knex, customerId);
  await unprint(knex, id);
  const { object_key } = await listedFiles(knex).where({ id }).first('object_key');
  const unprinted = (firm: string) => operator.json('file', 'unprinted', '--firm', firm);
  expect(await unprinted(firmId)).toMatchObject([{ id, pdf: 'missing', failure: null }]);
  expect(await unprinted(await insertFirm(knex))).toEqual([]);

  const logger = createLogger('silent');
  await createFilePrinter({ ...operator.dependencies, logger }).printFiles(firmId, [id]);
  expect(await unprinted(firmId)).toMatchObject([
    { id, customerId, pdf: 'failed', failure: 'The object of the file is missing' },
  ]);
  const table = await operator.run('file', 'unprinted');
  expect(table.stdout).toMatch(/^ID +PROCESSED +FIRM +CUSTOMER +FILE +PDF +REASON\n/);
  expect(table.stdout).toMatch(
    new RegExp(`^${id} .* failed +The object of the file is missing$`, 'm'),
  );
  expect(await operator.run('file', 'print', id)).toEqual(
    failure(`File ${id} cannot be printed: The object of the file is missing.`),
  );

  const content = codaFile({ iban: newIban() });
  await storage.store.put(storage.buckets.files, object_key, content, 'text/plain');
  expect(await operator.run('file', 'print', id)).toEqual({
    exitCode: 0,
    stdout: `File ${id} has a new PDF.\n`,
    stderr: '',
  });
  expect(await unprinted(firmId)).toEqual([]);
  expect(await operator.json('file', 'print', id)).toMatchObject({ id, pdf: 'present' });
});

test('D-62 operator: files are compared with their objects, and what is missing or changed is found', async () => {
  const { buckets, store } = storage;
  const customerId = await insertCustomer(knex, await insertFirm(knex));
  const ibans = [newIban(), newIban(), newIban()];
  const listed = await Promise.all(
    ibans.map(async (iban) => {
      const content = codaFile({ iban });
      const { documents } = await readDocuments('CODA', content);
      const id = await insertCodaFile(knex, customerId, { iban });
      await knex('files').where({ id }).update({ content_hash: documents[0]?.contentHash });
      const row = await listedFiles(knex).where({ id }).first();
      await store.put(buckets.files, row.object_key, content, 'text/plain');
      await store.put(buckets.files, row.pdf_key, content, 'application/pdf');
      return row;
    }),
  );
  await knex('files')
    .whereNotIn(
      'id',
      listed.map(({ id }) => id),
    )
    .delete();
  const content = codaFile({ iban: newIban() });
  const { documents } = await readDocuments('CODA', content);
  await store.put(buckets.files, 'held/delivery', content, 'text/plain');
  await knex('held_deliveries').insert({
    ...{ id: 'f'.repeat(24), upload_id: '', product: 'CODA', iban: newIban() },
    ...{ statement_number: 1, statement_date: '2026-03-02', held_on: new Date() },
    ...{ content_hash: documents[0]?.contentHash, object_key: 'held/delivery' },
  });
  expect(await operator.json('file', 'check')).toEqual({ checked: 4, faulty: [] });
  expect((await operator.run('file', 'check')).stdout).toBe(
    '4 files and held deliveries are complete.\n',
  );

  const [gone, changed, unprinted] = listed;
  await store.remove(buckets.files, gone.object_key);
  const other = codaFile({ iban: newIban() });
  await store.put(buckets.files, changed.object_key, other, 'text/plain');
  await store.remove(buckets.files, unprinted.pdf_key);
  const { exitCode, stdout, stderr } = await operator.run('file', 'check', '--json');
  expect([exitCode, stderr]).toEqual([1, 'error: Faulty files and held deliveries: 3.\n']);
  const { checked, faulty }: CheckedFiles = JSON.parse(stdout);
  expect(checked).toBe(4);
  const found = new Map(faulty.map(({ id, fault }) => [id, fault]));
  expect(listed.map(({ id }) => found.get(id))).toEqual(['missing', 'changed', 'pdfMissing']);
  expect((await operator.run('file', 'check')).stdout).toMatch(
    new RegExp(`^${gone.id}  file  ${gone.object_key} +the object is missing$`, 'm'),
  );
  expect(await operator.json('file', 'check', '--since', '2100-01-01')).toEqual({
    ...{ checked: 0, faulty: [] },
  });
  await knex('held_deliveries').delete();
});
