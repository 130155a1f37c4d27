import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatEnterpriseNumber,
  parseEnterpriseNumber,
} from '../../src/identifiers/enterprise-number.js';

test.each([
  ['0403.019.261', '0403019261'],
  ['0477.472.701', '0477472701'],
  ['0428.759.497', '0428759497'],
  ['1026.783.503', '1026783503'],
])('§2.1 enterprise number: %s is valid', (text, digits) => {
  expect(parseEnterpriseNumber(text)).toBe(digits);
});

test.each([
  ['0477.472.702', 'wrong check digits'],
  ['0000.000.097', 'a base of zeros'],
  ['0000.000.000', 'zeros'],
  ['2403.019.261', 'a first digit other than 0 or 1'],
  ['0403019261', 'no dots'],
  ['.0403.019.261', 'a dot before it'],
  ['0403.019.261.', 'a dot after it'],
  ['BE0403.019.261', 'a country prefix'],
  ['0403.019.261 ', 'a space after it'],
  ['0403.019.261\n', 'a line end after it'],
  ['0403.019.2611', 'one digit too many'],
  ['٠٤٠٣.٠١٩.٢٦١', 'digits of another script'],
  ['', 'an empty string'],
])('§2.1 enterprise number: %j is refused (%s)', (text) => {
  expect(parseEnterpriseNumber(text)).toBeUndefined();
});

const base = fc.integer({ min: 1, max: 19_999_999 }).map((n) => String(n).padStart(8, '0'));

test('§2.1 enterprise number: every base has exactly one pair of check digits, 01 to 97', () => {
  fc.assert(
    fc.property(base, (eight) => {
      const valid = Array.from({ length: 100 }, (_, check) => check).filter(
        (check) => parseEnterpriseNumber(dotted(eight, check)) !== undefined,
      );
      expect(valid).toEqual([97 - (Number(eight) % 97)]);
    }),
  );
});

test('§2.1 enterprise number: formatting the stored digits returns the parsed text', () => {
  fc.assert(
    fc.property(base, (eight) => {
      const text = dotted(eight, 97 - (Number(eight) % 97));
      expect(formatEnterpriseNumber(parseEnterpriseNumber(text) ?? '')).toBe(text);
    }),
  );
});

function dotted(eight: string, check: number): string {
  return formatEnterpriseNumber(`${eight}${String(check).padStart(2, '0')}`);
}
