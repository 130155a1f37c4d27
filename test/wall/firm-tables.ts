/** The tables with data of firms, and the columns that lead from them to their firm. */
export interface FirmTables {
  /** Returns true for a table whose rows belong to a firm. */
  has(table: string): boolean;
  /** Returns true if the database has this column. */
  hasColumn(table: string, column: string): boolean;
  /**
   * Returns the record that a column identifies, such as `customers.id` for `bank_accounts.customer_id`
   * or `firms.id` for `customers.firm_id`; undefined if it identifies no record of a firm.
   */
  recordOf(table: string, column: string): string | undefined;
  /** Returns true if every such record belongs to exactly one firm. */
  hasOneFirm(record: string): boolean;
}

interface Table {
  /** The columns, and whether they may be null. */
  readonly columns: ReadonlyMap<string, boolean>;
  /** The table and column that a column refers to. */
  readonly references: ReadonlyMap<string, readonly [table: string, column: string]>;
}

/**
 * Reads them from `schema.sql`: all tables from which foreign keys lead to `firms`, and all that have a
 * column `firm_id`. So a new table is covered by itself.
 */
export function readFirmTables(schema: string): FirmTables {
  const tables = readTables(schema);

  /** Returns the tables that lead to `firms` by references that `follow` accepts. */
  const leadingToFirms = (follow: (table: Table, column: string) => boolean): Set<string> => {
    const found = new Set(['firms']);
    for (let before = 0; before < found.size; ) {
      before = found.size;
      for (const [name, table] of tables) {
        const leads = [...table.references].some(
          ([column, [target]]) => found.has(target) && follow(table, column),
        );
        if (leads) found.add(name);
      }
    }
    return found;
  };
  const ofFirms = leadingToFirms(() => true);
  // An upload of a bank has no grant, and statements of several firms.
  const ofOneFirm = leadingToFirms((table, column) => table.columns.get(column) === false);

  const recordOf = (table: string, column: string): string | undefined => {
    const target = tables.get(table)?.references.get(column);
    if (target !== undefined) return recordOf(...target);
    return column === 'id' && ofFirms.has(table) ? `${table}.id` : undefined;
  };
  return {
    has: (table) => ofFirms.has(table),
    hasColumn: (table, column) => tables.get(table)?.columns.has(column) ?? false,
    recordOf,
    hasOneFirm: (record) => ofOneFirm.has(record.slice(0, record.indexOf('.'))),
  };
}

function readTables(schema: string): Map<string, Table> {
  const tables = new Map<string, Table>();
  for (const [, name = '', body = ''] of schema.matchAll(
    /^create (?:unlogged )?table (\w+) \(\n(.*?)^\)/gms,
  )) {
    const columns = new Map(
      [...body.matchAll(/^ {2}(?!constraint )(\w+) (.*)/gm)].map(([, column = '', type = '']) => [
        column,
        !type.includes(' not null'),
      ]),
    );
    const references = new Map<string, readonly [string, string]>();
    for (const column of ['firm_id', 'holder']) {
      if (columns.has(column)) references.set(column, ['firms', 'id']);
    }
    for (const [, from = '', target = '', to = ''] of body.matchAll(
      /FOREIGN KEY \(([^)]+)\) REFERENCES (\w+)\(([^)]+)\)/g,
    )) {
      // A customer that was transferred refers to one of another firm.
      if (target === name) continue;
      const targets = to.split(', ');
      for (const [index, column] of from.split(', ').entries()) {
        if (!references.has(column)) references.set(column, [target, targets[index] ?? '']);
      }
    }
    tables.set(name, { columns, references });
  }
  return tables;
}
