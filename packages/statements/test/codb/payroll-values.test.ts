import { describe, expect, test } from 'vitest';
import { CodbReport, placesOf } from '../../src/codb/codb-report.js';
import {
  formatPayrollAmount,
  isPeriod,
  lastDayOf,
  parseDate,
  parsePayrollAmount,
} from '../../src/codb/payroll-values.js';
import { writeCodb } from '../../src/codb/write-codb.js';
import { payrollFile, read } from './payroll-file.js';

describe('CODB: values', () => {
  test.each([
    ['0.00', 0n, true],
    ['0.01', 10n, true],
    ['1234.56', 1_234_560n, true],
    ['-1234.56', -1_234_560n, true],
    ['-0.50', -500n, true],
    ['999999999999.99', 999_999_999_999_990n, true],
    ['1234.5', 1_234_500n, false],
    ['1234', 1_234_000n, false],
    ['007.00', 7_000n, true],
    ['+1650.00', 1_650_000n, false],
    ['1650.000', 1_650_000n, false],
    ['1650.', 1_650_000n, false],
    ['.50', 500n, false],
    ['-.5', -500n, false],
  ])('the amount %s is %i thousandths', (text, thousandths, hasTwoDecimals) => {
    expect(parsePayrollAmount(text)).toEqual({ thousandths, hasTwoDecimals });
  });

  test.each([
    [0n, '0.00'],
    [10n, '0.01'],
    [100n, '0.10'],
    [1_000n, '1.00'],
    [1_234_560n, '1234.56'],
    [-10n, '-0.01'],
    [-1_234_560n, '-1234.56'],
  ])('%i thousandths are written %s', (thousandths, text) => {
    expect(formatPayrollAmount(thousandths)).toBe(text);
  });

  test.each([1n, -1n, 1_234_567n])('%i thousandths have a third decimal', (thousandths) => {
    expect(() => formatPayrollAmount(thousandths)).toThrow(
      new RangeError(`A payroll amount has two decimals, not three: ${thousandths}`),
    );
  });

  test('a month is YYYYMM, from 1900 to 2099', () => {
    const months = ['202601', '190001', '209912'];
    expect(months.filter(isPeriod)).toEqual(months);
    const others = ['202600', '202613', '189912', '210001', '20261', '2026010', 'x202601', ''];
    expect(others.filter(isPeriod)).toEqual([]);
  });

  test('a date is YYYY-MM-DD, from 1900 to 2099, possibly with a zone', () => {
    const dates = ['2026-02-28', '2024-02-29', '1900-01-01', '2099-12-31'];
    expect(dates.map(parseDate)).toEqual(dates);
    const zones = ['Z', '+01:00', '-05:30', '+13:59', '+14:00', '-14:00'].map(
      (zone) => `2026-02-28${zone}`,
    );
    expect(zones.map(parseDate)).toEqual(zones.map(() => '2026-02-28'));
    const others = [
      ...['2026-02-29', '2026-04-31', '2026-00-01', '2026-13-01', '2026-01-00', '2026-01-32'],
      ...['1899-12-31', '2100-01-01', '2026-1-01', '2026-01-1', '2026-01-011', '+2026-01-01'],
      ...['2026-01-01+14:01', '2026-01-01+15:00', '2026-01-01-01:60', '2026-01-01-99:99'],
      ...['2026-01-01T00:00:00', '02/02/2024', '0000-01-01', ''],
    ];
    expect(others.filter(parseDate)).toEqual([]);
  });

  test.each([
    ['202601', '2026-01-31'],
    ['202602', '2026-02-28'],
    ['202402', '2024-02-29'],
    ['202604', '2026-04-30'],
    ['202612', '2026-12-31'],
  ])('the last day of %s is %s', (period, day) => {
    expect(lastDayOf(period)).toBe(day);
  });
});

describe('CODB: positions of findings', () => {
  test('offsets are lines and columns from 1, and a line end belongs to its line', () => {
    const text = 'ab\n\ncd';
    expect(placesOf(text, [0, 1, 2, 3, 4, 5, 6])).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 3, column: 2 },
      { line: 3, column: 3 },
    ]);
    expect(placesOf('', [0, 0])).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 1 },
    ]);
  });

  test('a hundred of each severity are listed, in file order, and the rest are counted', () => {
    const report = new CodbReport('x'.repeat(1000));
    for (let offset = 300; offset > 0; offset -= 1) {
      report.add(offset % 3 === 0 ? 'amount' : 'amountDecimals', offset);
    }
    const { findings, omitted, refused } = report;
    expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(100);
    expect(findings.filter(({ severity }) => severity === 'warning')).toHaveLength(100);
    expect(omitted).toBe(100);
    expect(refused).toBe(true);
    const places = findings.map(({ position = 0 }) => position);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('all unknown contents are kept', () => {
    const report = new CodbReport('');
    for (let index = 0; index < 10_001; index += 1)
      report.keepUnknown(`Social/N[${index}]`, 'x', 0);
    expect(report.unknown).toHaveLength(10_001);
    expect(report.refused).toBe(false);
  });
});

test('CODB: a file is written as payroll providers write it, line by line', () => {
  const [booking = expect.fail()] = read(payrollFile()).documents ?? [];
  const [first = expect.fail(), second = expect.fail()] = booking.lines;
  const odd = { ...first, department: 'Atelier\r\n\u0000' };
  const empty = { ...second, department: undefined, label: '' };
  const file = new TextDecoder().decode(writeCodb([{ ...booking, lines: [odd, empty] }]));
  const [start, end = ''] = payrollFile()
    .replace(/ xmlns:xsi="[^>]*/, '')
    .split(/(?<=<\/TransactionLine>)/);
  const expected = [
    start?.replace('Atelier', 'Atelier&#13;\n\uFFFD'),
    end.replace(/<Department>.*<\/Department>/, '').replace(/<Label>.*<\/Label>/, ''),
    '</Transactions></Social></SocialDocument>\n',
  ].join('');
  const inOneLine = (text: string) => text.replaceAll(/>\s+(?=<)/g, '>');
  expect(inOneLine(file)).toBe(inOneLine(expected));
  expect(file).toContain(
    '\n      <TransactionLine>\n        <SocialPeriod>202401</SocialPeriod>\n',
  );
});

test.each([
  ['no booking', [], 'A payroll file has at least one booking'],
  ['another source', [{}, { source: 'B' }], 'have the same source and version'],
  ['another version', [{}, { version: '0.1' }], 'have the same source and version'],
])('CODB: a file of %s is not written', (_, changes, message) => {
  const booking = {
    source: 'A',
    version: '1.2',
    sequenceNumber: 1,
    generationDate: '2026-02-02',
    enterpriseNumber: '0403019261',
    enterpriseName: 'A',
    accountPeriod: '202601',
    lines: [],
  };
  const write = () => writeCodb(changes.map((change) => ({ ...booking, ...change })));
  expect(write).toThrow(RangeError);
  expect(write).toThrow(message);
});
