/** The result of a benchmark. The first column has the names of the rows. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function formatTable({ head, rows }: Table): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return [head, ...rows].map(line).join('\n');
}

const partOf = (name: string) =>
  new RegExp(`(?<=<!-- measured: ${name} -->\\n).*?(?=<!-- end -->)`, 's');

/** Puts the table between `<!-- measured: name -->` and `<!-- end -->`; throws without them. */
export function withTable(document: string, name: string, table: Table, caption: string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const marks = table.head.map((_, column) => (column === 0 ? '---' : '---:'));
  const lines = [table.head, marks, ...table.rows].map(line).join('');
  if (!partOf(name).test(document)) throw new Error(`There is no place for the table of ${name}`);
  return document.replace(partOf(name), () => `\n${lines}\n${caption}\n\n`);
}

export function readTable(document: string, name: string): Table {
  const [text = ''] = partOf(name).exec(document) ?? [];
  const [head, , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  if (head === undefined) throw new Error(`There is no table of ${name}`);
  return { head, rows };
}

/**
 * Returns a number of a table by the names of its row and column; undefined for a dash.
 *
 * @throws Error if there is no such row or column
 */
export function valueIn({ head, rows }: Table, row: string, column: string): number | undefined {
  const cell = rows.find(([name]) => name === row)?.[head.indexOf(column)];
  if (cell === undefined) throw new Error(`There is no ${column} of ${row}`);
  return cell === '–' ? undefined : Number(cell.replaceAll(',', ''));
}
