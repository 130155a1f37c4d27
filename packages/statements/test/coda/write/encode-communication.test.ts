import { expect, test } from 'vitest';
import type { Layouts } from '../../../src/coda/format/communication-layout.js';
import { encodeCommunication } from '../../../src/coda/write/write-movement-records.js';
import { CodaWriteError } from '../../../src/index.js';

const layouts: Layouts = {
  '900': [
    ['name', 'text', 4],
    ['rate', 'decimal', 4],
    ['sum', 'signed', 5],
    ['day', 'date', 6],
    ['hour', 'time', 4],
  ],
};
const encode = (values: Readonly<Record<string, unknown>>, type = '900') =>
  encodeCommunication(layouts, { kind: 'structured', type, ...values });

test.each([
  ['nothing', {}, ' '.repeat(23)],
  ['text', { name: 'ab' }, `ab  ${' '.repeat(19)}`],
  ['text of characters beyond 16 bits', { name: 'a\u{1f600}b' }, `a\u{1f600}b ${' '.repeat(19)}`],
  ['decimals', { rate: 12n }, `    0012${' '.repeat(15)}`],
  ['zero', { rate: 0n, sum: 0n }, `    000000000${' '.repeat(10)}`],
  ['credit', { sum: 12n }, `${' '.repeat(8)}00120${' '.repeat(10)}`],
  ['debit', { sum: -12n }, `${' '.repeat(8)}00121${' '.repeat(10)}`],
  ['date and time', { day: '2026-02-03', hour: '09:05' }, `${' '.repeat(13)}0302260905`],
  ['a remainder', { remainder: 'more' }, `${' '.repeat(23)}more`],
])('CODA writer: a structured communication with %s', (_case, values, text) => {
  expect(encode(values)).toBe(text);
});

test.each([
  [{ name: 12n }, '900 name is not a valid text: 12'],
  [{ name: 'abcde' }, '900 name does not fit into 4 positions: abcde'],
  [{ rate: -1n }, '900 rate is not a valid decimal: -1'],
  [{ rate: '12' }, '900 rate is not a valid decimal: 12'],
  [{ rate: 12 }, '900 rate is not a valid decimal: 12'],
  [{ rate: 10_000n }, '900 rate does not fit into 4 positions: 10000'],
  [{ sum: '12' }, '900 sum is not a valid signed: 12'],
  [{ sum: 10_000n }, '900 sum does not fit into 5 positions: 10000'],
  [{ day: '12:30' }, '900 day is not a valid date: 12:30'],
  [{ day: '2026-02-29' }, '900 day is not a valid date: 2026-02-29'],
  [{ day: 30226n }, '900 day is not a valid date: 30226'],
  [{ hour: '2026-02-03' }, '900 hour is not a valid time: 2026-02-03'],
  [{ hour: '24:00' }, '900 hour is not a valid time: 24:00'],
  [{ hour: '23:60' }, '900 hour is not a valid time: 23:60'],
  [{ hour: '123:59' }, '900 hour is not a valid time: 123:59'],
  [{ hour: '12:345' }, '900 hour is not a valid time: 12:345'],
  [{ hour: 905n }, '900 hour is not a valid time: 905'],
])('CODA writer: a structured communication with %o is refused', (values, message) => {
  expect(() => encode(values)).toThrow(new CodaWriteError(message));
});

test.each(['901', 'constructor'])('CODA writer: there is no communication type %s', (type) => {
  const refused = new CodaWriteError(`Unknown communication type ${type}`);
  expect(() => encode({}, type)).toThrow(refused);
  expect(refused.name).toBe('CodaWriteError');
});
