import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatBic, parseBic } from '../../src/identifiers/bic.js';

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
