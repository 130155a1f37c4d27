import { expect, test } from 'vitest';
import {
  decodeStatement,
  detectEncoding,
  linesBeyondAscii,
} from '../../../src/coda/read/encoding.js';

/** Returns a line of 128 positions that begins with a text. */
const line = (text: string, positions = 128) =>
  text.padEnd(positions - [...text].length + text.length);

const detect = (lines: readonly Uint8Array[]) => detectEncoding(Buffer.concat(lines), () => lines);
const utf8Lines = (...lines: readonly string[]) => detect(lines.map((each) => Buffer.from(each)));
/** Returns the encoding of bytes, given as a string with one character for each byte. */
const bytes = (text: string) => detect([Buffer.from(text, 'latin1')]);

test('CODA text: bytes below 80 are ASCII, and their lines are not examined', () => {
  const lines = () => expect.fail();
  expect(detectEncoding(Buffer.from('0000\x7f'), lines)).toBe('ascii');
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
  ['cp850', 'a\u0082b\nc', 'aéb\nc'],
] as const)('CODA text in %s: a statement is decoded unchanged (%j)', (encoding, text, decoded) => {
  const bytes = Buffer.from(text, encoding === 'cp850' ? 'latin1' : 'utf8');
  const read = decodeStatement(bytes, [bytes.indexOf('\n'), bytes.length], encoding);
  expect(read.text).toBe(decoded);
  expect(read.lineEnds).toEqual([decoded.indexOf('\n'), decoded.length]);
});

test('CODA text: the lines beyond ASCII are found, without their line ends', () => {
  const text = 'é\r\nabc\r\naéé\nxé';
  const bytes = Buffer.from(text, 'latin1');
  const lineEnds = [2, 7, 11, 14];
  const lines = linesBeyondAscii(bytes, lineEnds).map((line) =>
    Buffer.from(line).toString('latin1'),
  );
  expect(lines).toEqual(['é', 'aéé', 'xé']);
});
