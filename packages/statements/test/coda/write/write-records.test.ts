import { expect, test } from 'vitest';
import type { InformationDraft, MovementDraft, StatementDraft } from '../../../src/index.js';
import { linesOf, recordOf } from '../coda-file.js';
import { sample, transfer, transferCode } from '../sample-statement.js';

/** Returns text that fills a field: abc…, so that a shifted position is noticed. */
const full = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
const information = (changes: Partial<InformationDraft> = {}): InformationDraft => ({
  communication: { kind: 'free', text: full(268) },
  ...changes,
});
const everything: MovementDraft = {
  amount: -1_234n,
  bankReference: full(21),
  transactionCode: { type: 0, family: '01', operation: '23', category: '456' },
  valueDate: '2026-02-03',
  entryDate: '2026-02-04',
  paperNumber: 7,
  communication: { kind: 'free', text: full(149) },
  customerReference: full(35),
  counterparty: { account: full(34), currency: 'USD', bic: full(11), name: full(35) },
  rTransaction: 3,
  reason: full(4),
  categoryPurpose: full(4).toUpperCase(),
  purpose: full(4),
  information: [
    information({ bankReference: 'own', transactionCode: transferCode(5) }),
    information({ communication: { kind: 'unknown', type: '777', text: 'x' } }),
  ],
};
const statement: StatementDraft = {
  header: {
    creationDate: '2026-02-05',
    bankCode: '096',
    duplicate: true,
    fileReference: full(10),
    addressee: full(26),
    bic: full(11),
    enterpriseNumber: '0403019261',
    transactionReference: full(16),
    relatedReference: full(16).toUpperCase(),
  },
  account: {
    ...{ structure: 2, number: 'BE71096123456769', currency: 'EUR', extension: 'EXT' },
    ...{ holder: full(26), description: full(35) },
  },
  statementNumber: 14,
  paperNumber: 15,
  oldBalance: { amount: -1_000n, date: '2026-02-02' },
  newBalance: { date: '2026-02-03', paperNumber: 16 },
  movements: [everything, { amount: 5_000n, transactionCode: transferCode(0) }],
  freeCommunications: [{ lines: [full(80), 'more'] }, { lines: ['another'] }],
};
const minimal: StatementDraft = {
  header: { creationDate: '2026-02-05', bic: 'GKCCBEBB' },
  account: { structure: 2, number: 'BE71096123456769', currency: 'EUR' },
  oldBalance: { amount: 0n, date: '2026-02-02' },
};

test('CODA writer: every field of every record is at its positions', () => {
  const account = 'BE71096123456769               EXTEUR';
  const [free, more] = [full(149), full(268)];
  const references = `89 ${full(16)} | 105 ${full(16).toUpperCase()}`;
  expect(linesOf(statement)).toEqual(
    [
      `1 0000005022609605D | 25 ${full(10)} | 35 ${full(26)} | 61 ${full(11)} | 72 00403019261 | 84 00000 | ${references} | 128 2`,
      `1 12015 | 6 ${account} | 43 1000000000001000020226 | 65 ${full(26)} | 91 ${full(35)} | 126 014`,
      `1 2100010000 | 11 ${full(21)} | 32 1000000000001234 | 48 030226 | 54 00123456 | 62 0 | 63 ${free.slice(0, 53)} | 116 040226 | 122 0070 | 126 1 0`,
      `1 2200010000 | 11 ${free.slice(53, 106)} | 64 ${full(35)} | 99 ${full(11)} | 113 3abcdABCDabcd | 126 1 0`,
      `1 2300010000 | 11 ${full(34)} | 45 USD | 48 ${full(35)} | 83 ${free.slice(106)} | 126 0 1`,
      `1 3100010001 | 11 own | 32 50101000 | 40 0 | 41 ${more.slice(0, 73)} | 126 1 0`,
      `1 3200010001 | 11 ${more.slice(73, 178)} | 126 1 0`,
      `1 3300010001 | 11 ${more.slice(178)} | 126 0 1`,
      `1 3100010002 | 11 ${full(21)} | 32 00123456 | 40 1777x | 126 0 0`,
      '1 2100020000 | 32 0000000000005000000000 | 54 00150000 | 62 0 | 116 0000000000 | 126 0 0',
      `1 8016 | 5 ${account} | 42 0000000000002766030226 | 128 1`,
      `1 4 00010000 | 33 ${full(80)} | 128 1`,
      '1 4 00010001 | 33 more | 128 1',
      '1 4 00020000 | 33 another | 128 0',
      '1 9 | 17 000010000000000001234000000000005000 | 128 2',
    ].map((fields) => recordOf(fields)),
  );
});

test('CODA writer: missing fields are zero or blank', () => {
  const plainStart = [
    '1 0000005022600005 | 61 GKCCBEBB | 72 00000000000 | 84 00000 | 128 2',
    '1 12000BE71096123456769 | 40 EUR0000000000000000020226 | 126 000',
  ];
  expect(linesOf(minimal, { ...minimal, newBalance: {} })).toEqual(
    [
      ...plainStart,
      '1 9 | 17 000001000000000000000000000000000000 | 128 1',
      ...plainStart,
      '1 8000BE71096123456769 | 39 EUR0000000000000000000000 | 128 0',
      '1 9 | 17 000002000000000000000000000000000000 | 128 2',
    ].map((fields) => recordOf(fields)),
  );
});

test('CODA writer: accounts with a Belgian and a foreign number', () => {
  const account = { structure: 0, number: '096123456769', currency: 'EUR' } as const;
  const more = { extension: full(15), qualifier: '1', country: 'BE' };
  const [, old] = linesOf({ ...minimal, account: { ...account, ...more } });
  expect(old?.slice(5, 42)).toBe(`096123456769 EUR1BE   ${full(15)}`);
  const foreign = { structure: 1, number: full(34), currency: 'USD' } as const;
  expect(linesOf({ ...minimal, account: foreign })[1]?.slice(5, 42)).toBe(`${full(34)}USD`);
});

const movedBy = (changes: Partial<MovementDraft>): StatementDraft => ({
  ...sample,
  movements: [{ ...transfer, ...changes }],
});

/** Returns the records of a movement, without their first ten and last three positions. */
const writtenRecords = (movement: Partial<MovementDraft>) =>
  linesOf({ ...minimal, newBalance: {}, movements: [{ ...transfer, ...movement }] })
    .slice(2, -2)
    .map((line) => [line.slice(0, 2), line.slice(10, 125).trim(), line.slice(125)]);
const bare = { bankReference: '', customerReference: '', counterparty: {} };

const ofText = (text: string) => ({ communication: { kind: 'free', text } as const });

test.each<readonly [title: string, movement: Partial<MovementDraft>, types: string[]]>([
  ['nothing in them', {}, ['21']],
  ['a customer reference', { customerReference: 'x' }, ['21', '22']],
  ['a name', { counterparty: { name: 'x' } }, ['21', '23']],
  ['a text of 53 positions', ofText(full(53)), ['21']],
  ['a text of 54 positions', ofText(full(54)), ['21', '22']],
  ['a text of 107 positions', ofText(full(107)), ['21', '22', '23']],
  ['a text whose second part is blank', ofText(`x${' '.repeat(110)}y`), ['21', '22', '23']],
  ['blanks behind the text', ofText(`x${' '.repeat(500)}`), ['21']],
])('CODA writer: a movement with %s has these records: %3$j', (_case, movement, types) => {
  const records = writtenRecords({ ...bare, ...movement });
  expect(records.map(([type]) => type)).toEqual(types);
  expect(records.map(([, , codes]) => codes)).toEqual(
    types.map((_, i) => (i < types.length - 1 ? '1 0' : '0 0')),
  );
});

test.each([
  ['73 positions', full(73), ['31']],
  ['74 positions', full(74), ['31', '32']],
  ['179 positions', full(179), ['31', '32', '33']],
  ['a blank second part', `x${' '.repeat(180)}y`, ['31', '32', '33']],
])('CODA writer: information with a text of %s has these records: %3$j', (_case, text, types) => {
  const records = writtenRecords({ ...bare, information: [information(ofText(text))] });
  expect(records.slice(1).map(([type]) => type)).toEqual(types);
});

test('CODA writer: an old Belgian account number of a counterparty is followed by its currency', () => {
  const counterparty = { account: '096123456769', currency: 'EUR' };
  expect(writtenRecords({ ...bare, counterparty }).at(-1)?.[1]).toBe('096123456769 EUR');
});

test('CODA record 1: a separate application has no balances, no number and no date', () => {
  const draft = {
    ...minimal,
    header: { ...minimal.header, separateApplication: '00001' },
    oldBalance: { amount: 0n, date: undefined },
    newBalance: {},
    movements: [{ amount: 5_000n, transactionCode: transferCode(0) }],
  };
  const [header, first, , last] = linesOf(draft);
  expect(header?.slice(83, 88)).toBe('00001');
  expect(first?.slice(42, 64)).toBe('0'.repeat(22));
  expect(last?.slice(41, 63)).toBe('0'.repeat(22));
});

test.each([
  [1, [5, 5], ['1', '0', '1']],
  [1, [], ['1']],
  [2, [6, 7], ['1', '0', '1']],
  [2, [], ['1']],
  [3, [8], ['1', '1']],
  [3, [], ['0']],
  [0, [], ['0']],
] as const)(
  'CODA record 2.1, 125: the levels of type %i with details %j are %j',
  (type, details, levels) => {
    const draft = movedBy({
      transactionCode: transferCode(type),
      details: details.map((below) => ({ amount: 1n, transactionCode: transferCode(below) })),
    });
    const lines = linesOf(draft).filter((line) => line.startsWith('21'));
    expect(lines.map((line) => line[124])).toEqual(levels);
  },
);

test('CODA record 2.1: each total and the last record of its group have the level', () => {
  const detail = (type: number, details: MovementDraft[] = []): MovementDraft => ({
    amount: 1000n,
    transactionCode: transferCode(type),
    details,
  });
  const nested = movedBy({
    transactionCode: transferCode(2),
    details: [detail(7, [detail(9), detail(9)]), detail(7, [detail(9)])],
  });
  const levels = linesOf(nested)
    .filter((line) => line.startsWith('21'))
    .map((line) => line[124]);
  expect(levels).toEqual(['1', '2', '0', '2', '2', '1']);
});
