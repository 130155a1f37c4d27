import { expect, test } from 'vitest';
import {
  CodaWriteError,
  type InformationDraft,
  type MovementDraft,
  type StatementDraft,
  writeCoda,
} from '../../src/index.js';
import { type Field, linesOf, recordOf } from './coda-file.js';
import { sample, transfer, transferCode } from './sample-statement.js';

/** As many different letters as a field has positions. */
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

test('CODA writer: every field of every record stands at its positions', () => {
  const account = 'BE71096123456769               EXTEUR';
  expect(linesOf(statement)).toEqual([
    recordOf(
      ...([
        [1, '0000005022609605D'],
        [25, full(10)],
        [35, full(26)],
        [61, full(11)],
      ] as Field[]),
      ...([
        [72, '00403019261'],
        [84, '00000'],
        [89, full(16)],
        [128, '2'],
      ] as Field[]),
      [105, full(16).toUpperCase()],
    ),
    recordOf(
      ...([
        [1, '12015'],
        [6, account],
        [43, '1000000000001000020226'],
        [65, full(26)],
      ] as Field[]),
      ...([
        [91, full(35)],
        [126, '014'],
      ] as Field[]),
    ),
    recordOf(
      ...([
        [1, '2100010000'],
        [11, full(21)],
        [32, '1000000000001234'],
        [48, '030226'],
      ] as Field[]),
      ...([
        [54, '00123456'],
        [62, '0'],
        [63, full(149).slice(0, 53)],
        [116, '040226'],
      ] as Field[]),
      ...([
        [122, '0070'],
        [126, '1 0'],
      ] as Field[]),
    ),
    recordOf(
      ...([
        [1, '2200010000'],
        [11, full(149).slice(53, 106)],
        [64, full(35)],
      ] as Field[]),
      ...([
        [99, full(11)],
        [113, '3abcdABCDabcd'],
        [126, '1 0'],
      ] as Field[]),
    ),
    recordOf(
      ...([
        [1, '2300010000'],
        [11, full(34)],
        [45, 'USD'],
        [48, full(35)],
      ] as Field[]),
      ...([
        [83, full(149).slice(106)],
        [126, '0 1'],
      ] as Field[]),
    ),
    recordOf(
      ...([
        [1, '3100010001'],
        [11, 'own'],
        [32, '501010000'.slice(0, 8)],
        [40, '0'],
      ] as Field[]),
      ...([
        [41, full(268).slice(0, 73)],
        [126, '1 0'],
      ] as Field[]),
    ),
    recordOf([1, '3200010001'], [11, full(268).slice(73, 178)], [126, '1 0']),
    recordOf([1, '3300010001'], [11, full(268).slice(178)], [126, '0 1']),
    recordOf(
      ...([
        [1, '3100010002'],
        [11, full(21)],
        [32, '00123456'],
        [40, '1777x'],
      ] as Field[]),
      [126, '0 0'],
    ),
    recordOf(
      ...([
        [1, '2100020000'],
        [32, '0000000000005000000000'],
        [54, '00150000'],
      ] as Field[]),
      ...([
        [62, '0'],
        [116, '0000000000'],
        [126, '0 0'],
      ] as Field[]),
    ),
    recordOf([1, '8016'], [5, account], [42, '0000000000002766030226'], [128, '1']),
    recordOf([1, '4 00010000'], [33, full(80)], [128, '1']),
    recordOf([1, '4 00010001'], [33, 'more'], [128, '1']),
    recordOf([1, '4 00020000'], [33, 'another'], [128, '0']),
    recordOf([1, '9'], [17, '000010000000000001234000000000005000'], [128, '2']),
  ]);
});

test('CODA writer: what is not said is zero or blank', () => {
  expect(linesOf(minimal, { ...minimal, newBalance: {} })).toEqual([
    recordOf(
      [1, '0000005022600005'],
      [61, 'GKCCBEBB'],
      [72, '00000000000'],
      [84, '00000'],
      [128, '2'],
    ),
    recordOf([1, '12000BE71096123456769'], [40, 'EUR0000000000000000020226'], [126, '000']),
    recordOf([1, '9'], [17, '000001000000000000000000000000000000'], [128, '1']),
    recordOf(
      [1, '0000005022600005'],
      [61, 'GKCCBEBB'],
      [72, '00000000000'],
      [84, '00000'],
      [128, '2'],
    ),
    recordOf([1, '12000BE71096123456769'], [40, 'EUR0000000000000000020226'], [126, '000']),
    recordOf([1, '8000BE71096123456769'], [39, 'EUR0000000000000000000000'], [128, '0']),
    recordOf([1, '9'], [17, '000002000000000000000000000000000000'], [128, '2']),
  ]);
});

test('CODA writer: an account by its Belgian number, and one by a foreign number', () => {
  const account = { structure: 0, number: '096123456769', currency: 'EUR' } as const;
  const more = { extension: full(15), qualifier: '1', country: 'BE' };
  const [, old] = linesOf({ ...minimal, account: { ...account, ...more } });
  expect(old?.slice(5, 42)).toBe(`096123456769 EUR1BE   ${full(15)}`);
  const foreign = { structure: 1, number: full(34), currency: 'USD' } as const;
  expect(linesOf({ ...minimal, account: foreign })[1]?.slice(5, 42)).toBe(`${full(34)}USD`);
});

/** The records of a movement, without their first ten positions and their last three. */
const writtenRecords = (movement: Partial<MovementDraft>) =>
  linesOf({ ...minimal, newBalance: {}, movements: [{ ...transfer, ...movement }] })
    .slice(2, -2)
    .map((line) => [line.slice(0, 2), line.slice(10, 125).trim(), line.slice(125)]);
const bare = { bankReference: '', customerReference: '', counterparty: {} };

test.each([
  ['nothing in them', {}, ['21']],
  ['a customer reference', { customerReference: 'x' }, ['21', '22']],
  ['a name', { counterparty: { name: 'x' } }, ['21', '23']],
  ['a text of 53 positions', { communication: { kind: 'free', text: full(53) } }, ['21']],
  ['a text of 54 positions', { communication: { kind: 'free', text: full(54) } }, ['21', '22']],
  [
    'a text of 107 positions',
    { communication: { kind: 'free', text: full(107) } },
    ['21', '22', '23'],
  ],
  [
    'a text that is blank in its second part',
    { communication: { kind: 'free', text: `x${' '.repeat(110)}y` } },
    ['21', '22', '23'],
  ],
  [
    'blanks behind the text',
    { communication: { kind: 'free', text: `x${' '.repeat(500)}` } },
    ['21'],
  ],
] as const)('CODA writer: a movement with %s has these records: %3$j', (_case, movement, types) => {
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
  const records = writtenRecords({
    ...bare,
    information: [information({ communication: { kind: 'free', text } })],
  });
  expect(records.slice(1).map(([type]) => type)).toEqual(types);
});

test('CODA writer: an old Belgian account number of a counterparty stands before its currency', () => {
  const counterparty = { account: '096123456769', currency: 'EUR' };
  expect(writtenRecords({ ...bare, counterparty }).at(-1)?.[1]).toBe('096123456769 EUR');
});

const moved = (changes: Partial<MovementDraft>): StatementDraft => ({
  ...sample,
  movements: [{ ...transfer, ...changes }],
});
const headed = (header: Partial<StatementDraft['header']>): StatementDraft => ({
  ...sample,
  header: { ...sample.header, ...header },
});
const of = (account: Partial<StatementDraft['account']>): StatementDraft => ({
  ...sample,
  account: { ...sample.account, ...account },
});
const old = { structure: 0, number: '096123456769' } as const;
const party = (counterparty: MovementDraft['counterparty'] & object) => moved({ counterparty });
const long = (length: number) => 'x'.repeat(length + 1);

/** Texts that are one character too long: the field, its length, and the statement. */
const tooLong: readonly (readonly [string, number, StatementDraft])[] = [
  ['header.fileReference', 10, headed({ fileReference: long(10) })],
  ['header.addressee', 26, headed({ addressee: long(26) })],
  ['header.bic', 11, headed({ bic: long(11) })],
  ['header.transactionReference', 16, headed({ transactionReference: long(16) })],
  ['header.relatedReference', 16, headed({ relatedReference: long(16) })],
  ['account.holder', 26, of({ holder: long(26) })],
  ['account.description', 35, of({ description: long(35) })],
  ['account number', 34, of({ structure: 1, number: long(34) })],
  ['account extension', 3, of({ extension: long(3) })],
  ['account extension', 15, of({ ...old, extension: long(15) })],
  ['account qualifier', 1, of({ ...old, qualifier: long(1) })],
  ['account country', 2, of({ ...old, country: long(2) })],
  ['bankReference', 21, moved({ bankReference: long(21) })],
  ['customerReference', 35, moved({ customerReference: long(35) })],
  ['reason', 4, moved({ reason: long(4) })],
  ['categoryPurpose', 4, moved({ categoryPurpose: long(4) })],
  ['purpose', 4, moved({ purpose: long(4) })],
  ['counterparty bic', 11, party({ bic: long(11) })],
  ['counterparty name', 35, party({ name: long(35) })],
  ['counterparty account', 34, party({ account: long(34) })],
  ['counterparty currency', 3, party({ currency: long(3) })],
  ['counterparty currency', 3, party({ account: '096123456769', currency: long(3) })],
  ['The communication', 149, moved({ communication: { kind: 'free', text: long(149) } })],
  [
    'The information',
    268,
    moved({ information: [{ communication: { kind: 'free', text: long(268) } }] }),
  ],
  ['free communication', 80, { ...sample, freeCommunications: [{ lines: [long(80)] }] }],
];

test.each(tooLong)('CODA writer: %s has at most %i characters', (name, length, draft) => {
  const message = `${name} has more than ${length} characters: `;
  expect(() => writeCoda([draft])).toThrow(CodaWriteError);
  expect(() => writeCoda([draft])).toThrow(message);
});

const balance = (changes: Partial<StatementDraft>): StatementDraft => ({ ...sample, ...changes });
const detailOf = (type: number, below: number) =>
  moved({
    transactionCode: transferCode(type),
    details: [{ ...transfer, transactionCode: transferCode(below) }],
  });

const refused: readonly (readonly [string, StatementDraft])[] = [
  ['header.bankCode has 3 digits: 96', headed({ bankCode: '96' })],
  ['header.bankCode has 3 digits: 0960', headed({ bankCode: '0960' })],
  ['header.bankCode has 3 digits: a96', headed({ bankCode: 'a96' })],
  ['header.bankCode has 3 digits: 96a', headed({ bankCode: '96a' })],
  [
    'header.separateApplication has 5 digits: 1',
    { ...minimal, header: { ...minimal.header, separateApplication: '1' } },
  ],
  ['An enterprise number has ten digits: 403019261', headed({ enterpriseNumber: '403019261' })],
  ['An enterprise number has ten digits: 04030192610', headed({ enterpriseNumber: '04030192610' })],
  [
    'header.creationDate is no date of 2000-2099: 2100-01-01',
    headed({ creationDate: '2100-01-01' }),
  ],
  [
    'oldBalance.date is no date of 2000-2099: x',
    balance({ oldBalance: { amount: 0n, date: 'x' } }),
  ],
  ['newBalance.date is no date of 2000-2099: x', balance({ newBalance: { date: 'x' } })],
  ['valueDate is no date of 2000-2099: x', moved({ valueDate: 'x' })],
  ['entryDate is no date of 2000-2099: x', moved({ entryDate: 'x' })],
  ['The old balance has a date', balance({ oldBalance: { amount: 0n, date: undefined } })],
  [
    'statementNumber does not fit into 3 digits: 1000',
    balance({ statementNumber: 1000, paperNumber: 1 }),
  ],
  ['paperNumber does not fit into 3 digits: 1000', balance({ paperNumber: 1000 })],
  [
    'newBalance.paperNumber does not fit into 3 digits: 1000',
    balance({ newBalance: { paperNumber: 1000 } }),
  ],
  ['paperNumber does not fit into 3 digits: -1', moved({ paperNumber: -1 })],
  ['paperNumber does not fit into 3 digits: 1.5', moved({ paperNumber: 1.5 })],
  ['rTransaction does not fit into 1 digits: 10', moved({ rTransaction: 10 })],
  [`amount does not fit into 15 digits: ${10n ** 15n}`, moved({ amount: 10n ** 15n })],
  [
    `oldBalance does not fit into 15 digits: ${10n ** 15n}`,
    balance({ oldBalance: { amount: 10n ** 15n, date: '2026-02-02' } }),
  ],
  ['There is no currency eur', of({ currency: 'eur' })],
  ['There is no currency EURO', of({ currency: 'EURO' })],
  ['An account of structure 1 has no extension', of({ structure: 1, number: '1', extension: 'x' })],
  [
    'An account of structure 3 has no extension',
    of({ structure: 3, number: 'NL91ABNA0417164300', extension: 'x' }),
  ],
  ['The account number is empty or has spaces: ', of({ number: '' })],
  ['The account number is empty or has spaces: BE71 0961', of({ number: 'BE71 0961' })],
  [
    'The check digits of the account are wrong: 096123456768',
    of({ ...old, number: '096123456768' }),
  ],
  [
    'The check digits of the account are wrong: NL92ABNA0417164300',
    of({ structure: 3, number: 'NL92ABNA0417164300' }),
  ],
  ['The account has spaces: BE71 0961', party({ account: 'BE71 0961' })],
  [
    'A transaction code has 8 digits: 0001',
    moved({ transactionCode: { ...transferCode(0), family: '', operation: '', category: '001' } }),
  ],
  [
    'A type of communication has 3 digits: 77',
    moved({ communication: { kind: 'unknown', type: '77', text: '' } }),
  ],
  ['A movement has type 0 to 3, and 4 is for details', moved({ transactionCode: transferCode(4) })],
  [
    'A movement has type 0 to 3, and -1 is for details',
    moved({ transactionCode: transferCode(-1) }),
  ],
  ['A detail of type 6 cannot stand below type 1', detailOf(1, 6)],
  ['A detail of type 5 cannot stand below type 2', detailOf(2, 5)],
  ['A detail of type 9 cannot stand below type 3', detailOf(3, 9)],
  ['A detail of type 5 cannot stand below type 0', detailOf(0, 5)],
  ['reason has a control character', moved({ reason: '\u001f' })],
  [
    'A separate application has neither balances nor a number',
    balance({
      header: { ...sample.header, separateApplication: '00001' },
      oldBalance: { amount: 0n, date: undefined },
    }),
  ],
  [
    'Only an empty statement may leave out the new balance',
    balance({ newBalance: undefined, movements: [] }),
  ],
  [
    'A movement has at most 9999 details and pieces of information',
    moved({
      transactionCode: transferCode(1),
      details: Array.from({ length: 10_000 }, () => ({
        ...transfer,
        transactionCode: transferCode(5),
      })),
    }),
  ],
];

test.each(refused)('CODA writer: it says "%s"', (message, draft) => {
  expect(() => writeCoda([draft])).toThrow(new CodaWriteError(message));
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
    const draft = moved({
      transactionCode: transferCode(type),
      details: details.map((below) => ({ amount: 1n, transactionCode: transferCode(below) })),
    });
    const lines = linesOf(draft).filter((line) => line.startsWith('21'));
    expect(lines.map((line) => line[124])).toEqual(levels);
  },
);
