import type { Information } from '../statement.js';

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
  const joined: Information[] = [];
  const cutLength = cutLengthOf(information);
  let previous = '';
  for (const one of information) {
    const { communication } = one;
    const before = joined.at(-1);
    if (communication.kind !== 'free' || before?.communication.kind !== 'free') {
      joined.push(one);
    } else {
      const separator = separatorOf(previous, communication.text, cutLength);
      if (separator === undefined) {
        joined.push(one);
      } else {
        const text = before.communication.text + separator + communication.text;
        joined[joined.length - 1] = { ...before, communication: { kind: 'free', text } };
      }
    }
    previous = communication.kind === 'free' ? communication.text : '';
  }
  return joined;
}

/** The text between two parts of one text, or undefined if these are two texts. */
function separatorOf(
  previous: string,
  next: string,
  cutLength: number | undefined,
): string | undefined {
  const full = cutLength ?? lengths.find((length) => previous.length <= length) ?? 0;
  if (previous === '' || next === '') return undefined;
  if (previous.length === full) return '';
  const blank = next.indexOf(' ');
  const word = blank === -1 ? next.length : blank;
  return previous.length + 1 + word > full ? ' ' : undefined;
}

/** The length at which a bank cuts lines that are shorter than a record, if it does. */
function cutLengthOf(information: readonly Information[]): number | undefined {
  const lines = information.slice(0, -1).map(({ communication }) => communication);
  if (lines.length < CUT_LINES) return undefined;
  let longest = 0;
  for (const line of lines) {
    if (line.kind !== 'free') return undefined;
    longest = Math.max(longest, line.text.length);
  }
  // A blank at the end of a line is not part of the text.
  const areCut = lines.every((line) => line.kind === 'free' && line.text.length >= longest - 1);
  return areCut && longest < lengths[0] ? longest : undefined;
}
