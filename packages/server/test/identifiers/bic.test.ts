import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatBic, parseBic } from '../../src/identifiers/bic.js';
import { bicOfBankCode } from '../../src/identifiers/bic-of-bank-code.js';

test.each([
  ['GKCCBEBB', 'GKCC BE BB'],
  ['ABNABE2AIPC', 'ABNA BE 2A IPC'],
  ['ATMNBE32XXX', 'ATMN BE 32'],
])('§2.2 BIC: %s is shown as %s', (text, shown) => {
  expect(formatBic(parseBic(text) ?? '')).toBe(shown);
});

test.each([
  '',
  'GKCCBEB',
  'GKCCBEBB1',
  'GKCCBEBBXXXX',
  'gkccbebb',
  'gkccBEBB',
  'GKCC12BB',
  'GKCC BE BB',
])('§2.2 BIC: %j is refused', (text) => {
  expect(parseBic(text)).toBeUndefined();
});

test('§2.2 BIC: a formatted BIC without its spaces is the stored BIC', () => {
  const letterOrDigit = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
  const branch = fc.string({ unit: letterOrDigit, minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.option(branch, { nil: '' }), (suffix) => {
      const bic = parseBic(`KREDBEBB${suffix}`) ?? '';
      expect(formatBic(bic).replaceAll(' ', '')).toBe(bic);
      expect(bic).toBe(suffix === 'XXX' ? 'KREDBEBB' : `KREDBEBB${suffix}`);
    }),
  );
});

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
