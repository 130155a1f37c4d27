import { expect, test } from 'vitest';
import {
  hashStatement,
  looksLikeCoda,
  type StatementDraft,
  writeCoda,
} from '../../../src/index.js';
import { codesOf, fileOf, linesOf, readAll } from '../coda-file.js';
import { sample } from '../sample-statement.js';

const next: StatementDraft = {
  ...sample,
  statementNumber: 15,
  oldBalance: { amount: 1_221_000n, date: '2026-02-03' },
};
const lines = linesOf(sample);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const chunked = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

/** A file as it should be, with two statements. */
const whole = Buffer.from(writeCoda([sample, next], { encoding: 'windows-1252' }));
const joinedWith = (mark: string) => {
  const middle = whole.length / 2;
  return Buffer.concat([whole.subarray(0, middle), latin1(mark), whole.subarray(middle)]);
};
const shorten = (line: string) => (line.startsWith('9') ? line.slice(0, 57) : line);

test.each<[string, Buffer, string[]]>([
  ['CR CR LF', latin1(whole.toString('latin1').replaceAll('\r\n', '\r\r\n')), ['lineEnd']],
  [
    'blanks behind each record',
    latin1(whole.toString('latin1').replaceAll('\r\n', '   \r\n')),
    ['trailingBlanks'],
  ],
  ['1A behind the last record', latin1(`${whole.toString('latin1').trimEnd()}\x1A`), ['lineEnd']],
  [
    'a blank line behind each record',
    latin1(whole.toString('latin1').replaceAll('\r\n', '\r\n\r\n')),
    ['blankLine'],
  ],
  ['1A in a line of its own', latin1(`${whole.toString('latin1')}\x1A`), ['blankLine']],
  ['no line ends', latin1(whole.toString('latin1').replaceAll('\r\n', '')), ['lineEndMissing']],
  [
    'files joined without a line end',
    Buffer.concat([latin1(linesOf(sample).join('\r\n')), latin1(linesOf(next).join('\r\n'))]),
    ['lineEndMissing'],
  ],
  ['CR alone', latin1(whole.toString('latin1').replaceAll('\r\n', '\r')), ['lineEndMissing']],
  [
    '1A between joined files',
    Buffer.concat([
      whole.subarray(0, whole.length / 2 - 2),
      latin1('\x1A'),
      whole.subarray(whole.length / 2),
    ]),
    ['lineEndMissing', 'lineEnd'],
  ],
  ['1A between files', joinedWith('\x1A'), ['blankLine']],
  ['a byte order mark between files', joinedWith('\xEF\xBB\xBF'), ['blankLine']],
  ['1A and a byte order mark between files', joinedWith('\x1A\xEF\xBB\xBF'), ['blankLine']],
  [
    'files joined without a line end, with trailers that are cut',
    Buffer.concat([
      latin1(linesOf(sample).map(shorten).join('\r\n')),
      latin1(linesOf(next).map(shorten).join('\r\n')),
    ]),
    ['lineEndMissing', 'trailerCut'],
  ],
])('CODA transfers: %s: both statements are read, with a warning', async (_, bytes, codes) => {
  const expected = await readAll(whole);
  for (const size of [bytes.length, 100, 7]) {
    const results = await readAll(size === bytes.length ? bytes : chunked(bytes, size));
    expect(
      [...new Set(codesOf(results))].filter((found) => found !== 'lastThoughFollowed'),
    ).toEqual(codes);
    expect(results.map(({ statement }) => statement?.movements)).toEqual(
      expected.map(({ statement }) => statement?.movements),
    );
    // Both are recognised when they are delivered again.
    const hashes = results.map(({ bytes: own, statement }) =>
      hashStatement(own, statement?.encoding ?? 'ascii'),
    );
    expect(hashes).toEqual(expected.map(({ bytes: own }) => hashStatement(own, 'windows-1252')));
    expect(new Set(hashes).size).toBe(2);
  }
});

const utf16 = (order: 'le' | 'be', mark: string) => {
  const bytes = Buffer.from(`${mark}${lines.join('\r\n')}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const utf32 = Buffer.concat(
  Array.from(lines.join('\r\n'), (character) => {
    const unit = Buffer.alloc(4);
    unit.writeUInt32BE(character.codePointAt(0) ?? 0);
    return unit;
  }),
);
/** The digits, blank and capitals of EBCDIC; other characters do not matter here. */
const ebcdic = Buffer.from(
  Array.from(lines.join(''), (character) => {
    if (/\d/.test(character)) return String.fromCharCode(0xf0 + Number(character));
    return character === ' ' ? '\x40' : '\xC4';
  }).join(''),
  'latin1',
);

test.each([
  ['UTF-16', utf16('le', '\uFEFF')],
  ['UTF-16', utf16('be', '\uFEFF')],
  ['UTF-16', utf16('le', '')],
  ['UTF-32', utf32],
  ['EBCDIC', ebcdic],
])(
  'CODA transfers: a file in %s is recognised, and refused with that cause',
  async (name, bytes) => {
    expect(looksLikeCoda(bytes.subarray(0, 116))).toBe(true);
    const results = await readAll(chunked(bytes, 1000));
    const [first] = results.flatMap(({ findings }) => findings);
    expect(first).toMatchObject({ code: 'encodingUnsupported', found: name, severity: 'error' });
    expect(results.every(({ statement }) => statement === undefined)).toBe(true);
  },
);

test('CODA transfers: files in UTF-8 that were joined without a line end are read', async () => {
  const accented = { ...sample, account: { ...sample.account, holder: 'Société Zoé' } };
  const joined = [accented, { ...accented, statementNumber: 15 }].map((draft) =>
    linesOf(draft).join('\r\n'),
  );
  const results = await readAll(Buffer.from(joined.join('')));
  expect(results.map(({ statement }) => statement?.account.holder)).toEqual([
    'Société Zoé',
    'Société Zoé',
  ]);
});

test.each([
  ['no line ends', '', true],
  ['CR alone', '\r', true],
  ['no line ends, cut trailers', '', false],
])('CODA transfers: a file in UTF-8 with %s is cut by characters', async (_, lineEnd, isPadded) => {
  const accented = [...lines, ...linesOf(next)]
    .map((line) => line.replace(/[a-m]/g, 'é').replace(/[n-z]/g, '€'))
    .map((line) => (isPadded ? line : shorten(line)));
  const expected = (await readAll(fileOf(accented))).map(({ statement }) => statement);
  expect(expected.map((statement) => statement?.encoding)).toEqual(['utf-8', 'utf-8']);
  const bytes = Buffer.from(accented.join(lineEnd));
  for (const size of [bytes.length, 100, 7]) {
    const results = await readAll(size === bytes.length ? bytes : chunked(bytes, size));
    expect(codesOf(results)).toContain('lineEndMissing');
    expect(results.map(({ statement }) => statement)).toEqual(expected);
  }
});

test('CODA transfers: the length of a line is told as it is', async () => {
  const long = lines.with(2, `${lines[2]}${'x'.repeat(100_000)}`);
  const findings = (await readAll(latin1(long.join('\n')))).flatMap((result) => result.findings);
  const finding = findings.find(({ code }) => code === 'lineLength');
  expect(finding).toMatchObject({ found: '100128' });
});

test('D-30 a statement is the same with the former number of its account and with its IBAN', async () => {
  const { iban: _, ...account } = sample.account;
  const former = {
    ...account,
    ...({ structure: 0, number: '096123456769', qualifier: '0', country: 'BE' } as const),
  };
  const [one, other] = [
    writeCoda([{ ...sample, account: former }]),
    writeCoda([{ ...sample, account: { ...sample.account, number: 'BE71096123456769' } }]),
  ];
  expect(Buffer.compare(one, other)).not.toBe(0);
  expect(hashStatement(one, 'utf-8')).toBe(hashStatement(other, 'utf-8'));
  const changed = writeCoda([{ ...sample, account: { ...former, number: '000000000097' } }]);
  expect(hashStatement(changed, 'utf-8')).not.toBe(hashStatement(one, 'utf-8'));
  const later = { ...next, statementNumber: 17, oldBalance: { amount: 5n, date: '2026-02-03' } };
  const results = await readAll(writeCoda([{ ...sample, account: former }, later]));
  expect(codesOf(results)).toContain('statementNumberGap');
});
