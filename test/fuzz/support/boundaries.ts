import type { SpecSchema } from '@adx/contract/spec';
import fc from 'fast-check';

const texts = [
  ...[
    '',
    ' ',
    '%',
    "'",
    '\\',
    '\u0000',
    'a\u0000',
    '\ud800',
    '\udc00a',
    '\u{10ffff}',
    '\ufffe',
    '\ufeff',
  ],
  ...['e\u0301', '\u202e', '__proto__', 'NaN', 'Infinity', '-infinity', 'epoch', 'null'],
];

/** Texts at the boundaries of a format, inside and outside. */
export const formats: Readonly<Record<string, readonly string[]>> = {
  date: [
    ...['0000-01-01', '0000-02-29', '0001-01-01', '0004-02-29', '0100-02-29', '1582-10-10'],
    ...['1900-02-29', '2000-02-29', '2023-02-29', '2024-02-29', '2026-02-31', '2026-04-31'],
    ...['2026-00-01', '2026-01-00', '2026-13-01', '2026-1-1', '9999-12-31', '10000-01-01'],
    ...['-0001-01-01', '2026-01-01 BC', '20260101', 'today'],
  ],
  'date-time': [
    ...['0000-01-01T00:00:00Z', '0000-01-01T00:00:00+23:59', '0001-01-01T00:00:00+23:59'],
    ...['0001-01-01T00:00:00-23:59', '9999-12-31T23:59:59.999999999-23:59', '2026-02-31T00:00:00Z'],
    ...['2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00', '2026-01-01T12:00:60Z'],
    ...[
      '2026-01-01T24:00:00Z',
      '2026-01-01T23:60:00Z',
      '2026-01-01T23:59:61Z',
      '2026-01-01T00:00Z',
    ],
    ...['2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00+14:60', '2026-01-01T00:00:00', '1e3'],
    ...['2026-01-01t00:00:00z', '2026-01-01T00:00:00-00:00', '+010000-01-01T00:00:00Z'],
    ...[`2026-01-01T00:00:00.${'9'.repeat(1_000)}Z`, '2026-01-01T00:00:00.Z', 'now'],
  ],
  email: [
    'a@b',
    'a@b.c',
    '@',
    'a@b@c',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.be`,
    'é@b.be',
    'a@b.be\u0000',
  ],
};

/** JSON of numbers around those that PostgreSQL, JavaScript and JSON can hold. */
const numbers = [
  ...['0', '-0', '-0.0', '-1', '1', '1.0', '10e-1', '0.1', '1.5', '1e2', '1e-400'],
  ...['32767', '32768', '2147483647', '2147483648', '4294967296', '9007199254740991'],
  ...['9007199254740992', '9223372036854775807', '9223372036854775808', '-9223372036854775809'],
  ...['1e19', '1e21', '1e100', '1.7976931348623157e308', '1e309', '-1e309', '1'.repeat(400)],
];

/** Returns JSON at the boundaries of a text or a number, inside and outside. */
export function boundariesOf(schema: SpecSchema): readonly string[] {
  const { type, pattern, minLength = 0, maxLength = 300, minimum, maximum } = schema;
  if (type === 'integer' || type === 'number') {
    const ends = [minimum, maximum].flatMap((end) => (typeof end === 'number' ? [end] : []));
    return [...numbers, ...ends.flatMap((end) => [end - 1, end, end + 1].map(String))];
  }
  if (type !== 'string') return [];
  const format = String(schema['format']);
  const lengths = [minLength, maxLength].flatMap((end) => [Number(end), Number(end) + 1]);
  const matching =
    typeof pattern === 'string'
      ? fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 3, seed: 1 })
      : [];
  return [
    ...(formats[format] ?? []),
    ...texts,
    ...lengths.flatMap((length) => ['a', '💩', 'ﷺ'].map((letter) => letter.repeat(length))),
    ...matching,
  ].map((text) => JSON.stringify(text));
}
