/** What ends a line or turns the direction of what follows: neither belongs in a name. */
const LINE_ENDS_AND_TURNS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** A text as one line, without anything that could end the line or reorder what stands after it. */
export function singleLine(text: string): string {
  return text.replaceAll(LINE_ENDS_AND_TURNS, ' ').replaceAll(/ {2,}/g, ' ').trim();
}
