/**
 * Control characters, line ends, and marks that change the direction of text. With them a name could be
 * displayed as another one, or control a terminal.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function escapeUnprintable(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes these characters as JSON does, except for the line breaks between lines. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeUnprintable).join('\n');
}

/** Formats rows as columns under their headings. A missing value is an empty cell. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  if (rows.length === 0) return 'None.\n';
  const lines = [headings, ...rows].map((line) =>
    line.map((cell) => escapeUnprintable(String(cell ?? ''))),
  );
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  );
  const format = (line: readonly string[]) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd();
  return `${lines.map(format).join('\n')}\n`;
}

/** Formats labels and values as aligned lines. A label without a value is left out. */
export function formatLines(values: Readonly<Record<string, string | number | undefined>>): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...present.map(([label]) => label.length));
  return present
    .map(([label, value]) => `${label.padEnd(width)}  ${escapeUnprintable(String(value))}\n`)
    .join('');
}
