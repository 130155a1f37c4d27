import { latin1Of } from '../../bytes.js';

const LENGTH = 128;
/** The shortest trailer, and the header after it. */
const SHORTEST_JOINED = 52 + LENGTH;
/** The longest record, whose characters have up to four bytes, and the beginning of the next. */
const LONGEST_JOINED = 5 * LENGTH;

const header = String.raw`0{5}\d{9}05[ D] {7}`;
const mark = String.raw`\xEF\xBB\xBF`;
/** The beginnings of the records that may follow one of the types 1 to 8. */
const record = String.raw`[23][123]\d{8}|4 \d{8}|8\d{3}|9 {15}`;

/**
 * Returns a pattern of a record that another one follows directly. A trailer may be shorter than
 * the others. It is applied to a text with one character for each byte.
 *
 * @param character the pattern of one character of the record
 */
function joined(character: string): RegExp {
  const rest = `${character}{${LENGTH - 1}}\\r*`;
  return new RegExp(
    `^(?:${mark}|\\x1A)*(?:(?=${header})0${rest}(?=1[0-3 ]\\d{3}|${record}|${header})|` +
      `[1-48]${rest}(?=${record}|${header}))|` +
      `^9 {15}.{36,112}[\\r\\x1A]*(?=(?:${mark})?${header})`,
    's',
  );
}

const utf8 = joined(
  String.raw`(?:[\x00-\x7F]|[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3})`,
);
const codePage = joined('.');

/**
 * Returns the end of the record at the beginning of a line, if another one follows it directly: in
 * files that were joined, or that have no line ends. The 128 characters of UTF-8 come first, as
 * code pages are hardly ever valid UTF-8.
 *
 * @param from the start of the line in the content
 * @param end the end of the line as far as it has arrived
 * @param isWhole no more of the line arrives
 */
export function endOfJoinedRecord(
  content: Uint8Array,
  from: number,
  end: number,
  isWhole: boolean,
): number | undefined {
  const length = end - from;
  if (length < SHORTEST_JOINED || (!isWhole && length < LONGEST_JOINED)) return undefined;
  const start = latin1Of(content, from, Math.min(end, from + LONGEST_JOINED));
  const found = (utf8.exec(start) ?? codePage.exec(start))?.[0];
  return found === undefined ? undefined : from + found.length;
}
