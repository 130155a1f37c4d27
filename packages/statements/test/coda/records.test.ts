import { expect, test } from 'vitest';
import { FindingList } from '../../src/coda/finding-list.js';
import { FreeCommunications } from '../../src/coda/free-communications.js';
import { looksLikeCoda } from '../../src/coda/looks-like-coda.js';
import { readNewBalance, readOldBalance } from '../../src/coda/read-balances.js';
import {
  readInformationCommunication,
  readMovementCommunication,
} from '../../src/coda/read-communication.js';
import { readHeader } from '../../src/coda/read-header.js';
import { readMovement } from '../../src/coda/read-movement.js';
import { isCutTrailer, readTrailer } from '../../src/coda/read-trailer.js';
import { CodaRecord } from '../../src/coda/record.js';
import type { Account } from '../../src/index.js';
import { type Field, recordOf } from './coda-file.js';

/** A record of the line with a number. */
const record = (number: number, ...fields: readonly Field[]) =>
  new CodaRecord(number, recordOf(...fields));

/** What a reader returns, with the codes and positions of its findings. */
function reading<Result>(read: (findings: FindingList) => Result) {
  const list = new FindingList();
  const result = read(list);
  const findings = list
    .toArray()
    .map(({ code, record, position }) => `${code} ${record}:${position}`);
  return { result, findings };
}

const digitsOf = (from: number, to: number): Field => [from, '0'.repeat(to - from + 1)];

test('CODA records: characters beyond 16 bits take one position, also in a field that is cut or filled up', () => {
  const one = new CodaRecord(1, 'ab\u{1f600}cd  ');
  expect(one.length).toBe(7);
  expect(one.text(2, 4)).toBe('b\u{1f600}c');
  expect(one.padded(3, 3)).toBe('\u{1f600}');
  expect(one.padded(2, 9)).toBe('b\u{1f600}cd    ');
  expect([one.text(6, 7), one.text(8, 9)]).toEqual(['', '']);
  const other = new CodaRecord(1, 'abcd');
  expect([other.padded(2, 3), other.padded(3, 6), other.text(3, 6)]).toEqual(['bc', 'cd  ', 'cd']);
});

const header: readonly Field[] = [
  [1, '0'],
  [2, '0000'],
  [6, '040226'],
  [12, '096'],
  [15, '05'],
  digitsOf(84, 88),
  [128, '2'],
];

test.each([
  ['', [[17, ' ']], []],
  ['D', [[17, 'D']], ['duplicate 1:17']],
  ['x', [[17, 'x']], ['headerConstant 1:17']],
] as const)('CODA record 0, 17: %j for a duplicate', (_copy, fields, findings) => {
  const read = reading((list) => readHeader(record(1, ...header, ...fields), list));
  expect(read.findings).toEqual(findings);
  expect(read.result?.duplicate).toBe(fields[0][1] === 'D');
});

test('CODA record 0, 6-11: a file has a date of creation', () => {
  const read = reading((list) => readHeader(record(1, ...header, digitsOf(6, 11)), list));
  expect(read).toMatchObject({ result: { creationDate: '' }, findings: ['date 1:6'] });
});

test.each([
  ['', '', []],
  ['0'.repeat(11), '', []],
  ['00403019261', '0403019261', []],
  ['0403019261', '', ['digits 1:72']],
] as const)(
  'CODA record 0, 72-82: of %j the enterprise number is %j',
  (written, number, findings) => {
    const read = reading((list) => readHeader(record(1, ...header, [72, written]), list));
    expect(read).toMatchObject({ result: { enterpriseNumber: number }, findings });
  },
);

const account: Account = {
  ...{ structure: 2, number: 'BE71096123456769', iban: 'BE71096123456769', currency: 'EUR' },
  ...{ extension: 'ABC', qualifier: '', country: '', holder: '', description: '' },
};
const oldAccount: Account = { ...account, structure: 0, number: '096123456769' };
const newBalance = (...fields: readonly Field[]) =>
  record(8, [1, '8'], digitsOf(2, 4), [42, '0'], digitsOf(43, 57), [58, '030226'], ...fields);

test.each([
  [
    account,
    [
      [5, 'BE71096123456769'],
      [36, 'ABCEUR'],
    ],
    [],
  ],
  [
    account,
    [
      [5, 'BE54000000000097'],
      [36, 'ABCEUR'],
    ],
    ['accountMismatch 8:5'],
  ],
  [
    account,
    [
      [5, 'BE71096123456769'],
      [36, 'ABCUSD'],
    ],
    ['currencyMismatch 8:39'],
  ],
  [
    account,
    [
      [5, 'BE71096123456769'],
      [36, 'XYZEUR'],
    ],
    ['accountMismatch 8:36'],
  ],
  [
    account,
    [
      [5, 'BE71096123456769'],
      [39, 'EUR'],
    ],
    [],
  ],
  [
    { ...account, extension: '' },
    [
      [5, 'BE71096123456769'],
      [36, 'XYZEUR'],
    ],
    [],
  ],
  [
    oldAccount,
    [
      [5, '096123456769 EUR'],
      [27, 'ABC'],
    ],
    [],
  ],
  [
    oldAccount,
    [
      [5, '096123456769 USD'],
      [27, 'ABC'],
    ],
    ['currencyMismatch 8:18'],
  ],
  [
    oldAccount,
    [
      [5, '096123456769 EUR'],
      [27, 'XYZ'],
    ],
    ['accountMismatch 8:27'],
  ],
  [undefined, [[5, 'BE54000000000097']], []],
] as const)('CODA record 8, 5-41: the account is that of record 1 (%#)', (of, fields, findings) => {
  const read = reading((list) => readNewBalance(newBalance(...fields), of, list));
  expect(read).toMatchObject({ result: { date: '2026-02-03' }, findings });
});

const oldBalance = (...fields: readonly Field[]) =>
  record(
    ...([2, [1, '12'], digitsOf(3, 5), [6, 'BE71096123456769'], [40, 'EUR0'] as Field] as const),
    ...[digitsOf(44, 58), [59, '020226'] as Field, digitsOf(126, 128), ...fields],
  );

test.each([
  [false, [], []],
  [false, [digitsOf(59, 64)], ['date 2:59']],
  [true, [digitsOf(59, 64)], []],
  [false, [[2, '4']], ['accountStructure 2:2']],
] as const)(
  'CODA record 1, 59-64: the old balance has a date, but for a separate application (%#)',
  (isSeparate, fields, findings) => {
    const read = reading((list) => readOldBalance(oldBalance(...fields), isSeparate, list));
    expect(read.findings).toEqual(findings);
  },
);

const first = record(
  ...([3, [1, '21'], digitsOf(3, 10), digitsOf(32, 47), [48, '030226'] as Field] as const),
  ...[[54, '00150000'] as Field, [62, '0'] as Field, [116, '030226'] as Field, digitsOf(122, 125)],
);

const key = { sequence: 1, detail: 0, startsMovement: true };
const movement = { kind: 'movement', first } as const;

/** The counterparty of a movement, by the fields of its records 2.2 and 2.3. */
function counterparty(second: readonly Field[], third: readonly Field[] | undefined) {
  const group = {
    ...movement,
    second: record(4, [1, '22'], ...second),
    third: third && record(5, [1, '23'], ...third),
  };
  const { result, findings } = reading((list) => readMovement(group, key, list));
  return { ...result.counterparty, findings };
}

test.each([
  ['without record 2.3', undefined, { account: '', currency: '', name: '' }, []],
  [
    'by a Belgian account number and its currency',
    [
      [11, '096123456769 EUR'],
      [48, 'Jan'],
    ],
    { account: '096123456769', currency: 'EUR', name: 'Jan' },
    [],
  ],
  [
    'by a number of 12 digits that another account goes on behind',
    [[11, '0961234567691']],
    { account: '0961234567691', currency: '', name: '' },
    [],
  ],
  [
    'by a number of 12 digits with text behind',
    [[11, '096123456769 EUR more']],
    { account: '096123456769EURmore', currency: '', name: '' },
    ['spacesInAccount 5:11'],
  ],
  [
    'by letters, a blank and nothing else',
    [[11, 'ABCDEFGHIJKL EUR']],
    { account: 'ABCDEFGHIJKLEUR', currency: '', name: '' },
    ['spacesInAccount 5:11'],
  ],
  [
    'by an IBAN and its currency',
    [
      [11, 'NL91ABNA0417164300'],
      [45, 'EUR'],
      [48, 'Jan'],
    ],
    { account: 'NL91ABNA0417164300', currency: 'EUR', name: 'Jan' },
    [],
  ],
  [
    'by an IBAN with wrong check digits',
    [[11, 'NL92ABNA0417164300']],
    { account: 'NL92ABNA0417164300', currency: '', name: '' },
    ['counterpartyIban 5:11'],
  ],
  [
    'by an IBAN in groups',
    [[11, 'NL91 ABNA 0417 1643 00']],
    { account: 'NL91ABNA0417164300', currency: '', name: '' },
    ['spacesInAccount 5:11'],
  ],
  [
    'by an account that only looks like an IBAN further on',
    [[11, '1NL92ABNA0417164300']],
    { account: '1NL92ABNA0417164300', currency: '', name: '' },
    [],
  ],
] as const)('CODA record 2.3, 11-47: a counterparty %s', (_case, third, expected, findings) => {
  expect(counterparty([[99, 'GEBABEBB']], third)).toEqual({
    ...expected,
    ...{ bic: 'GEBABEBB', findings },
  });
});

test.each([
  [' ', 0, []],
  ['0', 0, []],
  ['1', 1, []],
  ['5', 5, []],
  ['6', 0, ['rTransaction 4:113']],
  ['R', 0, ['rTransaction 4:113']],
] as const)('CODA record 2.2, 113: %j is the R-transaction %i', (written, type, findings) => {
  const group = { ...movement, second: record(4, [1, '22'], [113, written]), third: undefined };
  const read = reading((list) => readMovement(group, key, list));
  expect(read).toMatchObject({ result: { rTransaction: type }, findings });
});

/** A movement's structured communication of a type. */
const structured = (type: string, content: string) =>
  reading((list) =>
    readMovementCommunication(
      {
        kind: 'movement',
        first: record(3, [62, '1'], [63, type], [66, content]),
        second: undefined,
        third: undefined,
      },
      list,
    ),
  );

test.each([
  ['101', '090933755493', []],
  ['101', '090933755494', ['communicationCheckDigits 3:66']],
  ['102', '090933755493', []],
  ['102', '090933755494', ['communicationCheckDigits 3:66']],
] as const)('CODA record 2.1, 66-77: type %s has check digits: %s', (type, reference, findings) => {
  expect(structured(type, reference)).toEqual({
    ...{ result: { kind: 'structured', type, reference }, findings },
  });
});

test.each([
  ['5400123456781234', []],
  ['5400000000001234', ['maskedCard 3:66']],
  ['1000000000000000', ['maskedCard 3:66']],
  ['0000000000000001', ['maskedCard 3:66']],
  ['1200000000000000', ['maskedCard 3:66']],
  ['0000000123400000', ['maskedCard 3:66']],
  ['5400000123400000', []],
  ['0000000000000000', []],
] as const)('CODA record 2.1, 66-81: of the card %s is told: %j', (cardNumber, findings) => {
  const read = structured('124', `${cardNumber.padEnd(20)}1`);
  expect(read).toMatchObject({ result: { cardNumber }, findings });
});

test('CODA record 2.1: of a type that is not known the content is kept, without the blanks behind it', () => {
  expect(structured('999', 'a  b\u00a0')).toEqual({
    result: { kind: 'unknown', type: '999', text: 'a  b\u00a0' },
    findings: ['unknownCommunicationType 3:63'],
  });
  const information = reading((list) =>
    readInformationCommunication(
      {
        kind: 'information',
        first: record(6, [40, '1'], [41, '999'], [44, 'first']),
        second: undefined,
        third: record(8, [11, 'third']),
      },
      list,
    ),
  );
  expect(information).toEqual({
    result: { kind: 'unknown', type: '999', text: `${'first'.padEnd(175)}third` },
    findings: ['unknownCommunicationType 6:41'],
  });
});

/** Records 4 with these numbers. */
function freeCommunications(...numbers: readonly (readonly [sequence: number, detail: number])[]) {
  const messages = new FreeCommunications();
  const { findings } = reading((list) => {
    for (const [index, [sequence, detail]] of numbers.entries()) {
      const key = `${String(sequence).padStart(4, '0')}${String(detail).padStart(4, '0')}`;
      messages.take(record(index + 1, [1, '4'], [3, key], [33, `${sequence}.${detail}`]), list);
    }
  });
  return { messages: messages.messages.map(({ lines }) => lines.join(' ')), findings };
}

test.each([
  [[[1, 0]], ['1.0'], []],
  [
    [
      [1, 0],
      [1, 1],
      [2, 0],
    ],
    ['1.0 1.1', '2.0'],
    [],
  ],
  [[[0, 1]], ['0.1'], ['freeCommunicationNumber 1:3']],
  [[[2, 0]], ['2.0'], ['freeCommunicationNumber 1:3']],
  [[[1, 1]], ['1.1'], ['freeCommunicationNumber 1:3']],
  [
    [
      [1, 0],
      [3, 0],
    ],
    ['1.0', '3.0'],
    ['freeCommunicationNumber 2:3'],
  ],
  [
    [
      [1, 0],
      [1, 0],
    ],
    ['1.0 1.0'],
    ['freeCommunicationNumber 2:3'],
  ],
  [
    [
      [1, 0],
      [1, 2],
    ],
    ['1.0 1.2'],
    ['freeCommunicationNumber 2:3'],
  ],
  [
    [
      [1, 0],
      [2, 1],
    ],
    ['1.0', '2.1'],
    ['freeCommunicationNumber 2:3'],
  ],
] as const)('CODA record 4, 3-10: %j are messages %j', (numbers, messages, findings) => {
  expect(freeCommunications(...numbers)).toEqual({ messages, findings });
});

const trailer = (...fields: readonly Field[]) => record(9, [1, '9'], digitsOf(17, 52), ...fields);

test.each([
  ['1', true, true, []],
  ['1', false, true, ['trailerNotLast 9:128']],
  ['2', false, false, []],
  ['2', true, false, ['lastThoughFollowed 9:128']],
  ['3', true, undefined, ['multipleFileCode 9:128']],
  ['x', false, undefined, ['multipleFileCode 9:128']],
  [' ', false, undefined, ['trailerCut 9:128']],
] as const)(
  'CODA record 9, 128: %j where another statement follows (%s) is %s',
  (code, isFollowed, anotherFollows, findings) => {
    const read = reading((list) => readTrailer(trailer([128, code]), isFollowed, list));
    expect(read).toMatchObject({ result: { anotherFollows }, findings });
  },
);

test.each([
  ['9', 51, false],
  ['9', 52, true],
  ['9', 127, true],
  ['9', 128, false],
  ['8', 60, false],
])(
  'CODA record 9: %s with %i positions is a trailer whose blanks were removed: %s',
  (type, length, isCut) => {
    expect(isCutTrailer(new CodaRecord(1, type.padEnd(length)))).toBe(isCut);
  },
);

test.each([
  ['0000004022609605        x', true],
  ['0000004022609605D       x', true],
  ['\xef\xbb\xbf0000004022609605        x', true],
  ['x0000004022609605        x', false],
  ['0000004022609605       x ', false],
  ['0000004022609605 x      ', false],
  ['0000004022609605x       ', false],
])('CODA record 0, 1-24: %j is how a file begins: %s', (start, isCoda) => {
  expect(looksLikeCoda(Buffer.from(start, 'latin1'))).toBe(isCoda);
});
