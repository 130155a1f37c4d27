import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { brusselsDay } from '../../../src/dates/brussels-day.js';
import { operatorScope } from '../../../src/identity/operator-scope.js';
import { listDeliveries } from '../../../src/uploads/deliveries/listed-deliveries.js';
import { newConnectedIban, serveByConnector } from '../../mandates/linked-customer.js';
import { keysOf, textOf } from '../../storage/open-test-storage.js';
import { completeRows } from '../../support/rows.js';
import { codaFile, codbFile, enterpriseNumber } from '../sample-files.js';
import { setUpAccount, setUpUploads } from '../set-up-uploads.js';

const signed = ['waitingForBank', 'confirmedByBank', 'finished'];
const unsigned = ['created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'rejectedByBank'];

test.each(signed)('D-28 a delivery is listed under a mandate that is %s', async (status) => {
  const { work, iban, customerId } = await setUpAccount();
  await work.setStatus(customerId, status);
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({
    isDone: true,
    listed: 1,
    held: 0,
  });
  expect(await work.files()).toMatchObject([{ customer_id: customerId }]);
  expect(await work.uploads()).toMatchObject([{ source: 'bank', grant_id: null }]);
});

test.each([...unsigned, 'error'])(
  'D-28 a delivery is held and not listed while its mandate is %s',
  async (status) => {
    const { work, iban, customerId } = await setUpAccount();
    await work.setStatus(customerId, status);
    const bytes = codaFile({ iban });
    expect(await work.deliver(bytes)).toMatchObject({
      ...{ isDone: true, listed: 0, held: 1 },
      findings: [{ code: 'held', severity: 'warning', record: 1 }],
    });
    expect(await work.files()).toEqual([]);
    expect(await work.statuses(customerId)).toEqual([status]);
    expect(await listDeliveries(work.knex, operatorScope())).toMatchObject([
      { product: 'CODA', iban, statementNumber: 14, mandates: [{ status, customerId }] },
    ]);
    const [key = ''] = await keysOf(work.storage, 'files');
    expect(key).toMatch(/^held\//);
    expect(await textOf(work.storage, 'files', key)).toBe(String(Buffer.from(bytes)));
  },
);

test('D-28 a delivery for an unknown or disabled account is held', async () => {
  const work = await setUpUploads();
  const [unknown, disabled] = [newIban(), newIban()];
  const customerId = await work.create({ ibans: [disabled] });
  await work.setStatus(customerId, 'finished');
  await work.knex('bank_accounts').update({ disabled_on: new Date() });
  await completeRows(work.knex);
  await work.deliver(codaFile({ iban: unknown }, { iban: disabled }));
  expect(await work.files()).toEqual([]);
  // Those of one file are in no particular order.
  const held = await listDeliveries(work.knex, operatorScope());
  expect(held).toHaveLength(2);
  expect(held.find(({ iban }) => iban === unknown)).toMatchObject({ linkId: null, mandates: [] });
  expect(held.find(({ iban }) => iban === disabled)).toMatchObject({ linkId: null });
});

test.each([
  ['sdworx', 'SD WORX vzw', ['finished', 'waitingForPayrollProvider']],
  ['securex', 'Secrétariat Social Securex', ['waitingForPayrollProvider', 'finished']],
  ['securex', 'Boekhouding Janssens', ['waitingForPayrollProvider', 'finished']],
  ['sdworx', 'Securex & SD Worx', ['finished', 'waitingForPayrollProvider']],
  ['liantis', 'Liantis', ['waitingForPayrollProvider', 'waitingForPayrollProvider']],
])(
  'D-28 D-66 a payroll file that %s delivers, of %s, is listed under the mandate of that sender, or held',
  async (from, source, after) => {
    const work = await setUpUploads();
    const number = enterpriseNumber();
    const links = { providers: ['sdworx', 'securex'] };
    const customerId = await work.create(links, { enterprise_number: number });
    await work.setStatus(customerId, 'waitingForPayrollProvider');
    await work.deliver(codbFile({ enterpriseNumber: number, source }), { from });
    expect(await work.uploads()).toMatchObject([{ source: 'payrollProvider', sender: from }]);
    expect(await work.statuses(customerId)).toEqual(after);
    const held = await listDeliveries(work.knex, operatorScope());
    if (from === 'liantis') {
      const ofIt = { enterpriseNumber: number, payrollProvider: source, sender: from };
      expect(held).toMatchObject([{ product: 'CODB', ...ofIt, linkId: null, mandates: [] }]);
    } else expect([held, await work.files()]).toMatchObject([[], [{ customer_id: customerId }]]);
  },
);

test('D-28 a statement that the firm has uploaded itself is listed once, and its delivery finishes the mandate', async () => {
  const { work, iban, customerId } = await setUpAccount();
  await work.upload('CODA', 'a.cod', codaFile({ iban }));
  await work.readAll();
  expect(await work.files()).toHaveLength(1);
  expect(await work.statuses(customerId)).toEqual(['created']);
  await work.setStatus(customerId, 'waitingForBank');
  await work.upload('CODA', 'b.cod', codaFile({ iban, number: 15 }));
  await work.readAll();
  expect(await work.statuses(customerId)).toEqual(['waitingForBank']);
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({ listed: 0, repeated: 1 });
  expect(await work.files()).toHaveLength(2);
  expect(await work.statuses(customerId)).toEqual(['finished']);
});

test('D-28 a consent covers its last day and nothing after it, even if its job is late', async () => {
  const work = await setUpUploads();
  await serveByConnector(work.knex);
  const iban = newConnectedIban();
  await work.create({ ibans: [iban] });
  const until = (valid_until: string) =>
    work.knex('mandates').update({ status: 'finished', valid_until });
  await until('2026-01-01');
  expect(await work.deliver(codaFile({ iban }))).toMatchObject({ listed: 0, held: 1 });
  await until(brusselsDay(new Date()));
  expect(await work.deliver(codaFile({ iban, number: 15 }))).toMatchObject({ listed: 1 });
});

test('D-28 the coverage is found for more statements than a query may have parameters', async () => {
  const { work } = await setUpAccount('finished');
  const link = await work.knex('bank_accounts').first({ linkId: 'id', firmId: 'firm_id' });
  const links = Array(70_000).fill(link);
  expect((await work.coverage.coveredLinks(work.knex, links)).size).toBe(1);
});
