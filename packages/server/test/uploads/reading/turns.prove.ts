import { expect, test } from 'vitest';
import { emptyStatements } from '../../../../../test/bench/uploads/bank-statement.js';
import { eventually } from '../../../../../test/support/eventually.js';
import { setUpAccount } from '../set-up-uploads.js';
import { createSecondFirm, startReading } from './run-reading.js';

test('D-38 a statement is listed before any of 8 files with 1,500 statements each that another firm uploaded before', async () => {
  const { work, iban } = await setUpAccount();
  const other = await createSecondFirm(work);
  for (let file = 0; file < 8; file += 1) {
    await work.upload('CODA', `${file}.cod`, emptyStatements(iban, 2000 + 2 * file));
  }
  await startReading(work, { concurrency: 4 });
  await eventually(async () => (await work.files()).length > 0);
  await other.upload('short.cod');
  await eventually(async () => (await work.knex('files').where({ iban: other.iban })).length === 1);
  const settled = await work.knex('uploads').whereNotNull('settled_on').pluck('object_key');
  expect(settled.filter((key) => !key.endsWith('short.cod'))).toEqual([]);
  expect((await work.files()).length).toBeLessThan(12_000);
});
