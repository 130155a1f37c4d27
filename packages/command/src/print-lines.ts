import { escapeUnprintable } from './unprintable.js';

/** A value of a table or line. Instants are shown in ISO 8601. */
export type Cell = string | number | Date | null | undefined;

/**
 * Formats rows as columns under their headings. A missing value is an empty cell.
 *
 * @example
 * formatTable(['ID', 'NAME'], [['1', 'Kantoor Maes']])
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  if (rows.length === 0) return 'None.\n';
  const lines = [headings, ...rows].map((line) =>
    line.map((cell) => escapeUnprintable(textOf(cell ?? ''))),
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

/**
 * Formats records as a table, whose headings are the names of the cells.
 *
 * @example
 * formatRecords(firms, ({ id, name }) => ({ ID: id, NAME: name }))
 */
export function formatRecords<Row>(
  records: readonly Row[],
  cellsOf: (record: Row) => Readonly<Record<string, Cell>>,
): string {
  const rows = records.map(cellsOf);
  return formatTable(Object.keys(rows[0] ?? {}), rows.map(Object.values));
}

/** Formats labels and values as aligned lines. A label without a value is left out. */
export function formatLines(values: Readonly<Record<string, Cell>>): string {
  const present = Object.entries(values).flatMap(([label, value]) =>
    value === undefined || value === null ? [] : [{ label, text: textOf(value) }],
  );
  const width = Math.max(0, ...present.map(({ label }) => label.length));
  return present
    .map(({ label, text }) => `${escapeUnprintable(`${label.padEnd(width)}  ${text}`)}\n`)
    .join('');
}

function textOf(value: NonNullable<Cell>): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Counts code points, so that characters outside the basic plane count once. */
function lengthOf(text: string): number {
  return [...text].length;
}
