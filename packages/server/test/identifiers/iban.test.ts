import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ibanCheckDigits, ibanOf } from '../../../../test/support/numbers.js';
import { formatIban, normaliseIban, parseIban } from '../../src/identifiers/iban.js';

test.each([
  ['BE71096123456769', 'BE71096123456769'],
  ['BE71 0961 2345 6769', 'BE71096123456769'],
  ['be71 0961 2345 6769', 'BE71096123456769'],
  ['BE54000000000097', 'BE54000000000097'],
  ['NL91 ABNA 0417 1643 00', 'NL91ABNA0417164300'],
  ['fr14 2004 1010 0505 0001 3m02 606', 'FR1420041010050500013M02606'],
  ['LU28 0019 4006 4475 0000', 'LU280019400644750000'],
  ['DE89370400440532013000', 'DE89370400440532013000'],
])('§2.2 IBAN: %s is valid', (text, iban) => {
  expect(parseIban(text)).toBe(iban);
});

test.each([
  ['BE02000000000000', "the account number's own check digits (0 becomes 97)"],
  ['BE72096123456769', 'wrong check digits'],
  ['BE7109612345676', 'one digit too few'],
  ['BE710961234567690', 'one digit too many'],
  ['BE99000000004040', 'check digits that equal 02 modulo 97'],
  ['BE00000000004949', 'check digits that equal 97 modulo 97'],
  ['BE01000000009393', 'check digits that equal 98 modulo 97'],
  ['XX71096123456769', 'an unknown country'],
  ['BE71-0961-2345-6769', 'dashes'],
  ['ßE71096123456769', 'a letter that uppercasing would lengthen'],
  ['bı71096123456769', 'a letter that uppercasing would turn into I'],
  ['Eſ9121000418450200051332', 'a letter that uppercasing would turn into S'],
  ['SC18SſCB11010000000000001497USD', 'such a letter near the start'],
  ['MT84MALT011000012345MTLCAſT001S', 'such a letter near the end'],
  ['', 'an empty string'],
])('§2.2 IBAN: %j is refused (%s)', (text) => {
  expect(parseIban(text)).toBeUndefined();
});

const belgian = fc
  .integer({ min: 0, max: 9_999_999_999 })
  .map((n) => ibanOf(String(n).padStart(10, '0')).slice(4));

test('§2.2 IBAN: a Belgian account number has exactly one pair of check digits, 02 to 98', () => {
  fc.assert(
    fc.property(belgian, (bban) => {
      const valid = Array.from({ length: 100 }, (_, check) =>
        String(check).padStart(2, '0'),
      ).filter((check) => parseIban(`BE${check}${bban}`) !== undefined);
      expect(valid).toEqual([ibanCheckDigits(bban)]);
    }),
  );
});

test('§2.2 IBAN: a Belgian account number fails with any other check digits of its own', () => {
  fc.assert(
    fc.property(belgian, fc.integer({ min: 0, max: 99 }), (bban, other) => {
      const changed = `${bban.slice(0, 10)}${String(other).padStart(2, '0')}`;
      fc.pre(changed !== bban);
      expect(parseIban(`BE${ibanCheckDigits(changed)}${changed}`)).toBeUndefined();
    }),
  );
});

test('§2.2 IBAN: spaces and case do not matter, and the stored form is normalised', () => {
  fc.assert(
    fc.property(
      belgian,
      fc.array(fc.nat(15), { maxLength: 8 }),
      fc.boolean(),
      (bban, at, lower) => {
        const iban = `BE${ibanCheckDigits(bban)}${bban}`;
        const spaced = at.reduce((text, i) => `${text.slice(0, i)} ${text.slice(i)}`, iban);
        const written = lower ? spaced.toLowerCase() : spaced;
        expect(parseIban(written)).toBe(iban);
        expect(normaliseIban(written)).toBe(iban);
      },
    ),
  );
});

test.each([
  ['BE71096123456769', 'BE71 0961 2345 6769'],
  ['FR1420041010050500013M02606', 'FR14 2004 1010 0505 0001 3M02 606'],
])('§2.2 IBAN: %s is printed as %s', (iban, printed) => {
  expect(formatIban(iban)).toBe(printed);
});
