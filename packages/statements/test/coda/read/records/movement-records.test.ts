import { expect, test } from 'vitest';
import {
  readInformationCommunication,
  readMovementCommunication,
} from '../../../../src/coda/read/records/read-communication.js';
import { readMovement } from '../../../../src/coda/read/records/read-movement.js';
import type { Field } from '../../coda-file.js';
import { digitsOf, reading, record } from './read-record.js';

const first = record(
  ...([3, [1, '21'], digitsOf(3, 10), digitsOf(32, 47), [48, '030226'] as Field] as const),
  ...[[54, '00150000'] as Field, [62, '0'] as Field, [116, '030226'] as Field, digitsOf(122, 125)],
);

const key = { sequence: 1, detail: 0, startsMovement: true, isWrong: false };
const movement = { isMovement: true, first, key };

/** Returns the counterparty of a movement with these fields in its records 2.2 and 2.3. */
function counterparty(second: readonly Field[], third: readonly Field[] | undefined) {
  const group = {
    ...movement,
    second: record(4, [1, '22'], ...second),
    third: third && record(5, [1, '23'], ...third),
  };
  const { result, findings } = reading((list) => readMovement(group, list));
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
    'by a number of 12 digits that is followed by another account',
    [[11, '0961234567691']],
    { account: '0961234567691', currency: '', name: '' },
    [],
  ],
  [
    'by a Belgian account number with an extension zone',
    [[11, '096123456769 EUR0BE   EXTENSION']],
    { account: '096123456769', currency: 'EUR', name: '' },
    [],
  ],
  [
    'by a foreign number in groups of digits',
    [[11, '096123456769 1234']],
    { account: '0961234567691234', currency: '', name: '' },
    ['spacesInAccount 5:11'],
  ],
  [
    'by letters and a blank only',
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
  const read = reading((list) => readMovement(group, list));
  expect(read).toMatchObject({ result: { rTransaction: type }, findings });
});

/** Returns a movement's structured communication of a type. */
const structured = (type: string, content: string) =>
  reading((list) =>
    readMovementCommunication(
      {
        ...movement,
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
] as const)('CODA record 2.1, 66-81: the card %s has the findings %j', (cardNumber, findings) => {
  const read = structured('124', `${cardNumber.padEnd(20)}1`);
  expect(read).toMatchObject({ result: { cardNumber }, findings });
});

test('CODA record 2.1: the content of an unknown type is kept, without trailing blanks', () => {
  expect(structured('999', 'a  b\u00a0')).toEqual({
    result: { kind: 'unknown', type: '999', text: 'a  b\u00a0' },
    findings: ['unknownCommunicationType 3:63'],
  });
  const information = reading((list) =>
    readInformationCommunication(
      {
        isMovement: false,
        key,
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
