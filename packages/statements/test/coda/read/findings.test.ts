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

/** The lines of a file, the record, position and detail of its finding, and the options. */
type Case = readonly [lines: readonly string[], said: string, options?: ReadCodaOptions];

/** Errors, which refuse the statement. */
const errors = {
  emptyFile: [[], '1'],
  headerMissing: [lines.slice(1), '1:1'],
  statementTooLarge: [lines, '1', { maxStatementBytes: 1000 }],
  encodingUnsupported: [lines.map((line) => `${Array.from(line).join('\0')}\0`), '1 UTF-16'],
  lineLength: [change('8', 128, '1x'), '19:129 129 instead of 128'],
  recordType: [change('23', 1, '24'), '5:1 24'],
  recordOrder: [without('1'), '2:1 21 instead of 1'],
  trailerMissing: [without('9'), '21'],
  newBalanceMissing: [without('8').filter((l) => !l.startsWith('4')), '19:1'],
  headerConstant: [change('0', 15, '06'), '1:15 06 instead of 05'],
  version1: [change('0', 128, '1'), '1:128 1 instead of 2'],
  version: [change('0', 128, '3'), '1:128 3 instead of 2'],
  digits: [change('21', 47, 'O'), '3:33 00000000012550O'],
  date: [change('21', 48, '290226'), '3:48 290226'],
  accountStructure: [change('1', 2, '4'), '2:2 4'],
  sign: [change('21', 32, '2'), '3:32 2'],
  communicationFlag: [change('31', 40, '2'), '6:40 2'],
  sequenceNumber: [changed(only(bare), '21', 3, '0002'), '3:3 0002 instead of 0001'],
  detailNumber: [
    changed(only({ information: [free] }), '31', 7, '0002'),
    '6:7 0002 instead of 0001',
  ],
  continuationKey: [change('23', 7, '0001'), '5:3 00010001 instead of 00010000'],
  nextCode: [change('22', 126, '0'), '4:126 0 instead of 1'],
  linkCode: [change('23', 128, '0'), '5:128 0 instead of 1'],
  accountMismatch: [
    change('8', 5, 'BE54000000000097'),
    '19:5 BE54000000000097 instead of BE71096123456769',
  ],
  currencyMismatch: [change('8', 39, 'USD'), '19:39 USD instead of EUR'],
  balance: [change('8', 43, '000000001221010'), '19:43 1221.010 instead of 1221.000'],
  trailerCount: [change('9', 17, '000001'), '22:17 1 instead of 18'],
  trailerDebitTotal: [change('9', 23, '000000000030010'), '22:23 30.010 instead of 30.000'],
  trailerCreditTotal: [change('9', 38, '000000000250000'), '22:38 250.000 instead of 251.000'],
  ibanCheckDigits: [
    changed(change('1', 6, 'BE02000000000000'), '8', 5, 'BE02000000000000'),
    '2:6 BE02000000000000',
  ],
  bbanCheckDigits: [
    account({ structure: 0, number: '096123456769' }).map((line) =>
      line.replace('096123456769', '096123456768'),
    ),
    '2:6 096123456768',
  ],
  multipleFileCode: [change('9', 128, '3'), '22:128 3'],
} satisfies Partial<Record<CodaFindingCode, Case>>;

/** Warnings, with which the statement is read. */
const warnings = {
  unknownTransactionCode: [changed(only({}), '21', 55, '99'), '3:54 09950000'],
  unknownCategory: [change('210003', 59, '300'), '16:59 300'],
  unknownCommunicationType: [change('21', 63, '199'), '3:63 199'],
  communicationCheckDigits: [change('21', 66, '090933755494'), '3:66 090933755494'],
  communicationField: [
    changed(only({ communication: { ...card, cardNumber: '' } }), '21', 114, '3'),
    '3:66 date, 310226',
  ],
  detailSum: [only({ ...total, details: [detail(100_000n)] }), '3:33 100.000 instead of 125.500'],
  informationReference: [change('31', 11, 'REF-9'), '6:11 REF-9 instead of REF-1'],
  informationTransactionCode: [change('31', 32, '10150000'), '6:32 10150000 instead of 00150000'],
  statementNumberGap: [
    linesOf(sample, { ...next, statementNumber: 16 }),
    '24:126 16 instead of 15',
  ],
  oldBalanceGap: [
    linesOf(sample, { ...next, oldBalance: sample.oldBalance }),
    '24:43 1000.000 instead of 1221.000',
  ],
  statementRepeated: [linesOf(sample, sample), '24:126 14'],
  duplicate: [change('0', 17, 'D'), '1:17'],
  thirdDecimal: [only({ amount: 1n }), '3:47'],
  bicOfAnotherBank: [
    lines,
    '1:61 GKCCBEBB instead of KREDBEBB',
    { bicOfBankCode: () => 'KREDBEBB' },
  ],
  counterpartyIban: [change('23', 11, 'BE55'), '5:11 BE55000000000097'],
  rTransaction: [change('22', 113, '7'), '4:113 7'],
  reservedPositions: [change('8', 100, 'x'), '19:100'],
  freeCommunicationNumber: [change('4 00010001', 7, '0005'), '21:3 00010005 instead of 00010001'],
  blankLine: [[...lines, '', ''], '23'],
  lineEnd: [lines.map((line) => `${line}\r`), '1:129'],
  lineEndMissing: [[`${lines[0]}${lines[1]}`, ...lines.slice(2)], '1'],
  trailingBlanks: [lines.map((line) => `${line}  `), '1:129'],
  byteOrderMark: [lines.with(0, `\uFEFF${lines[0]}`), '1'],
  replacementCharacter: [change('1', 66, '\uFFFD'), '2:66'],
  headerFieldBlank: [change('0', 72, ' '), '1:72  0403019261'],
  lastThoughFollowed: [[...lines, ...linesOf(next)], '22:128 2 instead of 1'],
  trailerNotLast: [change('9', 128, '1'), '22:128 1 instead of 2'],
  trailerCut: [lines.with(-1, (lines.at(-1) ?? '').slice(0, 57)), '22:57'],
  accountStructureBlank: [change('1', 2, ' '), '2:2'],
  transactionCodeZero: [only({ transactionCode: zeroCode() }), '3:54'],
  paperNumberIsDayOfYear: [change('1', 3, '034'), '2:3 34'],
  entryDateZero: [change('21', 116, '000000'), '3:116'],
  newBalanceDateZero: [change('8', 58, '000000'), '19:58'],
  newBalanceAbsent: [linesOf(empty), '3:1'],
  totalWithoutDetails: [only(total), '3:54'],
  detailWithoutLevel: [change('210002', 125, '0'), '8:125'],
  informationReferenceOfDetail: [
    changed(
      only({
        ...total,
        information: [free],
        details: [{ ...detail(transfer.amount), bankReference: 'REF-3' }],
      }),
      '31',
      11,
      'REF-3',
    ),
    '6:11 REF-3 instead of REF-1',
  ],
  informationNumberRepeated: [
    changed(only({ information: [free] }), '31', 7, '0000'),
    '6:7 0000 instead of 0001',
  ],
  wrappedInformation: [only({ information: [free, free, free, free, free] }), '10:41'],
  paperNumberRepeated: [linesOf(sample, { ...next, paperNumber: 14 }), '24:3 14'],
  ibanAsOtherNumber: [change('1', 2, '1'), '2:2 BE71096123456769'],
  spacesInAccount: [
    only({}).map((l) => l.replaceAll('BE71096123456769    ', 'BE71 0961 2345 6769 ')),
    '2:6',
  ],
  maskedCard: [only({ communication: card }), '3:66'],
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
  async (code, [given, said, options]) => {
    const bytes = given.length === 0 ? new Uint8Array() : fileOf(given);
    const results = await readAll(bytes, options);
    // A warning may be reported at several positions; an error is reported at one.
    expect([...new Set(codesOf(results))]).toEqual([code]);
    const [finding] = results.flatMap(({ findings }) => findings);
    const position = finding?.position === undefined ? '' : `:${finding.position}`;
    const { text } = codaFindings[code];
    expect(text).toMatch(/^[A-Z].{15,}$/);
    const [, at, seen] = /^(\d+(?::\d+)?) ?(.*)$/.exec(said) ?? [];
    expect(`${finding?.record}${position}`).toBe(at);
    expect(finding?.message).toBe(seen === '' ? text : `${text}: ${seen}`);
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
