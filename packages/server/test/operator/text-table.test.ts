import { expect, test } from 'vitest';
import { formatLines, formatTable } from '../../src/operator/print-result.js';

test('operator: a table is aligned by its widest cells, without trailing spaces', () => {
  const text = formatTable(
    ['ID', 'NAME', 'ON'],
    [
      ['1', 'Kantoor Maes', ''],
      ['22', 'Été', 'on'],
    ],
  );
  expect(text).toBe('ID  NAME          ON\n1   Kantoor Maes\n22  Été           on\n');
});

test('operator: an empty list says so', () => {
  expect(formatTable(['ID'], [])).toBe('None.\n');
});

test('operator: values are aligned behind their labels', () => {
  expect(formatLines({ id: '1', tenant: 'maes' })).toBe('id      1\ntenant  maes\n');
});
