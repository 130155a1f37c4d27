import { type StatementDraft, writeCoda } from '@adx/statements';
import { afterAll, expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { codbFile, enterpriseNumber, statementDraft } from './sample-files.js';
import { setUpUploads } from './set-up-uploads.js';

const work = await setUpUploads(afterAll);
const { knex } = work;

const filesOf = (customer_id: string) => knex('files').where({ customer_id }).orderBy('arrival');

const draft = (iban: string, changes: Partial<StatementDraft> = {}): StatementDraft => ({
  ...statementDraft({ iban }),
  account: { structure: 2, number: iban, currency: 'EUR', holder: 'Société Zürich' },
  ...changes,
});

const delivery = { creationDate: '2026-03-09', bic: 'GKCCBEBB', duplicate: true };
const redelivered = { ...delivery, fileReference: 'X9' };

test('D-29 a statement is listed once, whatever its creation date, file reference, duplicate flag and encoding', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const again = draft(iban, { header: redelivered });
  await work.upload('CODA', '1.cod', writeCoda([draft(iban)], { encoding: 'windows-1252' }));
  await work.readAll();
  await work.upload('CODA', '2.cod', writeCoda([again], { encoding: 'utf-8', lineEnd: '\n' }));
  await work.upload('CODA', '3.cod', writeCoda([again, again], { encoding: 'cp850' }));
  await work.readAll();
  expect(await filesOf(id)).toMatchObject([{ file_name: `${iban}_EUR_2026_014.cod` }]);
  const findings = (await work.uploads())
    .slice(-3)
    .map((upload) => upload.findings.map(({ code }) => code));
  expect(findings[1]).toContain('alreadyListed');
  expect(findings[2]?.filter((code) => code === 'alreadyListed')).toHaveLength(2);
});

test('D-29 an empty statement without a new balance is recognised, although its date is that of the file', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const empty = { newBalance: undefined, movements: [] };
  const header = { ...redelivered, creationDate: '2027-01-04' };
  await work.upload('CODA', '1.cod', writeCoda([draft(iban, empty)]));
  await work.readAll();
  await work.upload('CODA', '2.cod', writeCoda([draft(iban, { ...empty, header })]));
  await work.readAll();
  expect(await filesOf(id)).toHaveLength(1);
});

test('D-29 a separate application is not the statement with all transactions', async () => {
  const iban = newIban();
  const id = await work.create({ ibans: [iban] });
  const part = (separateApplication: string) =>
    draft(iban, {
      header: { creationDate: '2026-02-04', bic: 'GKCCBEBB', separateApplication },
      ...{ statementNumber: 0, oldBalance: { amount: 0n, date: '2026-02-02' } },
    });
  for (const code of ['00001', '00002', '00001']) {
    await work.upload('CODA', `${code}.cod`, writeCoda([part(code)]));
  }
  await work.readAll();
  const rows = await filesOf(id);
  expect(rows).toMatchObject([{ old_balance: null }, { old_balance: null }]);
});

test('D-29 a booking is listed once, however the provider spells its name; another label is a correction', async () => {
  const number = enterpriseNumber();
  const id = await work.create({ providers: ['sdworx'] }, { enterprise_number: number });
  const booking = { enterpriseNumber: number };
  const bytes = Buffer.from(codbFile(booking));
  const again = bytes.toString().replace('2026-02-28', '2026-03-02').replace('>1.2<', '>0.1<');
  await work.upload('CODB', '1.xml', bytes);
  await work.upload('CODB', '2.xml', Buffer.from(again));
  await work.upload('CODB', '3.xml', codbFile({ ...booking, source: 'SD WÔRX' }));
  await work.readAll();
  expect(await filesOf(id)).toHaveLength(1);
  await work.upload('CODB', '4.xml', codbFile({ ...booking, label: 'Wage' }));
  await work.readAll();
  expect((await filesOf(id)).map(({ file_name }) => file_name)).toEqual([
    `${number}_SD-Worx_202602_7.xml`,
    `${number}_SD-Worx_202602_7_2.xml`,
  ]);
});
