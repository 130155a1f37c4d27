import type { MissingStatements } from '@adx/contract';
import type { StatementDraft } from '@adx/statements';
import { afterAll, expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { setUpUploads } from '../uploads/set-up-uploads.js';
import { datedAs, draft, followChains } from './statement-chain.js';

const work = await setUpUploads(afterAll);
const { knex } = work;
const { list, bring } = followChains(work);

/** Returns a statement of 5 January whose balances are too high by 1.00 for each number. */
const leaping = (iban: string, day: number, statementNumber = 100 + day): StatementDraft => {
  const amount = 9_000_000n + 1_000n * BigInt(day);
  return {
    ...datedAs(iban, day, '2026-01-05'),
    ...{ statementNumber, oldBalance: { amount, date: '2026-01-05' } },
  };
};

const numbersOf = (records: readonly MissingStatements[]) =>
  records.map(({ afterNumber, beforeNumber }) => [afterNumber, beforeNumber]).sort();

test('D-30 statements of a bank that gives no numbers do not repeat a number', async () => {
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const right = draft(iban, 2, { statementNumber: 0 });
  const movements = right.movements?.map((each) => ({ ...each, amount: -7_000n })) ?? [];
  await bring([draft(iban, 1, { statementNumber: 0 }), { ...right, movements }]);
  expect(await bring([right])).toEqual([]);
});

test('D-30 an old balance that differs, and a number with other content, are a warning without what others delivered, and a record until corrected', async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  const right = draft(iban, 2);
  const wrong = {
    ...right,
    movements: right.movements?.map((each) => ({ ...each, amount: -7_000n })) ?? [],
  };
  await bring([draft(iban, 1), wrong]);
  const broken = {
    kind: 'balanceBreak',
    before: '2026-01-03',
    afterNumber: 102,
    beforeNumber: 103,
  };
  expect(await bring([draft(iban, 3)])).toEqual([
    {
      ...{ severity: 'warning', code: 'balanceDiffers', record: 1 },
      message: `The old balance is not the new balance of the statement before: ${iban} (2026/103)`,
    },
  ]);
  expect(await list(customerId)).toMatchObject([broken]);
  const repeated =
    'A statement with this number and other content is listed, which this one corrects';
  expect(await bring([right])).toEqual([
    {
      ...{ severity: 'warning', code: 'numberRepeated', record: 1 },
      message: `${repeated}: ${iban} (2026/102)`,
    },
  ]);
  expect(await list(customerId)).toEqual([]);
  await bring([{ ...wrong, newBalance: undefined, movements: [] }]);
  expect(await list(customerId)).toMatchObject([broken]);
});

test('D-30 breaks between the statements of one day are told apart by their numbers, and a late arrival closes its own', async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await bring([1, 2, 3].map((day) => leaping(iban, day)));
  const breaks = await list(customerId);
  const day = { kind: 'balanceBreak', after: '2026-01-05', before: '2026-01-05' };
  expect(breaks).toMatchObject([day, day]);
  expect(numbersOf(breaks)).toEqual([
    [101, 102],
    [102, 103],
  ]);
  const { amount = 0n } = leaping(iban, 1).oldBalance;
  const late = leaping(iban, 2);
  const between = {
    ...late,
    oldBalance: { amount: amount - 10_000n, date: '2026-01-05' },
    movements: late.movements?.map((each) => ({ ...each, amount: 11_000n })) ?? [],
  };
  // It has the number and day of another one, but leads from balance to balance.
  expect(await bring([between])).toEqual([]);
  expect(numbersOf(await list(customerId))).toEqual([[102, 103]]);
});

test('D-30 where a bank gives no numbers, none are listed', async () => {
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await bring([1, 2].map((day) => leaping(iban, day, 0)));
  const [record, ...others] = await list(customerId);
  expect(others).toEqual([]);
  expect(record).toMatchObject({ kind: 'balanceBreak' });
  expect(record).not.toHaveProperty('afterNumber');
  expect(record).not.toHaveProperty('beforeNumber');
});

test('D-30 a statement with the BIC of another bank is listed, with a warning', async () => {
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const header = { creationDate: '2026-01-01', bic: 'KREDBEBB' };
  const findings = await bring([draft(iban, 1, { header })]);
  expect(findings.map(({ code }) => code)).toEqual(['bicOfAnotherBank']);
  expect(await knex('files').where({ iban })).toHaveLength(1);
});
