import type { Knex } from 'knex';
import { escapeUnprintable } from '../identifiers/unprintable.js';
import { type OperatorContext, requireFirm } from './operator-context.js';

/** The option `--json`. All commands have it, except for `serve` and `worker`. */
export interface JsonOption {
  readonly json?: true;
}

/** Prints a result as JSON with `--json`, and as text otherwise. */
export function printResult(
  context: OperatorContext,
  options: JsonOption,
  result: unknown,
  toText: () => string,
): void {
  context.print(options.json ? `${JSON.stringify(result, null, 2)}\n` : toText());
}

/** Prints what a list returns for all firms, or for that of the option `--firm`. */
export async function printList<Row>(
  context: OperatorContext,
  options: JsonOption & { readonly firm?: string },
  list: (knex: Knex) => Promise<readonly Row[]>,
  toText: (rows: readonly Row[]) => string,
): Promise<void> {
  const rows = await context.withDatabase(async (knex) => {
    if (options.firm !== undefined) await requireFirm(knex, options.firm);
    return list(knex);
  });
  printResult(context, options, rows, () => toText(rows));
}

/**
 * Formats rows as columns under their headings.
 *
 * @example
 * formatTable(['ID', 'NAME'], [['1', 'Kantoor Maes']])
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return 'None.\n';
  const lines = [headings, ...rows].map((line) => line.map(escapeUnprintable));
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

/** Formats labels and values as aligned lines, one each. */
export function formatLines(values: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(values).map(lengthOf));
  return Object.entries(values)
    .map(([label, value]) => escapeUnprintable(`${label.padEnd(width)}  ${value}`))
    .map((line) => `${line}\n`)
    .join('');
}

/** Counts code points, so that characters outside the basic plane count once. */
function lengthOf(text: string): number {
  return [...text].length;
}
