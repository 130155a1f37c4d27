import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBankingDay } from '@adx/statements';
import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { brusselsDay, brusselsTime, DAY } from '../../../src/dates/brussels-day.js';
import { createLinkedCustomer, newPrincipal } from '../../mandates/linked-customer.js';
import { codaFile } from '../../uploads/sample-files.js';
import { operatorForFile } from '../operator-for-file.js';

const operator = await operatorForFile();
const { knex } = operator;
const setConnector = (connector: string) =>
  operator.run('bank', 'set', 'TRIOBEBB', '--connector', connector);
const triodos = '523';

test('D-24 operator: mandate list --other-connector shows the accounts that bank set did not change', async () => {
  const principal = await newPrincipal(knex);
  const linked = async () => {
    const iban = newIban(triodos);
    await createLinkedCustomer(knex, principal, { ibans: [iban], providers: ['sdworx'] });
    return iban;
  };
  const listed = async () => {
    const options = ['--firm', principal.firmId, '--other-connector'];
    const printed = await operator.json(...['mandate', 'list', ...options]);
    return printed.map(({ iban }: { iban: string }) => iban).sort();
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
  const folder = operator.newFolder();
  const principal = await newPrincipal(knex);
  await setConnector('none');
  const ordinary = newIban(triodos);
  const ofBank = await createLinkedCustomer(knex, principal, { ibans: [ordinary] });
  await knex('mandates').where({ customer_id: ofBank }).update({ status: 'waitingForBank' });
  await setConnector('7');
  const iban = newIban(triodos);
  const customerId = await createLinkedCustomer(knex, principal, { ibans: [iban] });
  const silent = async () => await operator.json('bank', 'list', '--silent');
  expect(await silent()).toEqual([]);
  const days = (count: number) => new Date(Date.now() + count * DAY);
  await knex('mandates')
    .where({ customer_id: customerId })
    .update({ status: 'finished', valid_until: days(30), renewal_status: 'renewalDeclined' });
  expect((await operator.run('mandate', 'list', '--firm', principal.firmId)).stdout).toContain(
    '  finished, renewal declined  ',
  );
  const bank = { bic: 'TRIO BE BB', name: expect.any(String), connectorId: 7, consents: 1 };
  expect(await silent()).toEqual([{ ...bank, lastDelivery: null, usualTime: null }]);

  for (let number = 1; number <= 12; number += 1) {
    writeFileSync(join(folder, `${number}.cod`), codaFile({ iban, number, date: '2026-02-04' }));
  }
  await operator.run('ingest', folder, '--from', 'TRIOBEBB');
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
  const lastDelivery = arrivals
    .map((arrival) => arrival.toISOString())
    .sort()
    .at(-1);
  const times = arrivals.slice(0, 10).map((arrival) => brusselsTime(arrival).slice(11, 19));
  const usualTime = times.sort().at(-1);
  const delivered = [{ ...bank, lastDelivery, usualTime }];
  expect(await silent()).toEqual(delivered);
  expect((await operator.run('bank', 'list', '--silent')).stdout).toMatch(
    new RegExp(`^TRIO BE BB .* 7 +1 +${lastDelivery}  ${usualTime}$`, 'm'),
  );
  // The bank itself delivers for an account that has no consent.
  writeFileSync(join(folder, 'other.cod'), codaFile({ iban: ordinary }));
  expect((await operator.run('ingest', folder, '--from', 'TRIOBEBB')).stdout).toContain('1 listed');
  expect(await silent()).toEqual(delivered);
  // A firm's own upload is no delivery of the bank.
  await knex('uploads').update({ source: 'upload' });
  expect(await silent()).toEqual([{ ...bank, lastDelivery: null, usualTime: null }]);
  await knex('mandates')
    .where({ customer_id: customerId })
    .update({ valid_until: days(-2) });
  expect(await silent()).toEqual([]);
});
