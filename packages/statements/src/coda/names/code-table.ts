/** The languages of names, in the order of the columns of the tables. */
export const nameLanguages = ['fr', 'nl', 'de', 'en'] as const;
export type NameLanguage = (typeof nameLanguages)[number];

/** Names by code, in one language. */
export type CodeNames = ReadonlyMap<string, string>;

/**
 * Parses a table with a code and its French, Dutch, German and English name in each line, so that
 * the languages can be compared at a glance.
 *
 * @throws Error if a line does not have five cells, or a code is there twice
 */
export function parseCodeTable(table: string): Readonly<Record<NameLanguage, CodeNames>> {
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const codes = new Set(rows.map(([code]) => code));
  if (codes.size < rows.length) throw new Error('A code is twice in the table');
  for (const row of rows) {
    if (row.length !== 5 || row.includes(''))
      throw new Error(`A cell is missing: ${row.join('|')}`);
  }
  const column = (index: number): CodeNames =>
    new Map(rows.map((row) => [row[0] ?? '', row[index] ?? '']));
  return { fr: column(1), nl: column(2), de: column(3), en: column(4) };
}
