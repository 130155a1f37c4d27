import { expect, test } from 'vitest';
import { explainLines, splitIntoLines } from '../../src/coda/explain-lines.js';
import { recordFields } from '../../src/coda/format/record-fields.js';
import { directDebit, party } from '../communications.js';
import { linesOf } from './coda-file.js';
import { sample, transfer } from './sample-statement.js';

const debit = directDebit({ mandate: 'MANDATE-7', text: 'INVOICE 12' });
const lines = linesOf({
  ...sample,
  movements: [
    ...(sample.movements ?? []),
    { ...transfer, communication: debit, information: [party('ACME', 'Rue 1', '1000 Bruxelles')] },
  ],
});

const exchange = {
  ...({ kind: 'structured', type: '105', reference: '', country: 'US' } as const),
  ...{ amount: 12_100n, originalAmount: 13_000n, originalCurrency: 'USD' },
  ...{ rate: 92_000_000n, amountInEuro: 12_100n },
};

test('CODA records 0 to 9: the fields of each record are its 128 positions, in order', () => {
  for (const fields of Object.values(recordFields)) {
    let next = 1;
    for (const [, from, to] of fields) {
      expect(from).toBe(next);
      next = to + 1;
    }
    expect(next).toBe(129);
  }
});

test('CODA records 0 to 9: the parts of each line are all of it', () => {
  for (const [index, parts] of explainLines(lines).entries()) {
    const line = lines[index] ?? '';
    expect(parts.map((part) => part.text).join('')).toBe(line);
    for (const { text, from, to } of parts) expect(line.slice(from - 1, to)).toBe(text);
  }
});

test('CODA records 2 and 3: structured communications have their fields, also over several records', () => {
  const found = explainLines(lines).flat();
  const valuesOf = (field: string) =>
    found
      .filter(({ name }) => name === field)
      .map(({ text }) => text)
      .join('')
      .trimEnd();
  expect(valuesOf('mandate')).toBe('MANDATE-7');
  expect(valuesOf('text')).toContain('INVOICE 12');
  expect(valuesOf('locality')).toMatch(/1000 Bruxelles$/);
  expect(valuesOf('Belgian IBAN')).toMatch(/^BE71096123456769/);
  expect(valuesOf('holder of the account')).toBe(sample.account.holder);
});

test('CODA records 0 to 9: the fields of each kind of record have these names and places', () => {
  const kinds = ['0', '10', '11', '12', '13', '22', '23', '32', '33', '4', '8', '9'];
  const structured = (record: string, at: number, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => {
      const type = String(from + index).padStart(3, '0');
      return `${`${record}00010000`.padEnd(at - 1, '0')}1${type}`;
    });
  const records = [...kinds, ...structured('21', 62, 99, 128), ...structured('31', 40, 0, 12)];
  const described = records.map((record) => {
    const [parts = []] = explainLines([record.padEnd(128, '0')]);
    return parts.map(({ name, from, to, meaning }) => [from, to, name, meaning ?? ''].join(' '));
  });
  expect(described).toMatchSnapshot();
});

test('CODA records 2: numbers, dates and codes have their meaning', () => {
  const transactionCode = { type: 0, family: '05', operation: '03', category: '037' };
  const movements = [{ ...transfer, transactionCode, communication: exchange }];
  const found = explainLines(linesOf({ ...sample, movements })).flat();
  const meaningOf = (name: string) => found.find((part) => part.name === name)?.meaning;
  expect(meaningOf('original amount, with three decimals')).toBe('13.000');
  expect(meaningOf('rate, with eight decimals')).toBe('0.92000000');
  expect(meaningOf('transaction code: family')).toMatch(/direct debit/i);
  expect(meaningOf('transaction code: operation')).toMatch(/unpaid/i);
  expect(meaningOf('transaction code: category')).toMatch(/commission for handling/);
});

test('CODA records 2: dates have the century that the reader gives them, also without an end', () => {
  const fees = {
    ...({ kind: 'structured', type: '123', startDate: '1998-06-15' } as const),
    ...{ maturityDate: 'noFixedTerm', baseAmount: 0n, percentage: 0n },
    ...{ days: '', minimum: '', guaranteeNumber: '' },
  };
  const movements = [{ ...transfer, communication: fees }];
  const found = explainLines(linesOf({ ...sample, movements })).flat();
  const meaningOf = (start: string) => found.find(({ name }) => name.startsWith(start))?.meaning;
  expect(meaningOf('start date')).toBe('1998-06-15');
  expect(meaningOf('maturity date')).toBe('without fixed term');
  expect(meaningOf('type of the communication')).toBe('Fees and commissions');
});

test('CODA records 2: a number that goes on in the next record has its meaning in both', () => {
  const vat = {
    ...({ kind: 'structured', type: '106', amount: 0n, baseAmount: 0n } as const),
    ...{ percentage: 0n, minimum: '', amountInEuro: 1_234_567_890n },
  };
  const movements = [{ ...transfer, communication: vat }];
  const found = explainLines(linesOf({ ...sample, movements })).flat();
  const parts = found.filter(({ name }) => name.startsWith('amount in euro'));
  expect(parts.map(({ meaning }) => meaning)).toEqual(['1234567.890', '1234567.890']);
});

test('CODA records 2: a record 2.2 of the next movement is no part of this one', () => {
  const vat = {
    ...({ kind: 'structured', type: '106', amount: 0n, baseAmount: 0n } as const),
    ...{ percentage: 0n, minimum: '', amountInEuro: 1_234_567_890n },
  };
  const written = linesOf({ ...sample, movements: [{ ...transfer, communication: vat }] });
  const at = written.findIndex((line) => line.startsWith('21'));
  const alone = written.toSpliced(at, 0, written[at] ?? '');
  const [first] = explainLines(alone).slice(at);
  const amount = first?.find(({ name }) => name.startsWith('amount in euro'));
  expect(amount?.meaning).not.toBe('1234567.890');
});

test('CODA: a character of two UTF-16 units takes one position', () => {
  const movements = [{ ...transfer, communication: { kind: 'free', text: 'Zoé 𝄞' } } as const];
  const found = explainLines(linesOf({ ...sample, movements })).flat();
  expect(found.find(({ name }) => name === 'entry date, DDMMYY')?.meaning).toMatch(/^2026-/);
  expect(found.map(({ name }) => name)).not.toContain('beyond the record');
});

test('CODA: what is no record is one part, and a cut trailer has those that are there', () => {
  const [last = ''] = lines.slice(-1);
  const [nothing, cut, long] = explainLines(['hello', last.slice(0, 57), `${last}XY`]);
  expect(nothing).toEqual([{ text: 'hello', name: 'no record', from: 1, to: 5 }]);
  expect(long?.at(-1)).toEqual({ text: 'XY', name: 'beyond the record', from: 129, to: 130 });
  expect(cut?.map((part) => part.text.length)).toEqual([1, 15, 6, 15, 15, 5]);
});

test.each([
  ['CR LF', lines.join('\r\n'), lines],
  ['CR CR LF, and 1A at the end', `${lines.join('\r\r\n')}\x1A`, lines],
  ['no line ends', lines.join(''), lines],
  ['CR alone', lines.join('\r'), lines],
  ['blank lines and a byte order mark', `\n \n\uFEFF${lines.join('\n')}\n`, ['', '', ...lines]],
  ['another file', 'hello\nworld', ['hello', 'world']],
  ['an empty file', '', []],
])('CODA: %s: the lines are those that the reader counts', (_, text, expected) => {
  expect(splitIntoLines(Buffer.from(text))).toEqual(expected);
});

test('CODA: each statement is split into lines in its own encoding', () => {
  const accented = { ...sample, account: { ...sample.account, holder: 'Zoé' } };
  const wide = { ...sample, account: { ...sample.account, holder: 'Zoé 𝄞' } };
  const [one = '', other = ''] = [accented, wide].map((each) => linesOf(each).join('\n'));
  const cp850 = Buffer.from(one.replace('é', '\x82'), 'latin1');
  const ascii = linesOf(sample).join('\n');
  expect(splitIntoLines(Buffer.from(other.replaceAll('\n', '')))).toEqual(other.split('\n'));
  const file = Buffer.concat([Buffer.from(`${ascii}\n`), cp850, Buffer.from(`\n${other}`)]);
  expect(splitIntoLines(file)).toEqual([ascii, one, other].join('\n').split('\n'));
});
