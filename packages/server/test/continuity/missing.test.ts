import type { MissingStatements } from '@adx/contract';
import { type StatementDraft, writeCoda } from '@adx/statements';
import { afterAll, expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { listMissing, listMissingOf } from '../../src/continuity/missing-store.js';
import { transferCustomer } from '../../src/customers/transfer-customer.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { countArrivals } from '../support/files.js';
import { setUpUploads } from '../uploads/set-up-uploads.js';
import { datedAs, draft, followChains } from './statement-chain.js';

const work = await setUpUploads(afterAll);
const { knex } = work;
const { list, bring } = followChains(work);

const holesOf = (records: readonly MissingStatements[]) =>
  records.map(({ fromNumber, toNumber }) => [fromNumber, toNumber]).sort();

test('D-30 missing numbers are listed until they arrive, and whoever brings the next statement is warned', async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  const bringDays = async (...days: number[]) => {
    const findings = await bring(days.map((day) => draft(iban, day)));
    return findings.map(({ code, message, record }) => [code, message, record]);
  };
  expect(await bringDays(1, 2, 3)).toEqual([]);
  const message = `Statement numbers are missing before this one: ${iban} (2026/108)`;
  expect(await bringDays(8)).toEqual([['numberMissing', message, 1]]);
  const [record, ...others] = await list(customerId);
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    ...{ customerId, iban, currency: 'EUR', kind: 'gap', fromNumber: 104, toNumber: 107 },
    ...{ after: '2026-01-03', afterNumber: 103, before: '2026-01-08', beforeNumber: 108 },
  });
  // A part of it arrives: the rest was detected at the same time.
  await bringDays(5);
  const rest = await list(customerId);
  expect(holesOf(rest)).toEqual([
    [104, 104],
    [106, 107],
  ]);
  expect(rest.map(({ detectedOn }) => detectedOn)).toEqual(Array(2).fill(record?.detectedOn));
  await bringDays(7, 4);
  expect(holesOf(await list(customerId))).toEqual([[106, 106]]);
  await bringDays(6);
  expect(await list(customerId)).toEqual([]);
  expect(
    await knex('missing_statements').where({
      customer_id: customerId,
      closed_on: null,
      kind: 'gap',
    }),
  ).toEqual([]);
});

const days = Array.from({ length: 30 }, (_, index) => index + 1);
const late = new Date('2026-03-31T12:00:00Z');

/** Lists what is missing at the firm of these tests, as the operator sees it. */
const listForOperator = (customerId: string, now: Date) =>
  listMissing(knex, operatorScope(), { customerId }, now);

test('D-30 an account under a signed mandate is overdue after its habit, until its next statement', async () => {
  const [iban, uploaded] = [newIban(), newIban()];
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  const unsigned = await work.create({ ibans: [uploaded] });
  await work.deliver(writeCoda(days.map((day) => draft(iban, day))));
  await bring(days.map((day) => draft(uploaded, day)));
  expect(await list(customerId, new Date('2026-02-03T12:00:00Z'))).toEqual([]);
  const [record, ...others] = await list(customerId, late);
  expect(others).toEqual([]);
  expect(record).toMatchObject({ kind: 'overdue', iban, after: '2026-01-30', afterNumber: 130 });
  expect(record).not.toHaveProperty('before');
  expect(record).not.toHaveProperty('beforeNumber');
  expect((record?.detectedOn ?? '') < '2026-02-20').toBe(true);
  expect(await listForOperator(customerId, late)).toMatchObject([{ ...record }]);
  expect(await list(unsigned, late)).toEqual([]);
  await work.deliver(writeCoda([datedAs(iban, 31, '2026-02-02')]));
  const next = { kind: 'overdue', after: '2026-02-02', afterNumber: 131 };
  expect(await list(customerId, late)).toMatchObject([next]);
  expect(await list(customerId, new Date(record?.detectedOn ?? ''))).toEqual([]);
  await work.deliver(writeCoda([datedAs(iban, 32, '2026-02-02')]));
  expect(await list(customerId, late)).toMatchObject([{ ...next, afterNumber: 132 }]);
  await knex('mandates').where({ iban }).update({ closed_on: new Date() });
  expect(await list(customerId, late)).toEqual([]);
});

test('D-30 an account is not overdue since a statement that another one has followed, however many versions hide its habit', async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  await work.deliver(writeCoda(days.map((day) => draft(iban, day))));
  const versions = [...days, ...days].map((_, index) =>
    draft(iban, 30, { freeCommunications: [{ lines: [`Version ${index}`] }] }),
  );
  await work.deliver(writeCoda(versions));
  await work.deliver(writeCoda([draft(iban, 31)]));
  expect(await list(customerId, late)).toEqual([]);
});

test('D-30, D-48 a transferred customer is not overdue, its former firm still sees its gaps, and a new chain begins', async () => {
  const iban = newIban();
  const then = new Date('2100-01-01T12:00:00Z');
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  await work.deliver(writeCoda([...days, 33].map((day) => draft(iban, day))));
  const kinds = async (records: Promise<MissingStatements[]>) =>
    (await records).map(({ kind }) => kind).sort();
  expect(await kinds(list(customerId, then))).toEqual(['gap', 'overdue']);
  const next = await newPrincipal(knex);
  const transfer = { customerId, toFirmId: next.firmId, agreedBy: 'Jan Peeters' };
  await transferCustomer(knex, operatorScope(), createCustomerMandates(), transfer);
  expect(await kinds(list(customerId, then))).toEqual(['gap']);
  expect(await kinds(listForOperator(customerId, then))).toEqual(['gap']);
  const { transferred_to: newId } = await knex('customers').where({ id: customerId }).first();
  await work.setStatus(newId, 'finished');
  expect(await work.deliver(writeCoda([draft(iban, 40)]))).toMatchObject({ listed: 1 });
  const ofNext = listMissingOf(knex, next, {}, { limit: 50, offset: 0 }, then);
  expect(await ofNext).toMatchObject({ records: [], recordsTotal: 0 });
  expect(await kinds(list(customerId, then))).toEqual(['gap']);
});

test('D-30 what is missing beside 60 statements with one date is found, and closed by a late arrival', async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  const dated = Array.from({ length: 62 }, (_, index) => datedAs(iban, index + 3, '2026-02-03'));
  await work.deliver(writeCoda(dated));
  await work.deliver(writeCoda([draft(iban, 66)]));
  await work.deliver(writeCoda([draft(iban, 1)]));
  expect(holesOf(await list(customerId))).toEqual([
    [102, 102],
    [165, 165],
  ]);
  await work.deliver(writeCoda([draft(iban, 65)]));
  await work.deliver(writeCoda([draft(iban, 2)]));
  expect(await list(customerId)).toEqual([]);
});

test('D-30 what is missing beyond the 60 statements on each side of a new one stays as it is, and nothing is missing at their ends', async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, 'finished');
  const deliver = async (...drafts: StatementDraft[]) => {
    await work.deliver(writeCoda(drafts));
  };
  const records = () =>
    knex('missing_statements')
      .where({ customer_id: customerId, closed_on: null })
      .orderBy('kind')
      .select('kind', 'after_date', 'before_date');
  // At both ends, one of two statements with the same date is the 60th.
  await deliver(datedAs(iban, 6, '2026-01-05'), datedAs(iban, 63, '2026-03-03'));
  const fromFifth = Array.from({ length: 61 }, (_, index) => index + 5);
  const others = [1, 2, ...fromFifth].filter((day) => day !== 6 && day !== 63);
  await deliver(...others.map((day) => draft(iban, day)));
  const expected = (last: string) => [
    { kind: 'gap', after_date: '2026-01-02', before_date: '2026-01-05' },
    { kind: 'overdue', after_date: last, before_date: null },
  ];
  expect(await records()).toEqual(expected('2026-03-06'));
  await deliver(draft(iban, 66));
  expect(await records()).toEqual(expected('2026-03-07'));
  await deliver(draft(iban, 0));
  expect(await records()).toEqual(expected('2026-03-07'));
  // Printing them in the next test would take much longer.
});

test('D-30 nothing is missing between statements of which too many are listed to be read at once', {
  tags: 'long',
}, async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  const bringDays = (...days: number[]) =>
    bring(days.map((day) => draft(iban, day, { statementNumber: 0 })));
  await bringDays(5001);
  await knex.raw(
    `insert into files (id, product, firm_id, customer_id, iban, currency, extension, year, statement_number,
                        statement_date, created_on, old_balance, new_balance, is_delivered, content_hash,
                        file_name, processed_on, upload_id, arrival)
     select lpad(to_hex(n), 24, '0'), product, firm_id, customer_id, iban, currency, extension,
            extract(year from day), 0, day, day,
            9000000 - 10000 * n, 9000000 - 10000 * (n + 1), is_delivered, sha256(n::text::bytea),
            n || '.cod', processed_on, upload_id, arrival + n
       from files, generate_series(1, 5000) n, lateral (select date '2025-12-31' + n as day) dates
      where customer_id = ?`,
    [customerId],
  );
  await countArrivals(knex);
  await bringDays(0, 5002);
  const listed = await knex('files').where({ customer_id: customerId }).count();
  expect(listed).toEqual([{ count: 5003 }]);
  expect(await list(customerId)).toEqual([]);
});
