import { expect, test } from 'vitest';
import { type StatementDraft, writeCamt053, writeCoda } from '../../../src/index.js';
import { codesOf, readAll } from '../coda-file.js';
import { sample, transfer } from '../sample-statement.js';

/** The end of the previous statement: number 12 of 2026. */
const before = {
  ...{ number: 12, paperNumber: 12, date: '2026-10-29', createdOn: '2026-10-30' },
  ...{ oldBalance: 500_000n, newBalance: 1_000_000n },
};

/** Returns a statement of a year, with the old balance that continues the previous statement. */
const statement = (
  year: number,
  statementNumber: number,
  changes: Partial<StatementDraft> = {},
) => ({
  ...sample,
  header: { ...sample.header, creationDate: `${year}-10-30` },
  newBalance: { date: `${year}-10-30` },
  statementNumber,
  ...changes,
});
const oldBalance = (amount: bigint) => ({ oldBalance: { amount, date: '2026-02-02' } });

/** `end` is the end of the statement before; by default, it is `before`. */
type Case = [title: string, StatementDraft, codes: string[], end?: typeof before];

test.each<Case>([
  ['the next number', statement(2026, 13), []],
  ['a number left out', statement(2026, 14), ['statementNumberGap']],
  ['number 1 of the next year', statement(2027, 1), []],
  ['number 2 of the next year', statement(2027, 2), ['statementNumberGap']],
  ['number 13 of the next year, as the bank never restarts', statement(2027, 13), []],
  ['number 14 of the next year', statement(2027, 14), ['statementNumberGap']],
  [
    'a number left out, which explains another old balance',
    statement(2026, 14, oldBalance(0n)),
    ['statementNumberGap'],
  ],
  ['any number after none (000)', statement(2026, 14), [], { ...before, number: 0 }],
  ['no number (000)', statement(2026, 0), []],
  ['an old balance 0.001 too low', statement(2026, 13, oldBalance(999_999n)), ['oldBalanceGap']],
  ['an old balance 0.001 too high', statement(2026, 13, oldBalance(1_000_001n)), ['oldBalanceGap']],
  ['another balance in the next year', statement(2027, 1, oldBalance(0n)), ['oldBalanceGap']],
  // The balances count, whatever the number.
  ['the same number once more', statement(2026, 12, oldBalance(0n)), ['oldBalanceGap']],
  ['an earlier number', statement(2026, 11, oldBalance(0n)), ['oldBalanceGap']],
  // An earlier statement is not the next one.
  ['a later number of an earlier year', statement(2025, 200, oldBalance(0n)), []],
  ['the same paper number', statement(2026, 13, { paperNumber: 12 }), ['paperNumberRepeated']],
  ['the same paper number in the next year', statement(2027, 1, { paperNumber: 12 }), []],
  [
    'no paper number (000) twice',
    statement(2026, 13, { paperNumber: 0 }),
    [],
    { ...before, paperNumber: 0 },
  ],
])('CODA record 1: %s after number 12 of 2026', async (_, given, codes, end = before) => {
  const results = await readAll(writeCoda([given]), { statementBefore: () => end });
  // Thousandths are reported too.
  expect(codesOf(results).filter((code) => code !== 'thirdDecimal')).toEqual(codes);
});

const codesOfFile = async (...drafts: StatementDraft[]) =>
  codesOf(await readAll(writeCoda(drafts)));
const balance = 1_221_000n;
const first = statement(2026, 13);
const next = statement(2026, 14, oldBalance(balance));
const gap = statement(2026, 15, oldBalance(balance));

test('CODA record 1: a statement twice is found, also if its balance stays as it was', async () => {
  const unchanged = statement(2026, 14, { ...oldBalance(balance), movements: [] });
  expect(await codesOfFile(first, first)).toEqual(['statementRepeated']);
  expect(await codesOfFile(first, unchanged, unchanged)).toEqual(['statementRepeated']);
});

test('D-30 a copy is found after any number of statements, and in another file', async () => {
  const days = Array.from({ length: 25 }, (_, index) =>
    statement(2026, index + 1, {
      ...{ oldBalance: { amount: BigInt(index) * 1000n, date: '2026-02-02' } },
      newBalance: { date: `2026-03-${String(index + 1).padStart(2, '0')}` },
      movements: [{ ...transfer, amount: 1000n }],
    }),
  );
  const [one = expect.fail()] = days;
  expect(await codesOfFile(...days, one)).toEqual(['statementRepeated']);
  const known = new Set<string>();
  const read = async (draft: StatementDraft) =>
    codesOf(await readAll(writeCoda([draft]), { known }));
  expect([await read(one), await read(one)]).toEqual([[], ['statementRepeated']]);
});

test('D-30 other payments of a day without references and numbers are no copies', async () => {
  const part = (text: string): StatementDraft => ({
    ...statement(2026, 0, { oldBalance: { amount: 0n, date: '2026-02-02' } }),
    header: { ...sample.header, creationDate: '2026-10-30', separateApplication: '00002' },
    movements: [{ ...transfer, bankReference: '', communication: { kind: 'free', text } }],
  });
  expect(await codesOfFile(part('TERM 1'), part('TERM 2'))).toEqual([]);
  expect(await codesOfFile(part('TERM 1'), part('TERM 1'))).toEqual(['statementRepeated']);
  const nextMonth = part('TERM 1').movements?.map((each) => ({ ...each, entryDate: '2026-11-30' }));
  expect(
    await codesOfFile(part('TERM 1'), { ...part('TERM 1'), movements: nextMonth ?? [] }),
  ).toEqual([]);
  const empty = statement(2026, 0, { ...oldBalance(balance), movements: [] });
  expect(await codesOfFile(empty, empty)).toEqual([]);
});

test('D-30 statements of a day that continue each other are no copies, whatever their number', async () => {
  const step = (from: bigint, to: bigint) =>
    statement(2026, 7, {
      ...oldBalance(from),
      movements: [{ ...transfer, amount: to - from }],
    });
  const steps = [step(0n, 50_000n), step(50_000n, 0n), step(0n, 70_000n), step(70_000n, 0n)];
  expect(await codesOfFile(...steps)).toEqual([]);
  const ids = (await readAll(writeCoda(steps))).map(({ statement: read }) =>
    /<Stmt>\s*<Id>([^<]+)/.exec(writeCamt053([read ?? expect.fail()])),
  );
  expect(new Set(ids.map((found) => found?.[1])).size).toBe(4);
});

test('CODA record 1: a separate application is not part of the numbering of its account', async () => {
  const part: StatementDraft = {
    ...statement(2026, 0, { oldBalance: { amount: 0n, date: '2026-02-02' } }),
    header: { ...sample.header, creationDate: '2026-10-30', separateApplication: '00001' },
  };
  expect(await codesOfFile(first, part, next)).toEqual([]);
  const inNextYear = { ...part, newBalance: { date: '2027-01-04' } };
  expect(await codesOfFile(first, inNextYear)).toEqual([]);
});

test.each([
  ['number', { number: 'BE54000000000097' }],
  ['currency', { currency: 'USD' }],
  ['extension', { extension: 'A01' }],
])('CODA record 1: accounts that differ in %s are followed separately', async (_, account) => {
  const other = { account: { ...sample.account, ...account } };
  const another = statement(2026, 200, { ...other, ...oldBalance(7_000n) });
  expect(await codesOfFile(first, another, next)).toEqual([]);
  expect(await codesOfFile(first, another, gap)).toEqual(['statementNumberGap']);
});

test('CODA record 1: only the last thousand accounts of a file are followed', async () => {
  const plain = { movements: [], freeCommunications: [], ...oldBalance(balance) };
  const accounts = Array.from({ length: 1000 }, (_, index) => {
    const account = { structure: 1, number: `A${index}`, currency: 'EUR' } as const;
    return statement(2026, 14, { account, ...plain });
  });
  expect(await codesOfFile(first, ...accounts.slice(1), gap)).toEqual(['statementNumberGap']);
  expect(await codesOfFile(first, ...accounts, gap)).toEqual([]);
  // A repeated account counts as the most recent one.
  const again = [first, ...accounts.slice(2), next, ...accounts.slice(0, 2)];
  const later = statement(2026, 16, oldBalance(1_442_000n));
  expect(await codesOfFile(...again, later)).toEqual(['statementNumberGap']);
});

test('CODA record 1: the habit of an account is learned from its earlier statements in the file', async () => {
  const everySecond = Array.from({ length: 7 }, (_, index) => ({
    ...statement(2026, 12 + 2 * index, oldBalance(balance)),
    ...{ movements: [], newBalance: { date: `2026-03-${10 + index}` } },
  }));
  // From the third number on, it is known that the bank leaves numbers out.
  expect(await codesOfFile(...everySecond)).toEqual(['statementNumberGap', 'statementNumberGap']);
});

test.each([
  ['the day of the new balance', 33, '2026-02-02', ['paperNumberIsDayOfYear']],
  ['another day', 34, '2026-02-02', []],
  ['the day and the number of the statement', 13, '2026-01-13', []],
])('CODA record 1: the paper number is %s', async (_, paperNumber, date, codes) => {
  expect(await codesOfFile({ ...first, paperNumber, newBalance: { date } })).toEqual(codes);
});
