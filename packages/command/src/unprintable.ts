/**
 * Control characters, line ends, and marks that change the direction of text. With them a name
 * could be displayed as another one, or control a terminal. `openapi.yaml` refuses the same
 * characters.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

export function hasUnprintable(text: string): boolean {
  return text.search(unprintable) !== -1;
}

export function replaceUnprintable(text: string, by: string): string {
  return text.replace(unprintable, by);
}

/**
 * Escapes the characters as JSON does: a mark is shown as `\u202e`, an ANSI escape as `\u001b[31m`.
 */
export function escapeUnprintable(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes the characters, except for the line breaks between lines. JSON stays the same JSON. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeUnprintable).join('\n');
}
