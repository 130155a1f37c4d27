import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBankingDay } from '@adx/statements';
import { expect, test } from 'vitest';
import { ibanOf, newIban } from '../../../../../test/support/numbers.js';
import { brusselsDay, brusselsTime, DAY } from '../../../src/dates/brussels-day.js';
import { createReferenceStore } from '../../../src/reference/reference-store.js';
import { createLinkedCustomer, newPrincipal } from '../../mandates/linked-customer.js';
import { codaFile } from '../../uploads/sample-files.js';
import { failure, operatorForFile } from '../operator-for-file.js';
import { createCustomerWithMandates } from './mandates/mandates-of-a-customer.js';

const { knex, newFolder, run, json } = await operatorForFile();
const triodos = '523';
const setConnector = (connector: string) =>
  run('bank', 'set', 'TRIOBEBB', '--connector', connector);

test.each([
  ['0161.864.987', ibanOf('5390000001'), 'no bank has the code 539'],
  ['0403.019.261', ibanOf('1280000001'), 'Mobile Payment Solutions nv has no CODA files'],
  ['0403.170.701', 'NL91ABNA0417164300', 'the account is not Belgian'],
])(
  'D-17 operator: mandate show says of company %s with account %s that %s',
  async (enterpriseNumber, iban, reason) => {
    const { firm } = await createCustomerWithMandates(knex, [iban], enterpriseNumber);
    const listed = await json('mandate', 'list', '--firm', firm.id);
    const [{ id }] = listed.filter(({ product }: { product: string }) => product === 'CODA');
    expect(await json('mandate', 'show', id)).toMatchObject({
      ...{ status: 'unsupportedBank', unsupportedBecause: reason },
    });
    const { stdout } = await run('mandate', 'show', id);
    expect(stdout).toMatch(new RegExp(`^status +unsupportedBank: ${reason}$`, 'm'));
  },
);

test('D-33 operator: bank set gives a bank a light connector, and removes it', async () => {
  const connectorOf = async (bic: string) => {
    const banks: { bic: string; connectorId?: number }[] = await json('bank', 'list');
    return banks.find((bank) => bank.bic === bic)?.connectorId;
  };
  expect(await connectorOf('TRIO BE BB')).toBeUndefined();
  expect(await json('bank', 'set', 'trio be bb xxx', '--connector', '3')).toEqual({
    ...{ bic: 'TRIO BE BB', connectorId: 3 },
  });
  expect(await connectorOf('TRIO BE BB')).toBe(3);
  const { stdout } = await run('bank', 'set', 'TRIOBEBB', '--connector', 'none');
  expect(stdout).toBe('TRIO BE BB has no light connector.\n');
  expect(await connectorOf('TRIO BE BB')).toBeUndefined();
  for (const unknown of [
    ['set', 'ABCDBE00', '--connector', '1'],
    ['show', 'ABCDBE00'],
  ]) {
    expect(await run('bank', ...unknown)).toEqual(
      failure('There is no bank with the BIC ABCD BE 00.'),
    );
  }
});

test('D-33 operator: bank show has the names, bank codes and connector of a BIC, as list banks has it', async () => {
  const listed = async () => {
    const { records } = await createReferenceStore(knex).banks({ limit: 200, offset: 0 });
    return records.filter(({ bic }) => bic === 'DEGR BE BB');
  };
  const bank = {
    bic: 'DEGR BE BB',
    names: ['Bank Degroof Petercam', 'Banque Degroof Petercam Luxembourg'],
    bankCodes: ['583', '676', '845', '941'],
    codaSupported: true,
  };
  expect(await json('bank', 'show', 'DEGRBEBB')).toEqual(bank);
  await json('bank', 'set', 'DEGRBEBB', '--connector', '9');
  expect(await json('bank', 'show', 'degr be bb')).toEqual({ ...bank, connectorId: 9 });
  expect(await listed()).toMatchObject([{ connectorId: 9 }, { connectorId: 9 }]);
  expect((await run('bank', 'show', 'DEGRBEBB')).stdout).toBe(
    [
      'BIC         DEGR BE BB',
      'name        Bank Degroof Petercam, Banque Degroof Petercam Luxembourg',
      'bank codes  583, 676, 845, 941',
      'CODA        yes',
      'connector   9\n',
    ].join('\n'),
  );
  await json('bank', 'set', 'DEGRBEBB', '--connector', 'none');
  expect(await json('bank', 'show', 'DEGRBEBB')).toEqual(bank);
  expect((await listed()).filter((each) => 'connectorId' in each)).toEqual([]);
});

test('D-24 operator: mandate list --other-connector shows the accounts that bank set did not change', async () => {
  const principal = await newPrincipal(knex);
  const linked = async () => {
    const iban = newIban(triodos);
    await createLinkedCustomer(knex, principal, { ibans: [iban], providers: ['sdworx'] });
    return iban;
  };
  const listed = async () => {
    const mandates = await json('mandate', 'list', '--firm', principal.firmId, '--other-connector');
    return mandates.map(({ iban }: { iban: string }) => iban).sort();
  };
  const mandate = await linked();
  expect(await listed()).toEqual([]);
  await setConnector('7');
  const consent = await linked();
  expect(await listed()).toEqual([mandate]);
  await setConnector('8');
  expect(await listed()).toEqual([mandate, consent].sort());
  await setConnector('none');
  expect(await listed()).toEqual([consent]);
});

test('D-33 operator: bank list --silent shows the banks with consents that did not deliver when they usually do', async () => {
  const folder = newFolder();
  const principal = await newPrincipal(knex);
  await setConnector('none');
  const ordinary = newIban(triodos);
  const ofBank = await createLinkedCustomer(knex, principal, { ibans: [ordinary] });
  await knex('mandates').where({ customer_id: ofBank }).update({ status: 'waitingForBank' });
  await setConnector('7');
  const iban = newIban(triodos);
  const customerId = await createLinkedCustomer(knex, principal, { ibans: [iban] });
  const silent = () => json('bank', 'list', '--silent');
  expect(await silent()).toEqual([]);
  const days = (count: number) => new Date(Date.now() + count * DAY);
  const consent = knex('mandates').where({ customer_id: customerId });
  await consent
    .clone()
    .update({ status: 'finished', valid_until: days(30), renewal_status: 'renewalDeclined' });
  expect((await run('mandate', 'list', '--firm', principal.firmId)).stdout).toContain(
    '  finished, renewal declined  ',
  );
  const bank = { bic: 'TRIO BE BB', name: expect.any(String), connectorId: 7, consents: 1 };
  expect(await silent()).toEqual([{ ...bank, lastDelivery: null, usualTime: null }]);

  for (let number = 1; number <= 12; number += 1) {
    writeFileSync(join(folder, `${number}.cod`), codaFile({ iban, number, date: '2026-02-04' }));
  }
  await run('ingest', folder, '--from', 'TRIOBEBB');
  expect(await silent()).toEqual([]);
  // Only the last ten banking days count, and the latest deliveries came on others.
  const past = Array.from({ length: 23 }, (_, i) => brusselsDay(days(-6 - i)));
  const counted = past.filter(isBankingDay).slice(0, 10);
  const others = past.filter((day) => !counted.includes(day));
  const holiday = others.find((day) => !isBankingDay(day));
  const eleventh = others.find(isBankingDay);
  const arrivals = [
    ...counted.map((day, i) => `${day}T05:${i === 3 ? '10' : '00'}`),
    ...[`${holiday}T06:00`, `${eleventh}T05:30`],
  ].map((arrival) => new Date(`${arrival}:00.000Z`));
  for (const [i, received_on] of arrivals.entries()) {
    await knex('uploads')
      .where({ object_key: `${i + 1}.cod` })
      .update({ received_on });
  }
  const lastDelivery = new Date(Math.max(...arrivals.map(Number))).toISOString();
  const times = arrivals.slice(0, 10).map((arrival) => brusselsTime(arrival).slice(11, 19));
  const usualTime = times.sort().at(-1);
  const delivered = [{ ...bank, lastDelivery, usualTime }];
  expect(await silent()).toEqual(delivered);
  expect((await run('bank', 'list', '--silent')).stdout).toMatch(
    new RegExp(`^TRIO BE BB .* 7 +1 +${lastDelivery}  ${usualTime}$`, 'm'),
  );
  // The bank itself delivers for an account that has no consent.
  writeFileSync(join(folder, 'other.cod'), codaFile({ iban: ordinary }));
  expect((await run('ingest', folder, '--from', 'TRIOBEBB')).stdout).toContain('1 listed');
  expect(await silent()).toEqual(delivered);
  // A firm's own upload is no delivery of the bank.
  await knex('uploads').update({ source: 'upload' });
  expect(await silent()).toEqual([{ ...bank, lastDelivery: null, usualTime: null }]);
  await consent.clone().update({ valid_until: days(-2) });
  expect(await silent()).toEqual([]);
});
