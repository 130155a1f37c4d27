import { expect, test } from 'vitest';
import { wrapText } from '../../../../src/mandates/signing/mail/request-text.js';

test('mail: lines are as long as the width allows, and no longer', () => {
  expect(wrapText('aaa bbb ccc dddd', 7)).toBe('aaa bbb\nccc\ndddd');
});

test('mail: a word longer than a line stays whole on its own line', () => {
  expect(wrapText('a bbbbbbbbbb c', 4)).toBe('a\nbbbbbbbbbb\nc');
});

test('mail: lines after the first are indented', () => {
  expect(wrapText('- aaa bbb ccc', 9, '  ')).toBe('- aaa bbb\n  ccc');
});

test('mail: a non-breaking space breaks no line', () => {
  expect(wrapText('aaa b\u00a0: ccc', 5)).toBe('aaa\nb\u00a0:\nccc');
});
