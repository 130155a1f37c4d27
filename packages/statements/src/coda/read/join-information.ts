import type { FreeCommunication, Information } from '../statement.js';

/** The lengths of a free text that fills record 3.1, records 3.1 and 3.2, or all three. */
const lengths = [73, 178, 268] as const;
/** So many lines of one length were cut at that length. */
const CUT_LINES = 3;

/**
 * Joins free texts that a bank wrapped over several records 3.1, as ING does. A text that fills its
 * records is continued without a blank. One that is shorter is continued with a blank if the next
 * word did not fit; otherwise the next text is another one.
 *
 * @returns the information in the same order, a joined text with the numbers of its first record
 */
export function joinInformation(information: readonly Information[]): readonly Information[] {
  if (information.length < 2) return information;
  const cutLength = cutLengthOf(information);
  const joined: Information[] = [];
  let last: Information | undefined;
  let previous = '';
  for (const one of information) {
    const text = freeTextOf(one);
    const separator = separatorOf(previous, text, cutLength);
    if (separator === undefined || last === undefined) {
      last = one;
      joined.push(one);
    } else {
      const communication = { kind: 'free', text: freeTextOf(last) + separator + text } as const;
      last = { ...last, communication };
      joined[joined.length - 1] = last;
    }
    previous = text;
  }
  return joined;
}

/** The length of a line of a free communication (record 4, 33-112). */
const MESSAGE_LINE = 80;

/** Joins the lines of a message of the bank. A line that is full was cut, also within a word. */
export function joinMessage({ lines }: FreeCommunication): string {
  const separated = lines.map((line) => (line.length === MESSAGE_LINE ? line : `${line} `));
  return separated.join('').trim();
}

/** Empty for a structured communication. */
function freeTextOf({ communication }: Information): string {
  return communication.kind === 'free' ? communication.text : '';
}

/** The text between two parts of one text, or undefined if these are two texts. */
function separatorOf(
  previous: string,
  next: string,
  cutLength: number | undefined,
): string | undefined {
  if (previous === '' || next === '') return undefined;
  const full = cutLength ?? lengthOf(previous);
  if (previous.length === full) return '';
  const blank = next.indexOf(' ');
  const word = blank === -1 ? next.length : blank;
  return previous.length + 1 + word > full ? ' ' : undefined;
}

/** The length of a text that fills the records that this one takes. */
function lengthOf({ length }: string): number {
  if (length <= lengths[0]) return lengths[0];
  return length <= lengths[1] ? lengths[1] : lengths[2];
}

/**
 * The length at which a bank cuts lines that are shorter than a record, if it does. Lines that all
 * begin with the same word, or with a number, are a list.
 */
function cutLengthOf(information: readonly Information[]): number | undefined {
  const count = information.length - 1;
  if (count < CUT_LINES) return undefined;
  let longest = 0;
  let shortest: number = lengths[0];
  const beginnings = new Set<string>();
  for (const one of information.slice(0, count)) {
    const text = freeTextOf(one);
    longest = Math.max(longest, text.length);
    shortest = Math.min(shortest, text.length);
    beginnings.add(text.replace(/ .*/, '').replace(/\d+/g, '0'));
  }
  // A blank at the end of a line is not part of the text.
  const isCut = shortest >= longest - 1 && longest > 0 && longest < lengths[0];
  return isCut && beginnings.size > 1 ? longest : undefined;
}
