import type { SpecSchema } from '@adx/contract/spec';
import fc from 'fast-check';
import { expect } from 'vitest';
import { anyCharacter } from '../../support/any-character.js';
import { belgianIban, enterpriseNumber } from '../../support/numbers.js';
import { resolved } from '../../support/well-formed.js';

/** Texts of every kind: words, any code points, names of JavaScript's built-in properties. */
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('%', '_', "'", '\\', '  ', 'null', '__proto__', "'; --", '\u0000', '\ud800'),
  fc.string({ maxLength: 1_500 }),
);

/** Parts of the patterns in the spec: the characters that are refused in texts, and the spaces. */
const refused = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const spaces = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff';

const withoutForbidden = (each: string) =>
  each.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');

/** Texts by pattern, for patterns for which random matching texts are not enough. */
const patterns: Readonly<Record<string, fc.Arbitrary<string>>> = {
  '^[01][0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$': fc.oneof(
    {
      weight: 4,
      arbitrary: fc.integer({ min: 10_000_000, max: 17_999_999 }).map(enterpriseNumber),
    },
    fc.stringMatching(/^[01]\d{3}\.\d{3}\.\d{3}$/),
  ),
  [`^[^${refused}]*$`]: anyText.map(withoutForbidden),
  [`^[${spaces}]*[^${spaces}${refused}][^${refused}]*$`]: anyText.map(
    (each) => `N${withoutForbidden(each)}`,
  ),
};

/** Dates in years that ISO 8601 writes with four digits. PostgreSQL writes the first as 1 BC. */
const anyDate = fc.date({
  ...{
    noInvalidDate: true,
    min: new Date('0000-01-01'),
    max: new Date('9999-12-31T23:59:59.999Z'),
  },
});

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  email: fc
    .tuple(fc.stringMatching(/^[a-z]{1,20}$/), fc.stringMatching(/^[a-z]{1,20}$/))
    .map(([name, host]) => `${name}@${host}.example`),
  date: anyDate.map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc
    .tuple(anyDate, fc.constantFrom('Z', 'z', '+00:00', '-23:59', '+23:59', '-00:00'))
    .map(([date, zone]) => date.toISOString().replace('Z', zone)),
  password: anyText.map((text) => Buffer.from(text).toString('base64').slice(0, 1_000)),
};

/** Values that have a meaning in a field with this name. */
const meanings: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  iban: fc.oneof(
    fc.integer({ min: 0, max: 9_999_999 }).map((account) => belgianIban(account)),
    fc.integer({ min: 0, max: 9_999_999 }).map((account) =>
      belgianIban(account, '733')
        .toLowerCase()
        .replace(/(.{4})/g, '$1 '),
    ),
    fc.constantFrom('NL91ABNA0417164300', 'FR1420041010050500013M02606', 'BE00000000000000'),
  ),
  code: fc.constantFrom('sdworx', 'partena', 'liantis', '***other***', 'unknown'),
};

/** Generates values that the schema allows. Every format in the spec must have texts above. */
export function arbitraryOf(schema: SpecSchema, name = ''): fc.Arbitrary<unknown> {
  const { type, properties, required = [], items, oneOf, ...rest } = resolved(schema);
  const meaning = meanings[name];
  if (meaning !== undefined) return meaning;
  if (oneOf !== undefined) return fc.oneof(...oneOf.map((form) => arbitraryOf(form)));
  if (Array.isArray(rest['enum'])) return fc.constantFrom(...rest['enum']);
  if (type === 'object') {
    const fields = Object.entries(properties ?? {}).map(
      ([field, child]) => [field, arbitraryOf(child, field)] as const,
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  }
  if (type === 'array')
    return fc.array(arbitraryOf(items ?? {}), {
      maxLength: 4,
      minLength: Number(rest['minItems'] ?? 0),
    });
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') {
    return fc.integer({
      min: Number(rest['minimum'] ?? 0),
      max: Math.min(Number(rest['maximum'] ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER),
    });
  }
  if (type === 'string') return textOf(rest);
  throw new Error(`There are no values for ${JSON.stringify(schema)}`);
}

function textOf(schema: SpecSchema): fc.Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = 10_000 } = schema;
  return textLike(pattern, format)
    .map((value) => [...value].slice(0, Number(maxLength)).join(''))
    .filter((value) => [...value].length >= Number(minLength));
}

function textLike(pattern: unknown, format: unknown): fc.Arbitrary<string> {
  if (typeof pattern === 'string') {
    return patterns[pattern] ?? fc.stringMatching(new RegExp(pattern));
  }
  if (typeof format !== 'string') return anyText;
  return formats[format] ?? expect.fail(`There are no texts of the format ${format}`);
}
