import { expect, test } from 'vitest';
import {
  type CodaFindingCode,
  codaFindings,
  type MovementDraft,
  type ReadCodaOptions,
  type StatementDraft,
} from '../../../src/index.js';
import { changed, codesOf, fileOf, linesOf, readAll } from '../coda-file.js';
import { sample, transfer, transferCode } from '../sample-statement.js';

const lines = linesOf(sample);
const change = (start: string, position: number, characters: string) =>
  changed(lines, start, position, characters);
const without = (start: string) => lines.filter((line) => !line.startsWith(start));

/** Returns the lines of a plain statement with one movement. */
function only(movement: Partial<MovementDraft>): string[] {
  return linesOf({ ...sample, freeCommunications: [], movements: [{ ...transfer, ...movement }] });
}

/** Returns the lines of a statement with another account. */
function account(changes: Partial<StatementDraft['account']>): string[] {
  return linesOf({ ...sample, account: { ...sample.account, ...changes } });
}

const next: StatementDraft = {
  ...sample,
  statementNumber: 15,
  oldBalance: { amount: 1_221_000n, date: '2026-02-03' },
};
const empty: StatementDraft = {
  ...sample,
  newBalance: undefined,
  movements: [],
  freeCommunications: [],
};
const long = 'x'.repeat(10);
const free = { communication: { kind: 'free', text: long } } as const;
const card: MovementDraft['communication'] = {
  kind: 'structured',
  type: '124',
  cardNumber: '5400000000001234',
  issuer: '1',
  invoice: '',
  identification: '',
  date: '2026-02-01',
};
const bare: Partial<MovementDraft> = { counterparty: {}, customerReference: '' };
const total: Partial<MovementDraft> = { transactionCode: transferCode(1) };
const detail = (amount: bigint): MovementDraft => ({
  ...transfer,
  amount,
  transactionCode: transferCode(5),
});

interface Case {
  readonly lines: readonly string[];
  /** The record and position of the finding. */
  readonly at: string;
  /** The detail in the message, after the text of the catalogue. */
  readonly says?: string;
  readonly options?: ReadCodaOptions;
}

/** Errors, which refuse the statement. */
const errors = {
  emptyFile: { lines: [], at: '1' },
  headerMissing: { lines: lines.slice(1), at: '1:1' },
  statementTooLarge: { lines, at: '1', options: { maxStatementBytes: 1000 } },
  lineLength: { lines: change('8', 128, '1 '), at: '19:129', says: '129 instead of 128' },
  recordType: { lines: change('23', 1, '24'), at: '5:1', says: '24' },
  recordOrder: { lines: without('1'), at: '2:1', says: '21 instead of 1' },
  trailerMissing: { lines: without('9'), at: '21' },
  newBalanceMissing: { lines: without('8').filter((l) => !l.startsWith('4')), at: '19:1' },
  headerConstant: { lines: change('0', 15, '06'), at: '1:15', says: '06 instead of 05' },
  version1: { lines: change('0', 128, '1'), at: '1:128', says: '1 instead of 2' },
  version: { lines: change('0', 128, '3'), at: '1:128', says: '3 instead of 2' },
  digits: { lines: change('21', 47, 'O'), at: '3:33', says: '00000000012550O' },
  date: { lines: change('21', 48, '290226'), at: '3:48', says: '290226' },
  accountStructure: { lines: change('1', 2, '4'), at: '2:2', says: '4' },
  sign: { lines: change('21', 32, '2'), at: '3:32', says: '2' },
  communicationFlag: { lines: change('31', 40, '2'), at: '6:40', says: '2' },
  sequenceNumber: {
    lines: changed(only(bare), '21', 3, '0002'),
    at: '3:3',
    says: '0002 instead of 0001',
  },
  detailNumber: {
    lines: changed(only({ information: [free] }), '31', 7, '0002'),
    at: '6:7',
    says: '0002 instead of 0001',
  },
  continuationKey: {
    lines: change('23', 7, '0001'),
    at: '5:3',
    says: '00010001 instead of 00010000',
  },
  nextCode: { lines: change('22', 126, '0'), at: '4:126', says: '0 instead of 1' },
  linkCode: { lines: change('23', 128, '0'), at: '5:128', says: '0 instead of 1' },
  accountMismatch: {
    lines: change('8', 5, 'BE54000000000097'),
    at: '19:5',
    says: 'BE54000000000097 instead of BE71096123456769',
  },
  currencyMismatch: { lines: change('8', 39, 'USD'), at: '19:39', says: 'USD instead of EUR' },
  balance: {
    lines: change('8', 43, '000000001221010'),
    at: '19:43',
    says: '1221.010 instead of 1221.000',
  },
  trailerCount: { lines: change('9', 17, '000001'), at: '22:17', says: '1 instead of 18' },
  trailerDebitTotal: {
    lines: change('9', 23, '000000000030010'),
    at: '22:23',
    says: '30.010 instead of 30.000',
  },
  trailerCreditTotal: {
    lines: change('9', 38, '000000000250000'),
    at: '22:38',
    says: '250.000 instead of 251.000',
  },
  ibanCheckDigits: {
    lines: changed(change('1', 6, 'BE02000000000000'), '8', 5, 'BE02000000000000'),
    at: '2:6',
    says: 'BE02000000000000',
  },
  bbanCheckDigits: {
    lines: account({ structure: 0, number: '096123456769' }).map((line) =>
      line.replace('096123456769', '096123456768'),
    ),
    at: '2:6',
    says: '096123456768',
  },
  multipleFileCode: { lines: change('9', 128, '3'), at: '22:128', says: '3' },
} satisfies Partial<Record<CodaFindingCode, Case>>;

/** Warnings, with which the statement is read. */
const warnings = {
  unknownTransactionCode: {
    lines: changed(only({}), '21', 55, '99'),
    at: '3:54',
    says: '09950000',
  },
  unknownCategory: { lines: change('210003', 59, '300'), at: '16:59', says: '300' },
  unknownCommunicationType: { lines: change('21', 63, '199'), at: '3:63', says: '199' },
  communicationCheckDigits: {
    lines: change('21', 66, '090933755494'),
    at: '3:66',
    says: '090933755494',
  },
  communicationField: {
    lines: changed(only({ communication: { ...card, cardNumber: '' } }), '21', 114, '3'),
    at: '3:66',
    says: 'date, 310226',
  },
  detailSum: {
    lines: only({ ...total, details: [detail(100_000n)] }),
    at: '3:33',
    says: '100.000 instead of 125.500',
  },
  informationReference: {
    lines: change('31', 11, 'REF-9'),
    at: '6:11',
    says: 'REF-9 instead of REF-1',
  },
  informationTransactionCode: {
    lines: change('31', 32, '10150000'),
    at: '6:32',
    says: '10150000 instead of 00150000',
  },
  statementNumberGap: {
    lines: linesOf(sample, { ...next, statementNumber: 16 }),
    at: '24:126',
    says: '16 instead of 15',
  },
  oldBalanceGap: {
    lines: linesOf(sample, { ...next, oldBalance: sample.oldBalance }),
    at: '24:43',
    says: '1000.000 instead of 1221.000',
  },
  duplicate: { lines: change('0', 17, 'D'), at: '1:17' },
  thirdDecimal: { lines: only({ amount: 1n }), at: '3:47' },
  bicOfAnotherBank: {
    lines,
    at: '1:61',
    says: 'GKCCBEBB instead of KREDBEBB',
    options: { bicOfBankCode: () => 'KREDBEBB' },
  },
  counterpartyIban: { lines: change('23', 11, 'BE55'), at: '5:11', says: 'BE55000000000097' },
  rTransaction: { lines: change('22', 113, '7'), at: '4:113', says: '7' },
  reservedPositions: { lines: change('8', 100, 'x'), at: '19:100' },
  freeCommunicationNumber: {
    lines: change('4 00010001', 7, '0005'),
    at: '21:3',
    says: '00010005 instead of 00010001',
  },
  blankLine: { lines: [...lines, '', ''], at: '23' },
  byteOrderMark: { lines: lines.with(0, `\uFEFF${lines[0]}`), at: '1' },

  replacementCharacter: { lines: change('1', 66, '\uFFFD'), at: '2:66' },
  headerFieldBlank: { lines: change('0', 72, ' '), at: '1:72', says: ' 0403019261' },

  lastThoughFollowed: {
    lines: [...lines, ...linesOf(next)],
    at: '22:128',
    says: '2 instead of 1',
  },
  trailerNotLast: { lines: change('9', 128, '1'), at: '22:128', says: '1 instead of 2' },
  trailerCut: { lines: lines.with(-1, (lines.at(-1) ?? '').slice(0, 57)), at: '22:57' },
  accountStructureBlank: { lines: change('1', 2, ' '), at: '2:2' },
  transactionCodeZero: { lines: only({ transactionCode: zeroCode() }), at: '3:54' },
  paperNumberIsDayOfYear: { lines: change('1', 3, '034'), at: '2:3', says: '34' },
  entryDateZero: { lines: change('21', 116, '000000'), at: '3:116' },
  newBalanceDateZero: { lines: change('8', 58, '000000'), at: '19:58' },
  newBalanceAbsent: { lines: linesOf(empty), at: '3:1' },
  totalWithoutDetails: { lines: only(total), at: '3:54' },
  detailWithoutLevel: { lines: change('210002', 125, '0'), at: '8:125' },
  informationReferenceOfDetail: {
    lines: changed(
      only({
        ...total,
        information: [free],
        details: [{ ...detail(transfer.amount), bankReference: 'REF-3' }],
      }),
      '31',
      11,
      'REF-3',
    ),
    at: '6:11',
    says: 'REF-3 instead of REF-1',
  },
  wrappedInformation: { lines: only({ information: [free, free, free, free, free] }), at: '10:41' },
  paperNumberRepeated: {
    lines: linesOf(sample, { ...next, paperNumber: 14 }),
    at: '24:3',
    says: '14',
  },
  spacesInAccount: {
    lines: only({}).map((l) => l.replaceAll('BE71096123456769    ', 'BE71 0961 2345 6769 ')),
    at: '2:6',
  },
  maskedCard: { lines: only({ communication: card }), at: '3:66' },
} satisfies Partial<Record<CodaFindingCode, Case>>;

const cases: Readonly<Record<CodaFindingCode, Case>> = { ...errors, ...warnings };

function zeroCode(): MovementDraft['transactionCode'] {
  return { type: 0, family: '00', operation: '00', category: '000' };
}

test('CODA records 0 to 9: a correct file has no findings', async () => {
  expect(codesOf(await readAll(fileOf(lines)))).toEqual([]);
});

test.each(Object.entries(cases) as [CodaFindingCode, Case][])(
  'CODA %s: a file with this fault alone has this finding',
  async (code, { lines: given, at, says, options }) => {
    const bytes = given.length === 0 ? new Uint8Array() : fileOf(given);
    const results = await readAll(bytes, options);
    // A warning may be reported at several positions; an error is reported at one.
    expect([...new Set(codesOf(results))]).toEqual([code]);
    const [finding] = results.flatMap(({ findings }) => findings);
    const position = finding?.position === undefined ? '' : `:${finding.position}`;
    expect(`${finding?.record}${position}`).toBe(at);
    const { text } = codaFindings[code];
    expect(text).toMatch(/^[A-Z].{15,}$/);
    expect(finding?.message).toBe(says === undefined ? text : `${text}: ${says}`);
    const isError = code in errors;
    expect(finding?.severity).toBe(isError ? 'error' : 'warning');
    if (isError) expect(codesOf(results)).toHaveLength(1);
    const refused = results.filter(({ statement }) => statement === undefined);
    expect(refused).toHaveLength(isError ? 1 : 0);
  },
);

test.each([
  ['a new balance 0.001 too low', '8', 43, '000000001220999', 'balance'],
  ['a new balance 0.001 too high', '8', 43, '000000001221001', 'balance'],
  ['a debit total 0.001 too low', '9', 23, '000000000029999', 'trailerDebitTotal'],
  ['a debit total 0.001 too high', '9', 23, '000000000030001', 'trailerDebitTotal'],
  ['a credit total 0.001 too low', '9', 38, '000000000250999', 'trailerCreditTotal'],
  ['a credit total 0.001 too high', '9', 38, '000000000251001', 'trailerCreditTotal'],
] as const)('CODA records 8 and 9: %s is refused', async (_, record, position, digits, code) => {
  const results = await readAll(fileOf(change(record, position, digits)));
  expect(codesOf(results)).toContain(code);
  expect(results.map(({ statement }) => statement)).toEqual([undefined]);
});

test('CODA records 1 and 8: a different extension is a different account, and a missing one is not', async () => {
  const given = account({ extension: 'A01' });
  expect(codesOf(await readAll(fileOf(changed(given, '8', 36, 'A02'))))).toEqual([
    'accountMismatch',
  ]);
  expect(codesOf(await readAll(fileOf(changed(given, '8', 36, '   '))))).toEqual([]);
});
