import { expect, test } from 'vitest';
import {
  readInformationCommunication,
  readMovementCommunication,
} from '../../../../src/coda/read/records/read-communication.js';
import { readMovement } from '../../../../src/coda/read/records/read-movement.js';
import { reading, record } from './read-record.js';

const first = record(
  3,
  '1 21 | 3-10 0 | 32-47 0 | 48 030226 | 54 00150000 | 62 0 | 116 030226 | 122-125 0',
);

const key = { sequence: 1, detail: 0, startsMovement: true, isWrong: false };
const movement = { isMovement: true, first, key };

/** Reads a movement with these fields in its records 2.2 and 2.3. */
const readWith = (second: string, third?: string) =>
  reading((list) =>
    readMovement(
      {
        ...movement,
        second: record(4, `1 22 | ${second}`),
        third: third === undefined ? undefined : record(5, `1 23 | ${third}`),
      },
      list,
    ),
  );

test.each([
  ['', '', '', []],
  ['096123456769 EUR', '096123456769', 'EUR', []],
  ['096123456769 EUR0BE   EXTENSION', '096123456769', 'EUR', []],
  // A number of 12 digits that is followed by something else is part of another account.
  ['0961234567691', '0961234567691', '', []],
  ['096123456769 1234', '0961234567691234', '', ['spacesInAccount 5:11']],
  ['ABCDEFGHIJKL EUR', 'ABCDEFGHIJKLEUR', '', ['spacesInAccount 5:11']],
  ['NL91ABNA0417164300                EUR', 'NL91ABNA0417164300', 'EUR', []],
  ['NL92ABNA0417164300', 'NL92ABNA0417164300', '', ['counterpartyIban 5:11']],
  ['NL91 ABNA 0417 1643 00', 'NL91ABNA0417164300', '', ['spacesInAccount 5:11']],
  ['be68539007547034', 'BE68539007547034', '', []],
  ['AT32010000000173363', 'AT32010000000173363', '', ['counterpartyIban 5:11']],
  ['US026009593', 'US026009593', '', []],
  ['BE64NOTPROVIDED', 'BE64NOTPROVIDED', '', []],
  // It looks like an IBAN only from its second character on.
  ['1NL92ABNA0417164300', '1NL92ABNA0417164300', '', []],
])('CODA record 2.3, 11-47: %j is account %j in %j', (zone, account, currency, findings) => {
  expect(readWith('99 GEBABEBB', `11 ${zone} | 48 Jan`)).toMatchObject({
    result: { counterparty: { account, currency, bic: 'GEBABEBB', name: 'Jan' } },
    findings,
  });
});

test('CODA record 2.3: a movement without one has a counterparty without account and name', () => {
  expect(readWith('99 GEBABEBB')).toMatchObject({
    result: { counterparty: { account: '', currency: '', bic: 'GEBABEBB', name: '' } },
    findings: [],
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
  expect(readWith(`113 ${written}`)).toMatchObject({ result: { rTransaction: type }, findings });
});

/** Returns a movement's structured communication of a type. */
const structured = (type: string, content: string) =>
  reading((list) =>
    readMovementCommunication(
      {
        ...movement,
        first: record(3, `62 1 | 63 ${type} | 66 ${content}`),
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
] as const)('CODA record 2.1, 66-81: the card %s has the findings %j', (cardNumber, findings) => {
  const read = structured('124', `${cardNumber.padEnd(20)}1`);
  expect(read).toMatchObject({ result: { cardNumber }, findings });
});

/** Returns the communication of records 3.1 to 3.3 with information 010. */
const securities = (content: string) =>
  reading((list) =>
    readInformationCommunication(
      {
        first: record(6, `40 1 | 41 010 | 44 ${content.slice(0, 70)}`),
        second: record(7, `11 ${content.slice(70, 175)}`),
        third: record(8, `11 ${content.slice(175)}`),
      },
      list,
    ),
  );

test.each([
  'BUY KBC',
  'BUY OF A STATE NOTE OF 2033 NOMINAL 5000E',
  'BUY OF A STATE NOTE OF 2033 NOMINAL 5000 EUR AT 100',
  'BUY  OF A  STATE NOTE',
  'BUY OF 100 SHARES OF A BANK AT 61,25 EUR ON EURONEXT BRUSSELS ON 03/02/2026 WITH COSTS',
  `${'BUY OF 100 SHARES OF A BANK AT 61,25 EUR ON EURONEXT BRUSSELS'.padEnd(70)}WITH COSTS`,
])('CODA records 3.1 to 3.3: information 010 is one text: %s', (text) => {
  expect(securities(text).result).toEqual({ kind: 'unknown', type: '010', text });
});

const references = 'ORD1         FILE1          REF          02BE0003565737   U';

test.each([
  ['no numbers and dates', references, {}, []],
  ['a quantity', 'BUY'.padEnd(59) + '1'.padStart(12, '0'), { quantity: 1n }, []],
  [
    'a price that cannot be read',
    `${references}000000100000EUR    EUR61,25`,
    { quantity: 100_000n, price: undefined, unread: { price: '61,25' } },
    ['communicationField 6:44'],
  ],
])(
  'CODA records 3.1 to 3.3: information 010 with %s has fields',
  (_, content, fields, findings) => {
    const orderNumber = content.slice(0, 13).trimEnd();
    expect(securities(content)).toMatchObject({
      result: { kind: 'structured', type: '010', orderNumber, ...fields },
      findings,
    });
  },
);

test('CODA record 2.1: the content of an unknown type is kept, without trailing blanks', () => {
  expect(structured('999', 'a  b\u00a0')).toEqual({
    result: { kind: 'unknown', type: '999', text: 'a  b\u00a0' },
    findings: ['unknownCommunicationType 3:63'],
  });
  const withoutSecond = reading((list) =>
    readMovementCommunication(
      {
        ...movement,
        first: record(3, '62 1 | 63 999 | 66 first'),
        second: undefined,
        third: record(5, '83 third'),
      },
      list,
    ),
  );
  expect(withoutSecond.result).toMatchObject({ text: `${'first'.padEnd(103)}third` });
  const information = reading((list) =>
    readInformationCommunication(
      {
        first: record(6, '40 1 | 41 999 | 44 first'),
        second: undefined,
        third: record(8, '11 third'),
      },
      list,
    ),
  );
  expect(information).toEqual({
    result: { kind: 'unknown', type: '999', text: `${'first'.padEnd(175)}third` },
    findings: ['unknownCommunicationType 6:41'],
  });
});
