import { expect, test } from 'vitest';
import {
  CodaWriteError,
  type MovementDraft,
  type StatementDraft,
  writeCoda,
} from '../../../src/index.js';
import { sample, transfer, transferCode } from '../sample-statement.js';

const empty: StatementDraft = {
  header: { creationDate: '2026-02-05', bic: 'GKCCBEBB' },
  account: { structure: 2, number: 'BE71096123456769', currency: 'EUR' },
  oldBalance: { amount: 0n, date: '2026-02-02' },
};
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

/** Statements by the message with which they are refused. */
const refused: Readonly<Record<string, StatementDraft | readonly StatementDraft[]>> = {
  'header.bankCode has 3 digits: 96': headed({ bankCode: '96' }),
  'header.bankCode has 3 digits: 0960': headed({ bankCode: '0960' }),
  'header.bankCode has 3 digits: a96': headed({ bankCode: 'a96' }),
  'header.bankCode has 3 digits: 96a': headed({ bankCode: '96a' }),
  'header.separateApplication has 5 digits: 1': {
    ...empty,
    header: { ...empty.header, separateApplication: '1' },
  },
  'An enterprise number has ten digits: 403019261': headed({ enterpriseNumber: '403019261' }),
  'An enterprise number has ten digits: 04030192610': headed({ enterpriseNumber: '04030192610' }),
  'header.creationDate is not a date from 2000 to 2099: 2100-01-01': headed({
    creationDate: '2100-01-01',
  }),
  'oldBalance.date is not a date from 2000 to 2099: x': balance({
    oldBalance: { amount: 0n, date: 'x' },
  }),
  'newBalance.date is not a date from 2000 to 2099: x': balance({ newBalance: { date: 'x' } }),
  'valueDate is not a date from 2000 to 2099: x': moved({ valueDate: 'x' }),
  'entryDate is not a date from 2000 to 2099: x': moved({ entryDate: 'x' }),
  'The old balance has a date': balance({ oldBalance: { amount: 0n, date: undefined } }),
  'statementNumber does not fit into 3 digits: 1000': balance({
    statementNumber: 1000,
    paperNumber: 1,
  }),
  'paperNumber does not fit into 3 digits: 1000': balance({ paperNumber: 1000 }),
  'newBalance.paperNumber does not fit into 3 digits: 1000': balance({
    newBalance: { paperNumber: 1000 },
  }),
  'paperNumber does not fit into 3 digits: -1': moved({ paperNumber: -1 }),
  'paperNumber does not fit into 3 digits: 1.5': moved({ paperNumber: 1.5 }),
  'rTransaction does not fit into 1 digits: 10': moved({ rTransaction: 10 }),
  [`amount does not fit into 15 digits: ${10n ** 15n}`]: moved({ amount: 10n ** 15n }),
  [`oldBalance does not fit into 15 digits: ${10n ** 15n}`]: balance({
    oldBalance: { amount: 10n ** 15n, date: '2026-02-02' },
  }),
  'Unknown currency eur': of({ currency: 'eur' }),
  'Unknown currency EURO': of({ currency: 'EURO' }),
  'An account of structure 1 has no extension': of({ structure: 1, number: '1', extension: 'x' }),
  'An account of structure 3 has no extension': of({
    structure: 3,
    number: 'NL91ABNA0417164300',
    extension: 'x',
  }),
  'The account number is empty or has spaces: ': of({ number: '' }),
  'The account number is empty or has spaces: BE71 0961': of({ number: 'BE71 0961' }),
  'The check digits of the account are wrong: 096123456768': of({ ...old, number: '096123456768' }),
  'The check digits of the account are wrong: NL92ABNA0417164300': of({
    structure: 3,
    number: 'NL92ABNA0417164300',
  }),
  'The check digits of the account are wrong: BE71096123456768': of({ number: 'BE71096123456768' }),
  'The check digits of the account are wrong: NL91ABNA0417164300': of({
    number: 'NL91ABNA0417164300',
  }),
  'The account has spaces: BE71 0961': party({ account: 'BE71 0961' }),
  'A transaction code has 8 digits: 0001': moved({
    transactionCode: { ...transferCode(0), family: '', operation: '', category: '001' },
  }),
  'A communication type has 3 digits: 77': moved({
    communication: { kind: 'unknown', type: '77', text: '' },
  }),
  'A movement has type 0 to 3; 4 is for details': moved({ transactionCode: transferCode(4) }),
  'A movement has type 0 to 3; -1 is for details': moved({ transactionCode: transferCode(-1) }),
  'A detail of type 6 is not allowed below type 1': detailOf(1, 6),
  'A detail of type 5 is not allowed below type 2': detailOf(2, 5),
  'A detail of type 9 is not allowed below type 3': detailOf(3, 9),
  'A detail of type 5 is not allowed below type 0': detailOf(0, 5),
  'reason has a control character': moved({ reason: '\u001f' }),
  'purpose has a control character': moved({ purpose: 'a\nb' }),
  'A separate application has neither balances nor a number': [
    headed({ separateApplication: '00001' }),
    balance({
      header: { ...sample.header, separateApplication: '00001' },
      oldBalance: { amount: 0n, date: undefined },
    }),
  ],
  'Only an empty statement may leave out its new balance': [
    balance({ newBalance: undefined, movements: [] }),
    balance({ newBalance: undefined, freeCommunications: [] }),
  ],
  'A movement has at most 9999 details and pieces of information': moved({
    transactionCode: transferCode(1),
    details: Array.from({ length: 10_000 }, () => ({
      ...transfer,
      transactionCode: transferCode(5),
    })),
  }),
};

test.each(Object.entries(refused))('CODA writer: it refuses with "%s"', (message, drafts) => {
  for (const draft of [drafts].flat()) {
    expect(() => writeCoda([draft])).toThrow(new CodaWriteError(message));
  }
});

test('CODA writer: a file without statements, and a character that the encoding lacks, are refused', () => {
  expect(() => writeCoda([])).toThrow(CodaWriteError);
  const euro = () => writeCoda([moved({ purpose: '€' })], { encoding: 'cp850' });
  expect(euro).toThrow(CodaWriteError);
  expect(euro).toThrow('no character €');
});
