import {
  type CodaFindingCode,
  type MovementDraft,
  type StatementDraft,
  writeCoda,
} from '@adx/statements';
import type { OfChain } from '../descriptions.js';
import { belgianIban } from '../new-customer.js';
import {
  nextPlace,
  type StatementPlace,
  statementOf,
  transferCode,
  transferOf,
} from './statement-of-account.js';

/** A finding of the catalogue, or of the service on a file that can be read (D-27). */
export type CodaFault =
  | Exclude<CodaFindingCode, OfChain>
  | ('unknownAccount' | 'noIban' | 'noCurrency' | 'numberMissing' | 'balanceDiffers');

/** A statement to make a fault in, and ways to change it. */
type Given = ReturnType<typeof statementToChange>;

const total: Partial<MovementDraft> = { transactionCode: transferCode(1) };
const bare: Partial<MovementDraft> = { counterparty: {}, customerReference: '' };
const free = { communication: { kind: 'free', text: 'Zandkorrel' } } as const;
const card = (cardNumber: string): Partial<MovementDraft> => ({
  communication: {
    kind: 'structured',
    type: '124',
    cardNumber,
    issuer: '1',
    invoice: '',
    identification: '',
    date: '2026-02-01',
  },
});
const detailOf = ({ place }: Given, changes: Partial<MovementDraft> = {}): MovementDraft => ({
  ...transferOf(place),
  transactionCode: transferCode(5),
  ...changes,
});

/** More lines than the reader keeps of a statement (32 MiB). */
const tooManyLines = 263_000;

/** How the lines of a file get each finding, and no other. */
const faults: Readonly<Record<CodaFault, (given: Given) => readonly string[]>> = {
  emptyFile: () => [],
  headerMissing: ({ lines }) => lines.slice(1),
  statementTooLarge: ({ lines }) => [
    ...lines.slice(0, -1),
    ...Array.from({ length: tooManyLines }, () => lines.at(-2) ?? ''),
  ],
  encodingUnsupported: ({ lines }) => lines.map((line) => `${Array.from(line).join('\0')}\0`),
  lineLength: ({ replace }) => replace('8', 128, '1x'),
  recordType: ({ replace }) => replace('23', 1, '24'),
  recordOrder: ({ without }) => without('1'),
  trailerMissing: ({ without }) => without('9'),
  newBalanceMissing: ({ without }) => without('8').filter((line) => !line.startsWith('4')),
  headerConstant: ({ replace }) => replace('0', 15, '06'),
  version1: ({ replace }) => replace('0', 128, '1'),
  version: ({ replace }) => replace('0', 128, '3'),
  digits: ({ replace }) => replace('21', 47, 'O'),
  date: ({ replace }) => replace('21', 48, '310226'),
  accountStructure: ({ replace }) => replace('1', 2, '4'),
  sign: ({ replace }) => replace('21', 32, '2'),
  communicationFlag: ({ replace }) => replace('31', 40, '2'),
  sequenceNumber: ({ single }) => replaced(single(bare), '21', 3, '0002'),
  detailNumber: ({ single }) => replaced(single({ information: [free] }), '31', 7, '0002'),
  continuationKey: ({ replace }) => replace('23', 7, '0001'),
  nextCode: ({ replace }) => replace('22', 126, '0'),
  linkCode: ({ replace }) => replace('23', 128, '0'),
  accountMismatch: ({ replace }) => replace('8', 5, 'BE54000000000097'),
  currencyMismatch: ({ replace }) => replace('8', 39, 'USD'),
  balance: ({ count }) => count('8', 56),
  trailerCount: ({ count }) => count('9', 22),
  trailerDebitTotal: ({ count }) => count('9', 36),
  trailerCreditTotal: ({ count }) => count('9', 51),
  ibanCheckDigits: ({ replace }) =>
    replaced(replace('1', 6, 'BE02000000000000'), '8', 5, 'BE02000000000000'),
  bbanCheckDigits({ draft, place }) {
    const account = place.iban.slice(4);
    const wrong = account.slice(0, -1) + ((Number(account.at(-1)) + 1) % 10);
    const lines = linesOf({
      ...draft,
      account: { ...draft.account, structure: 0, number: account },
    });
    return lines.map((line) => line.replace(account, wrong));
  },
  multipleFileCode: ({ replace }) => replace('9', 128, '3'),

  unknownTransactionCode: ({ single }) => replaced(single({}), '21', 55, '99'),
  unknownCategory: ({ replace }) => replace('210003', 59, '300'),
  unknownCommunicationType: ({ replace }) => replace('21', 63, '199'),
  communicationCheckDigits: ({ replace }) => replace('21', 66, '090933755494'),
  communicationField: ({ single }) => replaced(single(card('')), '21', 114, '3'),
  detailSum: (given) =>
    given.single({ ...total, details: [detailOf(given, { amount: 100_000n })] }),
  informationReference: ({ replace }) => replace('31', 11, 'ZB-9'),
  informationTransactionCode: ({ replace }) => replace('31', 32, '10150000'),
  numberMissing: ({ draft, next }) => {
    const { oldBalance, statementNumber = 0 } = next;
    const amount = oldBalance.amount + 5_000n;
    const after = { statementNumber: statementNumber + 1, oldBalance: { ...oldBalance, amount } };
    return linesOf(draft, { ...next, ...after });
  },
  balanceDiffers: ({ draft, next }) =>
    linesOf(draft, { ...next, oldBalance: { ...next.oldBalance, amount: 5_000n } }),
  duplicate: ({ replace }) => replace('0', 17, 'D'),
  thirdDecimal: ({ single }) => single({ amount: 1n }),
  bicOfAnotherBank: ({ replace, place }) =>
    replace('0', 61, place.bic === 'KREDBEBB' ? 'GKCCBEBB' : 'KREDBEBB'),
  counterpartyIban: ({ replace }) => replace('23', 11, 'BE55'),
  rTransaction: ({ replace }) => replace('22', 113, '7'),
  reservedPositions: ({ replace }) => replace('8', 100, 'x'),
  freeCommunicationNumber: ({ replace }) => replace('4 00010001', 7, '0005'),
  blankLine: ({ lines }) => [...lines, '', ''],
  lineEnd: ({ lines }) => lines.map((line) => `${line}\r`),
  lineEndMissing: ({ lines: [header, account, ...others] }) => [`${header}${account}`, ...others],
  trailingBlanks: ({ lines }) => lines.map((line) => `${line}  `),
  byteOrderMark: ({ lines }) => lines.with(0, `\uFEFF${lines[0]}`),
  replacementCharacter: ({ replace }) => replace('1', 66, '\uFFFD'),

  headerFieldBlank: ({ replace }) => replace('0', 72, ' 0403019261'),
  lastThoughFollowed: ({ lines, next }) => [...lines, ...linesOf(next)],
  trailerNotLast: ({ replace }) => replace('9', 128, '1'),
  trailerCut: ({ lines }) => lines.with(-1, (lines.at(-1) ?? '').slice(0, 57)),
  accountStructureBlank: ({ replace }) => replace('1', 2, ' '),
  transactionCodeZero: ({ single }) =>
    single({ transactionCode: { type: 0, family: '00', operation: '00', category: '000' } }),
  paperNumberIsDayOfYear: ({ replace, place }) => replace('1', 3, dayOfYear(place.date)),
  entryDateZero: ({ replace }) => replace('21', 116, '000000'),
  newBalanceDateZero: ({ replace }) => replace('8', 58, '000000'),
  newBalanceAbsent: ({ draft }) =>
    linesOf({ ...draft, newBalance: undefined, movements: [], freeCommunications: [] }),
  totalWithoutDetails: ({ single }) => single(total),
  detailWithoutLevel: ({ replace }) => replace('210002', 125, '0'),
  informationReferenceOfDetail(given) {
    const details = [detailOf(given, { bankReference: 'ZB-3' })];
    const lines = given.single({ ...total, information: [free], details });
    return replaced(lines, '31', 11, 'ZB-3');
  },
  informationNumberRepeated: ({ single }) =>
    replaced(single({ information: [free] }), '31', 7, '0000'),
  wrappedInformation: ({ single }) => single({ information: [free, free, free, free, free] }),
  paperNumberRepeated: ({ draft, next }) =>
    linesOf(draft, { ...next, paperNumber: draft.statementNumber ?? 0 }),
  ibanAsOtherNumber: ({ replace }) => replace('1', 2, '1'),
  spacesInAccount: ({ single, place: { iban } }) => {
    const spaced = iban.replace(/.{4}(?=.)/g, '$& ');
    return single({}).map((line) => line.replaceAll(iban.padEnd(20), spaced.padEnd(20)));
  },
  maskedCard: ({ single }) => single(card('5400000000001234')),

  unknownAccount: ({ place }) =>
    linesOf(statementOf({ ...place, iban: belgianIban(place.iban.slice(4, 7), 0) })),
  noIban: ({ draft }) =>
    linesOf({ ...draft, account: { structure: 1, number: 'Z-1', currency: 'EUR' } }),
  noCurrency: ({ replace }) => replaced(replace('1', 40, '   '), '8', 39, '   '),
};

export function isCodaFault(code: string): code is CodaFault {
  return Object.hasOwn(faults, code);
}

export function codaFileWith(code: CodaFault, place: StatementPlace): Uint8Array {
  const changed = faults[code](statementToChange(place));
  return new TextEncoder().encode(changed.map((line) => `${line}\r\n`).join(''));
}

function statementToChange(place: StatementPlace) {
  const draft = statementOf(place);
  const lines = linesOf(draft);
  const alone = { ...draft, freeCommunications: [] };
  return {
    place,
    draft,
    lines,
    next: statementOf(nextPlace(place)),
    replace: (start: string, position: number, characters: string) =>
      replaced(lines, start, position, characters),
    count: (start: string, position: number) => counted(lines, start, position),
    without: (start: string) => lines.filter((line) => !line.startsWith(start)),
    /** Returns the statement with a single movement, which has these changes. */
    single: (movement: Partial<MovementDraft>) =>
      linesOf({ ...alone, movements: [{ ...transferOf(place), ...movement }] }),
  };
}

function dayOfYear(date: string): string {
  const days = (Date.parse(date) - Date.parse(`${date.slice(0, 4)}-01-01`)) / 86_400_000 + 1;
  return String(days).padStart(3, '0');
}

function linesOf(...statements: readonly StatementDraft[]): string[] {
  const bytes = writeCoda(statements, { lineEnd: '\n', finalLineEnd: false });
  return new TextDecoder().decode(bytes).split('\n');
}

/** Replaces characters from a position on, from 1, in the first line that starts with a text. */
function replaced(
  lines: readonly string[],
  start: string,
  position: number,
  characters: string,
): string[] {
  const index = lines.findIndex((line) => line.startsWith(start));
  const line = lines[index];
  if (line === undefined) throw new Error(`No record starts with ${start}`);
  const before = line.slice(0, position - 1);
  return lines.with(index, before + characters + line.slice(before.length + characters.length));
}

function counted(lines: readonly string[], start: string, position: number): string[] {
  const line = lines.find((each) => each.startsWith(start)) ?? '';
  const digit = (Number(line[position - 1]) + 1) % 10;
  return replaced(lines, start, position, String(digit));
}
