import { expect, test } from 'vitest';
import { decodeStatement } from '../../../src/coda/read/encoding.js';
import { CodaRecord } from '../../../src/coda/read/records/coda-record.js';

/** Returns a line of 128 positions that begins with a text. */
const line = (text: string, positions = 128) =>
  text.padEnd(positions - [...text].length + text.length);

/** Decodes lines, which are joined with line ends. */
function decode(lines: readonly Buffer[], lineEnd = '\n') {
  const all = Buffer.concat(lines.flatMap((each) => [each, Buffer.from(lineEnd)]));
  const bytes = all.subarray(0, -lineEnd.length);
  const lineEnds = [...bytes.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index] : []));
  return decodeStatement(bytes, [...lineEnds, bytes.length]);
}

const detect = (lines: readonly Buffer[]) => decode(lines).encoding;
const utf8Lines = (...lines: readonly string[]) => detect(lines.map((each) => Buffer.from(each)));
/** Returns the encoding of bytes, given as a string with one character for each byte. */
const bytes = (text: string) => detect([Buffer.from(text, 'latin1')]);

test('CODA text: bytes below 80 are ASCII', () => {
  expect(detect([Buffer.from('0000\x7f')])).toBe('ascii');
});

test.each([
  ['every line has 128 characters', [line('Café'), line('à 100 €')], 'utf-8'],
  ['a line without special characters is short', [line('Café'), line('ASCII', 90)], 'utf-8'],
  ['a line is short either way', [line('Café', 100)], 'utf-8'],
  ['a line has 128 characters, another 128 bytes', [line('Café'), line('Café', 127)], 'utf-8'],
  ['every line has 128 bytes', [line('Café', 127), line('à €', 125)], 'windows-1252'],
  ['the other lines are short', [line('Café', 127), line('ASCII', 90)], 'windows-1252'],
  ['one line has 128 bytes, another is short', [line('Café', 127), line('é', 90)], 'utf-8'],
] as const)('CODA text that is valid UTF-8: where %s, it is %3$s', (_case, lines, encoding) => {
  expect(utf8Lines(...lines)).toBe(encoding);
});

test.each([
  ['é beside a letter before it', 'a\x82 ', 'cp850'],
  ['é beside a letter behind it', ' \x82z', 'cp850'],
  ['é beside a capital', 'Z\x82', 'cp850'],
  ['é beside no letter', '[\x82{', 'windows-1252'],
  ['ê at the end of the text', 'a\x88', 'cp850'],
  ['ö between letters', 'K\x94ln', 'cp850'],
  ['ö behind a letter', 'a\x94 ', 'windows-1252'],
  ['ö before a letter', ' \x94a', 'windows-1252'],
  ['a separate à', ' \x85 ', 'cp850'],
  ['à behind a word, which is an ellipsis', 'a\x85 ', 'windows-1252'],
  ['as many letters of windows-1252', 'a\x82 \xc0', 'windows-1252'],
  ['fewer letters of windows-1252', 'a\x82 a\x87 \xe9', 'cp850'],
  ['more letters of windows-1252', 'a\x82 \xe9\xe8', 'windows-1252'],
  ['the euro sign of ISO-8859-15', '100 \xa4', 'iso-8859-15'],
  ['the euro signs of both', '100 \xa4 100 \x80', 'windows-1252'],
  ['a byte of windows-1252 alone', '\xa4 \x9f', 'windows-1252'],
  ['a byte that is not a control character', '\xa4 \xa0', 'iso-8859-15'],
  ['œ between letters', 'S\xbdur', 'iso-8859-15'],
  ['a half behind a number', '1\xbd', 'windows-1252'],
  ['a half between a letter and a blank', 'a\xbd ', 'windows-1252'],
  ['a half between a blank and a letter', ' \xbda', 'windows-1252'],
] as const)('CODA text of one byte a character: %s', (_case, text, encoding) => {
  expect(bytes(text)).toBe(encoding);
});

test.each([
  ['ascii', 'abc\nd', 'abc\nd'],
  ['utf-8', 'aéb\nc', 'aéb\nc'],
  ['utf-8', 'a\ufeffb\n\ufeffc', 'a\ufeffb\n\ufeffc'],
  ['utf-8', 'a😀\nc', 'a😀\nc'],
  ['cp850', 'a\u0082b\nc', 'aéb\nc'],
] as const)('CODA text in %s: a statement is decoded unchanged (%j)', (encoding, text, decoded) => {
  const bytes = Buffer.from(text, encoding === 'cp850' ? 'latin1' : 'utf8');
  const found = decodeStatement(bytes, [bytes.indexOf('\n'), bytes.length]);
  const characters = Array.from(decoded);
  expect(found.encoding).toBe(encoding);
  expect(found.lineEnds).toEqual([characters.indexOf('\n'), characters.length]);
  expect(new CodaRecord(1, found.characters).text(1, 9)).toBe(decoded);
});

test.each([
  ['128 characters', line('😀é'), 'utf-8'],
  ['128 bytes', line('😀é', 124), 'windows-1252'],
])('CODA text with characters of four bytes: a line of %s', (_, text, encoding) => {
  for (const lineEnd of ['\n', '\r\n']) {
    const lines = [Buffer.from(text), Buffer.from(line('ASCII'))];
    expect(decode(lines, lineEnd).encoding).toBe(encoding);
  }
});
