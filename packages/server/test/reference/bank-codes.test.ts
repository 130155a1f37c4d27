import { expect, test } from 'vitest';
import { ibanOf } from '../../../../test/support/numbers.js';
import { loadBanks } from '../../src/db/load-reference-data.js';
import { belgianBankCodes } from '../../src/identifiers/belgian-bank-codes.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertBankAccount, insertCustomer, insertFirm } from '../support/rows.js';

const knex = await knexForFile();
const customerId = await insertCustomer(knex, await insertFirm(knex));
const codes = Array.from({ length: 1000 }, (_, code) => String(code).padStart(3, '0'));

/** Returns the bank of each account of the test's customer, by IBAN. */
async function banksOfAccounts() {
  const { rows } = await knex.raw<{
    rows: { iban: string; bic: string | null; name: string | null }[];
  }>(
    `select a.iban, b.bic, b.name from bank_accounts a
       left join banks_by_code b on b.bank_code = a.bank_code`,
  );
  return new Map(rows.map(({ iban, bic, name }) => [iban, { bic, name }]));
}

test('D-17 each of the 1000 bank codes resolves to its bank, or to none if it is not assigned', async () => {
  for (const code of codes) {
    await insertBankAccount(knex, customerId, { iban: ibanOf(`${code}0000001`) });
  }
  const banks = await banksOfAccounts();
  for (const code of codes) {
    const ranges = belgianBankCodes.filter(([from, to]) => from <= code && code <= to);
    expect(ranges.length, code).toBeLessThanOrEqual(1);
    const [, , bic, name] = ranges[0] ?? [];
    expect(banks.get(ibanOf(`${code}0000001`)), code).toEqual({
      bic: bic?.replace(/^(.{8})XXX$/, '$1') || null,
      name: name ?? null,
    });
  }
});

test.each([
  ['096', 'GKCCBEBB', 'BELFIUS BANK'],
  ['000', 'GEBABEBB', 'BNP Paribas Fortis'],
  ['103', 'NICABEBB', 'Crelan'],
  ['700', 'AXABBE22', 'Crelan'],
  ['116', 'ATMNBE32', 'Atlantic Money NV/SA'],
  ['509', 'ABNABE2AIPC', 'ABN AMRO Bank N.V.'],
  ['583', 'DEGRBEBB', 'Banque Degroof Petercam Luxembourg'],
  ['676', 'DEGRBEBB', 'Bank Degroof Petercam'],
  ['999', null, 'bpost'],
  ['112', null, null],
])('D-17 an account with bank code %s belongs to %s, %s', async (code, bic, name) => {
  const iban = ibanOf(`${code}7654321`);
  await insertBankAccount(knex, customerId, { iban });
  expect((await banksOfAccounts()).get(iban)).toEqual({ bic, name });
});

test('D-17 a foreign account has no bank', async () => {
  const iban = 'NL91ABNA0417164300';
  await insertBankAccount(knex, customerId, { iban });
  expect((await banksOfAccounts()).get(iban)).toEqual({ bic: null, name: null });
});

test('reference: the list has 190 ranges of 105 institutions; 18 codes have no BIC', async () => {
  expect(belgianBankCodes).toHaveLength(190);
  expect(await knex('banks').count({ banks: '*' })).toEqual([{ banks: 105 }]);
  const withoutBic = knex('bank_codes').join('banks', 'banks.id', 'bank_id').whereNull('bic');
  expect(await withoutBic.count({ codes: '*' })).toEqual([{ codes: 18 }]);
});

test('reference: banks accept CODA mandates; payment institutions and institutions without a BIC do not', async () => {
  const supported = async (name: string) =>
    new Set(await knex('banks').where({ name }).pluck<boolean[]>('coda_supported'));
  expect(await supported('KBC Bank')).toEqual(new Set([true]));
  expect(await supported('Crelan')).toEqual(new Set([true]));
  expect(await supported('Wise Europe SA')).toEqual(new Set([false]));
  expect(await supported('Mollie B.V.')).toEqual(new Set([false]));
  expect(await supported('bpost')).toEqual(new Set([true, false]));
});

test('reference: no bank has a light connector at first', async () => {
  expect(await knex('banks').whereNotNull('connector_id')).toEqual([]);
});

test('reference: a new edition of the list moves codes, and keeps only the connector of a BIC, also under a new name', async () => {
  await knex('banks')
    .where({ name: 'KBC Bank' })
    .update({ connector_id: 7, coda_supported: false });
  await loadBanks(knex, [
    ['400', '401', 'KREDBEBB', 'KBC Bank'],
    ['402', '402', 'NEWBBEBB', 'Nieuwe Bank'],
    ['403', '403', 'KREDBEBB', 'KBC Brussels'],
  ]);
  const rows = await knex('bank_codes')
    .join('banks', 'banks.id', 'bank_id')
    .orderBy('code')
    .select('code', 'bic', 'connector_id', 'coda_supported');
  expect(rows).toEqual([
    { code: '400', bic: 'KREDBEBB', connector_id: 7, coda_supported: true },
    { code: '401', bic: 'KREDBEBB', connector_id: 7, coda_supported: true },
    { code: '402', bic: 'NEWBBEBB', connector_id: null, coda_supported: true },
    { code: '403', bic: 'KREDBEBB', connector_id: 7, coda_supported: true },
  ]);
});

test('D-10 a new edition of the list updates the sort of mandates by bank name', async () => {
  const firmId = await insertFirm(knex);
  const owner = await insertCustomer(knex, firmId);
  const mandates = { kept: '403', renamed: '404', ended: '405' };
  for (const [name, code] of Object.entries(mandates)) {
    const iban = ibanOf(`${code}1111111`);
    const account = await insertBankAccount(knex, owner, { iban });
    await knex('mandates').insert({
      ...{ id: account, firm_id: firmId, customer_id: owner, bank_account_id: account },
      ...{ product: 'CODA', status: 'created', customer_name_sort: name, enterprise_number: '' },
      ...{ iban, bank_code: code, bank_name_sort: 'kbc bank' },
      ...{ created_on: new Date(), updated_on: new Date() },
    });
  }
  await loadBanks(knex, [
    ['403', '403', 'KREDBEBB', 'KBC Bank'],
    ['404', '404', 'NEWBBEBB', 'Élan Bank'],
  ]);
  const rows = await knex('mandates').select('customer_name_sort', 'bank_name_sort').orderBy('id');
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['kept', 'kbc bank'],
    ['renamed', 'élan bank'],
    ['ended', null],
  ]);
});
