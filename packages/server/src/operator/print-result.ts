import type { OperatorContext } from './operator-context.js';

/** The option that every command has but `serve`. */
export interface JsonOption {
  readonly json?: true;
}

/** Prints a result for scripts with `--json`, for people otherwise. */
export function printResult(
  context: OperatorContext,
  options: JsonOption,
  result: unknown,
  forPeople: () => string,
): void {
  context.print(options.json ? `${JSON.stringify(result, null, 2)}\n` : forPeople());
}

/**
 * Rows as text in aligned columns under their headings, for people.
 *
 * @example
 * formatTable(['ID', 'NAME'], [['1', 'Kantoor Maes']])
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return 'None.\n';
  const lines = [headings, ...rows];
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

/** Labels and values as aligned lines. */
export function formatLines(values: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(values).map((label) => label.length));
  return Object.entries(values)
    .map(([label, value]) => `${label.padEnd(width)}  ${value}\n`)
    .join('');
}

/** In code points, so that letters outside the basic plane count once. */
function lengthOf(text: string): number {
  return [...text].length;
}
