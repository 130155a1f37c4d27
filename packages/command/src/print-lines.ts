import { escapeUnprintable } from './unprintable.js';

/**
 * Formats rows as columns under their headings. A missing value is an empty cell.
 *
 * @example
 * formatTable(['ID', 'NAME'], [['1', 'Kantoor Maes']])
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  if (rows.length === 0) return 'None.\n';
  const lines = [headings, ...rows].map((line) =>
    line.map((cell) => escapeUnprintable(String(cell ?? ''))),
  );
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => lengthOf(line[column] ?? ''))),
  );
  const format = (line: readonly string[]) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)))
      .join('  ')
      .trimEnd();
  return `${lines.map(format).join('\n')}\n`;
}

/** Formats labels and values as aligned lines. A label without a value is left out. */
export function formatLines(values: Readonly<Record<string, string | number | undefined>>): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...present.map(([label]) => label.length));
  return present
    .map(([label, value]) => `${escapeUnprintable(`${label.padEnd(width)}  ${value}`)}\n`)
    .join('');
}

/** Counts code points, so that characters outside the basic plane count once. */
function lengthOf(text: string): number {
  return [...text].length;
}
