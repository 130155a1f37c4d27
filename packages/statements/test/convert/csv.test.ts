import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../test/support/rounds.js';
import type { Movement } from '../../src/coda/statement.js';
import { payrollCsv, statementsCsv } from '../../src/index.js';
import { businessStatement } from '../pdf/business-statement.js';
import { sampleBooking } from '../pdf/sample-booking.js';
import { code, free, movements, sampleStatement } from '../pdf/sample-statement.js';

/**
 * Reads as a spreadsheet does: text after a closing quote, and other quotes, belong to the cell.
 */
function cellsOf(csv: string, separator = ';'): string[][] {
  const rows: string[][] = [[]];
  const cell = `(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\\r\\n]*)(${separator}|\\r\\n?|\\n|$)`;
  for (const [, quoted = '', plain, end] of csv.slice(1).matchAll(new RegExp(cell, 'g'))) {
    rows.at(-1)?.push(`${quoted.replaceAll('""', '"')}${plain}`);
    if (end !== separator) rows.push([]);
  }
  return rows.filter((row) => row.join('') !== '');
}

/** Returns the cell of a communication; of a text, if it is one. */
async function communicationCell(
  given: string | Movement['communication'],
): Promise<string | undefined> {
  const [first = expect.fail()] = movements;
  const statement = await sampleStatement({ movements: [first] });
  const [movement = expect.fail()] = statement.movements;
  const communication = typeof given === 'string' ? free(given) : given;
  const changed = { ...movement, communication };
  const [columns = [], row] = cellsOf(statementsCsv([{ ...statement, movements: [changed] }]));
  return row?.[columns.indexOf('communication')];
}

describe('D-46 CSV', () => {
  test.each([
    ['=1+1', 'a formula'],
    ['=HYPERLINK("http://example.org/"&A1;"Invoice")', 'a formula with separators and quotes'],
    ["+cmd|' /C calc'!A0", 'a call of a program'],
    ['-2+3', 'a formula'],
    ['@SUM(A1:A9)', 'a formula of Lotus'],
    ['\t=1+1', 'a formula behind a tab'],
    [' =1+1', 'a formula behind a blank'],
    ['\r=1+1', 'a formula behind a line end'],
    ['\n=1+1', 'a formula behind a line feed'],
    ['＝1+1', 'a formula in full width'],
    ['0123', 'a number that would lose its zero'],
    ['123456789012', 'a number that would lose digits'],
    ['12/2025', 'a text that would become a date'],
    ['1E5', 'a text that would become a number'],
    ['3-4', 'a text that would become a date'],
    ['12 mei', 'a text that would become a date'],
    ['maart 2026', 'a text that would become a date'],
    ['1 août 2026', 'a text that would become a date'],
    ['21 %', 'a text that would become a number'],
    ['(12,50)', 'a text that would become a negative number'],
    [',5', 'a text that would become a number'],
  ])('%j gets an apostrophe: %s', async (text) => {
    expect(await communicationCell(text)).toBe(`'${text.trim()}`);
  });

  test.each([
    ['rent,=cmd|x', "rent,'=cmd|x"],
    ['a; "+1', `a; "'+1`],
    ['a\t@x', "a\t'@x"],
    ['21%, -5%', "'21%, '-5%"],
  ])('%j gets an apostrophe where a cell begins for other readers', async (text, cell) => {
    expect(await communicationCell(text)).toBe(cell);
  });

  test.each([
    'Invoice 2026/31',
    '20260031',
    '2026/31 =1+1',
    'a;b',
    'say "x"',
    'E',
    '12 mei huur',
    'mei',
  ])('%j stays as it is', async (text) => {
    expect(await communicationCell(text)).toBe(text);
  });

  test.each([
    ['100', 'RF18539007547034', 'RF18539007547034 RENT MAY'],
    ['101', '090933755493', '***090/9337/55493*** RENT MAY'],
    ['102', '090933755493', '***090/9337/55493*** RENT MAY'],
    ['101', '000000000000', 'RENT MAY'],
  ] as const)(
    'text after a reference of type %s, %s, follows it',
    async (type, reference, cell) => {
      const communication = { kind: 'structured', type, reference, remainder: 'RENT MAY' } as const;
      expect(await communicationCell(communication)).toBe(cell);
    },
  );

  test('no cell begins a formula, whatever is in the texts and with whatever separator it is read', async () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...'=+-@;,"\'\r\n\t01Aé ＝\u200b\0'.split('')),
    });
    const [line = expect.fail()] = sampleBooking.lines;
    const statement = await businessStatement(1);
    const [movement = expect.fail()] = statement.movements;
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (text, other) => {
        const cell = await communicationCell(text);
        expect(['', text.trim().replaceAll("'", '')]).toContain(cell?.replaceAll("'", ''));
        const changed = {
          ...movement,
          ...{ amount: -1_005n, communication: free(text), bankReference: other },
          counterparty: { account: other, currency: 'EUR', name: text, bic: text },
        };
        const movements = [changed, changed];
        const labels = { department: text, account: other, label: text };
        const booking = { ...sampleBooking, source: other, lines: [{ ...line, ...labels }, line] };
        for (const csv of [statementsCsv([{ ...statement, movements }]), payrollCsv([booking])]) {
          for (const separator of [';', ',', '\t']) {
            for (const each of cellsOf(csv, separator).flat()) {
              expect(each).not.toMatch(
                /^[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠](?!\d+,\d{2,3}$)|^[\t\r]/u,
              );
            }
          }
        }
      }),
      { numRuns: rounds({ short: 60, all: 300 }) },
    );
  });

  test('amounts and dates are as Belgian spreadsheets read them', async () => {
    const [columns = [], ...rows] = cellsOf(statementsCsv([await businessStatement(3)]));
    const cells = (name: string) => rows.map((row) => row[columns.indexOf(name)]);
    for (const amount of cells('amount')) expect(amount).toMatch(/^-?\d+,\d{2,3}$/);
    for (const code of cells('code')) expect(code).toMatch(/^\d-\d\d-\d\d-\d{3}$/);
    for (const date of cells('valueDate')) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    const [names = [], line] = cellsOf(payrollCsv([sampleBooking]));
    expect(line?.[names.indexOf('debit')]).toMatch(/^\d+,\d\d$/);
    expect(line).toHaveLength(names.length);
  });

  test('a movement without an entry date has that of its total, and else of the statement', async () => {
    const [first = expect.fail()] = movements;
    const undated = { ...first, entryDate: undefined, details: [] };
    const total = {
      ...{ ...first, entryDate: '2026-02-02' },
      transactionCode: code(2, '04', '50'),
      details: [{ ...undated, transactionCode: code(6, '04', '50') }],
    };
    const statement = await sampleStatement({ movements: [total, undated] });
    const [columns = [], ...rows] = cellsOf(statementsCsv([statement]));
    expect(rows.map((row) => row[columns.indexOf('entryDate')])).toEqual([
      '2026-02-02',
      '2026-02-02',
      '2026-02-03',
    ]);
  });

  test('a sequence number of more than eleven digits keeps them', () => {
    const [, row] = cellsOf(payrollCsv([{ ...sampleBooking, sequenceNumber: 123_456_789_012 }]));
    expect(row?.[2]).toBe("'123456789012");
    for (const sequenceNumber of [0, 7]) {
      const [, short] = cellsOf(payrollCsv([{ ...sampleBooking, sequenceNumber }]));
      expect(short?.[2]).toBe(`${sequenceNumber}`);
    }
  });

  test('a name that was not provided is an empty cell', async () => {
    const [draft = expect.fail()] = movements;
    const counterparty = { account: '', currency: '', name: 'NOTPROVIDED' };
    const statement = await sampleStatement({ movements: [{ ...draft, counterparty }] });
    expect(statementsCsv([statement])).not.toContain('NOTPROVIDED');
  });

  test('a third decimal is kept', async () => {
    const draft = { ...(movements[0] ?? expect.fail()), amount: 1_005n, communication: free('x') };
    const csv = statementsCsv([await sampleStatement({ movements: [draft] })]);
    expect(csv).toContain(';1,005;');
  });
});
