import { expect, test } from 'vitest';
import { formatLines, formatRecords, formatTable } from '../src/print-lines.js';

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

test('operator: cells and values with control characters are shown escaped, on their own line', () => {
  expect(formatTable(['NAME', 'ON'], [['a\u202eb\n\u001b[2J', 'on']])).toBe(
    'NAME                     ON\na\\u202eb\\u000a\\u001b[2J  on\n',
  );
  expect(formatLines({ id: '1', name: 'a\nid  2' })).toBe('id    1\nname  a\\u000aid  2\n');
});

test('operator: an empty list says so', () => {
  expect(formatTable(['ID'], [])).toBe('None.\n');
});

test('operator: values are aligned behind their labels', () => {
  expect(formatLines({ id: '1', tenant: 'maes' })).toBe('id      1\ntenant  maes\n');
});

test('operator: records are a table under the names of their cells, with instants in ISO 8601', () => {
  const on = new Date(0);
  expect(formatRecords([on], (each) => ({ ON: each, BY: null }))).toBe(
    'ON                        BY\n1970-01-01T00:00:00.000Z\n',
  );
  expect(formatRecords([], () => ({ ON: on }))).toBe('None.\n');
  expect(formatLines({ on, by: null })).toBe('on  1970-01-01T00:00:00.000Z\n');
});
