import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatAccount,
  formatAmount,
  formatEnterpriseNumber,
  formatStructuredReference,
} from '../../src/texts/belgian-format.js';

describe('PDF: Belgian notation', () => {
  test.each([
    [0n, '0,00'],
    [10n, '0,01'],
    [1n, '0,001'],
    [-5n, '-0,005'],
    [999_990n, '999,99'],
    [1_000_000n, '1.000,00'],
    [-1_234_560n, '-1.234,56'],
    [999_999_999_999_999n, '999.999.999.999,999'],
  ])('%s thousandths are %s', (amount, text) => {
    expect(formatAmount(amount)).toBe(text);
  });

  test.each(['x090933755493', '0909337554930', '09093375549x'])(
    'the reference %s is not changed',
    (digits) => expect(formatStructuredReference(digits)).toBe(digits),
  );

  test('formatted amounts can be parsed back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (amount) => {
        const text = formatAmount(amount, 'always');
        expect(text).toMatch(/^[+-]?\d{1,3}(\.\d{3})*,\d{2,3}$/);
        const [whole = '', decimals = ''] = text.replaceAll(/[.+]/g, '').split(',');
        expect(BigInt(whole.replace('-', '') + decimals.padEnd(3, '0'))).toBe(
          amount < 0n ? -amount : amount,
        );
        expect(text.startsWith('-')).toBe(amount < 0n);
        expect(text.startsWith('+')).toBe(amount > 0n);
      }),
    );
  });

  test.each(['xBE71096123456769', 'BE7x096123456769', 'BE71096123456769-', 'be71096123456769'])(
    'the account %s is not an IBAN and is not changed',
    (account) => {
      expect(formatAccount(account)).toBe(account);
    },
  );

  test.each(['x0403019261', '04030192610', '403019261', '04030x9261'])(
    '%s is not a number of ten or twelve digits and is not changed',
    (digits) => {
      expect(formatEnterpriseNumber(digits)).toBe(digits);
      expect(formatStructuredReference(digits)).toBe(digits);
    },
  );
});
