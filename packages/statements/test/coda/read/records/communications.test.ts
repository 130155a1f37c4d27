import { describe, expect, test } from 'vitest';
import type { Layouts } from '../../../../src/coda/format/communication-layout.js';
import { informationLayouts } from '../../../../src/coda/format/information-layouts.js';
import { movementLayouts } from '../../../../src/coda/format/movement-layouts.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import { decodeCommunication } from '../../../../src/coda/read/records/read-communication.js';
import { encodeCommunication } from '../../../../src/coda/write/write-movement-records.js';

const zone = (content: string) => new CodaRecord(0, charactersOf(content));

/** The communications of records 2, with the fields of the standard and their lengths. */
const ofMovements = `
100: reference 25
101: reference 12
102: reference 12
103: number 12
105: amount 15 decimal, originalAmount 15 decimal, rate 12 decimal, originalCurrency 3, reference 12, country 2, amountInEuro 15 decimal
106: amount 15 decimal, baseAmount 15 decimal, percentage 12 decimal, minimum 1, amountInEuro 15 decimal
107: number 12, date date, text 30, refusal 1, creditor 11
108: amount 15 decimal, basis 15, interestRate 12 decimal, period 12
111: cardScheme 1, pointOfSale 6, period 3, firstSequence 6, firstDate date, lastSequence 6, lastDate date, transactionType 1, terminalName 16, terminalTown 10
113: cardNumber 16, cardScheme 1, terminal 6, sequence 6, date date, time time, transactionType 1, terminalName 16, terminalTown 10, originalAmount 15 decimal, rate 12 decimal, originalCurrency 3, volume 5 decimal, product 2, unitPrice 5 decimal
114: cardScheme 1, pointOfSale 6, period 3, sequence 6, date date, time time, transactionType 1, terminalName 16, terminalTown 10, reference 16
115: cardNumber 16, cardScheme 1, terminal 6, sequence 6, date date, time time, validationDate date, validationSequence 6, originalAmount 15 decimal, conformity 1, terminalName 16, terminalTown 10, reference 12
121: amount 15 decimal, maturityDate date, conventionalMaturityDate date, issueDate date, companyNumber 11, currency 3, secondCurrency 3, billNumber 13, rate 12 decimal
122: days 4, interestRate 12 decimal, baseAmount 15 decimal, minimum 1, billNumber 13, maturityDate date
123: startDate date, maturityDate date, baseAmount 15 decimal, percentage 12 decimal, days 4, minimum 1, guaranteeNumber 13
124: cardNumber 20, issuer 1, invoice 12, identification 15, date date
125: creditAccount 12, extension 15, oldBalance 15 decimal, newBalance 15 decimal, amount 15 decimal, currency 3, startDate date, endDate date, interestRate 12 decimal, reference 13
126: depositNumber 15, depositAmount 15 decimal, amount 15 decimal, startDate date, endDate date, interestRate 12 decimal, interestAmount 15 decimal, currency 3, rate 12 decimal
127: settlementDate date, debitType 1, scheme 1, paid 1, creditor 35, mandate 35, text 62, rTransaction 1, reason 4
`;

const ofInformation = `
001: name 70, street 35, locality 35, identification 35
002: line1 35, line2 35, line3 35, line4 35
004: line1 35, line2 35, line3 35, line4 35
005: line1 35, line2 35, line3 35, line4 35
006: description 30, currency 3, amount 16 signed, category 3
007: count 7, denomination 6 decimal, amount 15 decimal
008: name 70, identification 35
009: name 70, identification 35
010: orderNumber 13, fileNumber 15, customerReference 13, codeType 2, securityCode 15, quotation 1, quantity 12 decimal, currency 3, lot 4, priceCurrency 3, price 12 decimal, rate 12 decimal, securityName 40, slipNumber 13, couponNumber 8, paymentDate day, market 30, tradeDate day, nature 24, accruedInterest 15 decimal
011: text 265
`;

/** Returns the positions of a field in a file, and its value, which depend on its place. */
function sampleOf(length: number, kind: string, place: number): readonly [string, bigint | string] {
  const digits = String(place + 1).padStart(length, '0');
  if (kind === 'decimal') return [digits, BigInt(place + 1)];
  if (kind === 'signed') return [`${digits.slice(1)}1`, BigInt(-place - 1)];
  if (kind === 'date') return [`${digits}0226`, `2026-02-${digits}`];
  if (kind === 'day') return [`${digits}021998`, `1998-02-${digits}`];
  if (kind === 'time') return [`${digits}35`, `${digits}:35`];
  const letter = String.fromCharCode(65 + place);
  return [letter.padEnd(length), letter];
}

const parse = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(': '))
    .map(([type = '', fields = '']) => [type, fields] as const);

describe.each([
  ['2', movementLayouts, parse(ofMovements)],
  ['3', informationLayouts, parse(ofInformation)],
] as const)('CODA records %s: structured communications', (_, layouts: Layouts, table) => {
  test.each(table)('%s is read and written: %s', (type, list) => {
    const samples = list.split(', ').map((field, place) => {
      const [name = '', length = '', kind = ''] = field.split(' ');
      const isTime = length === 'date' || length === 'day' || length === 'time';
      const [positions, value] = sampleOf(isTime ? 2 : Number(length), kind || length, place);
      return { name, positions, value };
    });
    const content = samples.map(({ positions }) => positions).join('');
    const values = Object.fromEntries(samples.map(({ name, value }) => [name, value]));
    const decoded = { kind: 'structured', type, ...values } as const;
    const wrong: string[] = [];
    const read = (text: string) =>
      decodeCommunication(layouts, type, zone(text), (name) => wrong.push(name));
    expect(read(content)).toEqual(decoded);
    const longer = { ...decoded, remainder: 'more' };
    expect(read(`${content}more  `)).toEqual(longer);
    expect(wrong).toEqual([]);
    expect(encodeCommunication(layouts, decoded).padEnd(content.length)).toBe(content);
    expect(encodeCommunication(layouts, longer)).toBe(`${content}more`);
  });

  test('there are no other types', () => {
    expect(Object.keys(layouts)).toEqual(table.map(([type]) => type));
  });
});

/** A layout with a field of each kind. */
const layouts = {
  '000': [
    ['decimal', 'decimal', 4],
    ['signed', 'signed', 4],
    ['date', 'date', 6],
    ['term', 'term', 6],
    ['day', 'day', 8],
    ['time', 'time', 4],
    ['text', 'text', 4],
  ],
} as const satisfies Layouts;
const right = ['0012', '0121', '290224', '290224', '29021996', '1205', 'text'];
const names = ['decimal', 'signed', 'date', 'term', 'day', 'time', 'text'];

test.each([
  ['decimal', '0000', 0n],
  ['decimal', '    ', undefined],
  ['signed', '0120', 12n],
  ['signed', '0121', -12n],
  ['signed', '    ', undefined],
  ['date', '000000', undefined],
  ['date', '      ', undefined],
  ['date', '150698', '1998-06-15'],
  ['date', '020127', '2027-01-02'],
  ['date', '010128', '1928-01-01'],
  ['term', '310529', '2029-05-31'],
  ['term', '010176', '2076-01-01'],
  ['term', '010177', '1977-01-01'],
  ['term', '999999', 'noFixedTerm'],
  ['term', '000000', undefined],
  ['day', '03022026', '2026-02-03'],
  ['day', '00000000', undefined],
  ['time', '0000', '00:00'],
  ['time', '2359', '23:59'],
  ['time', '    ', undefined],
  ['text', ' a  ', ' a'],
  ['text', '    ', ''],
])('CODA communications: a %s of %j is read as %s', (name, positions, value) => {
  const content = right.with(names.indexOf(name), positions).join('');
  const wrong: string[] = [];
  const report = (field: string) => wrong.push(field);
  const decoded = decodeCommunication(layouts, '000', zone(content), report, 2026);
  expect(decoded).toHaveProperty(name, value);
  expect(wrong).toEqual([]);
});

test.each([
  ['decimal', '12 0'],
  ['signed', '0122'],
  ['signed', '012 '],
  ['signed', '1 20'],
  ['date', '300224'],
  ['date', '29022 '],
  ['date', '999999'],
  ['term', '300224'],
  ['day', '29021900'],
  ['time', '2400'],
  ['time', '1260'],
  ['time', '125 '],
])('CODA communications: a %s of %j cannot be read', (name, positions) => {
  const content = right.with(names.indexOf(name), positions).join('');
  const wrong: string[] = [];
  const decoded = decodeCommunication(layouts, '000', zone(content), (field) => wrong.push(field));
  expect(decoded).toMatchObject({ [name]: undefined, unread: { [name]: positions.trimEnd() } });
  expect(wrong).toEqual([name]);
  expect(encodeCommunication(layouts, decoded ?? expect.fail())).toBe(content);
});

test.each([
  ['150698', '310529', '1998-06-15', '2029-05-31'],
  ['010128', '010130', '2028-01-01', '2030-01-01'],
  ['030226', '010180', '2026-02-03', '2080-01-01'],
  ['010170', '010180', '1970-01-01', '1980-01-01'],
  ['150698', '999999', '1998-06-15', 'noFixedTerm'],
  ['150698', '      ', '1998-06-15', undefined],
])(
  'CODA communications: a term from %s to %s is from %s to %s',
  (start, end, startDate, endDate) => {
    const content = `${' '.repeat(45)}${start}${end}${' '.repeat(42)}`;
    const decoded = decodeCommunication(movementLayouts, '126', zone(content), expect.fail, 2026);
    expect(decoded).toMatchObject({ startDate, endDate });
    expect(encodeCommunication(movementLayouts, decoded ?? expect.fail(), 2026)).toBe(content);
  },
);
