import { expect, test } from 'vitest';
import { bicOfBankCode } from '../../src/identifiers/bic-of-bank-code.js';

test.each([
  ['000', 'GEBABEBB', 'first of a range'],
  ['049', 'GEBABEBB', 'last of a range'],
  ['050', 'GKCCBEBB', 'first of the next range'],
  ['100', 'NBBEBEBB203', 'only one of its range'],
  ['102', undefined, 'one without a BIC'],
  ['112', undefined, 'one between two ranges, not assigned'],
  ['999', undefined, 'last of all, without a BIC'],
])('CODA record 0: the bank code %s has the BIC %s (%s)', (code, bic, _) => {
  expect(bicOfBankCode(code)).toBe(bic);
});
