import { expect, test } from 'vitest';
import { formatLines, formatTable } from '../../src/operator/print-result.js';

test('operator: a table is aligned by its widest cells, without blanks at line ends', () => {
  const text = formatTable(
    ['ID', 'NAME', 'ON'],
    [
      ['1', 'Kantoor Maes', ''],
      ['22', 'Été', 'on'],
    ],
  );
  expect(text).toBe('ID  NAME          ON\n1   Kantoor Maes\n22  Été           on\n');
});

test('operator: a list of nothing says so', () => {
  expect(formatTable(['ID'], [])).toBe('None.\n');
});

test('operator: values stand in one column behind their labels', () => {
  expect(formatLines({ id: '1', tenant: 'maes' })).toBe('id      1\ntenant  maes\n');
});
