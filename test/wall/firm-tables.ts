import { type Constraint, type Node, parseSync } from 'libpg-query';

/** The tables with data of firms, and the columns that lead from them to their firm. */
export interface FirmTables {
  /** Returns true for a table whose rows belong to a firm. */
  has(table: string): boolean;
  /** Returns true if the database has this column. */
  hasColumn(table: string, column: string): boolean;
  /**
   * Returns the record that a column identifies, such as `customers.id` for
   * `bank_accounts.customer_id` or `firms.id` for `customers.firm_id`; undefined if it identifies
   * no record of a firm.
   */
  recordOf(table: string, column: string): string | undefined;
  /** Returns true if every such record belongs to exactly one firm. */
  hasOneFirm(record: string): boolean;
}

interface Table {
  /** The columns, and whether they may be null. */
  readonly columns: Map<string, boolean>;
  /** The table and column that a column refers to. */
  readonly references: Map<string, readonly [table: string, column: string]>;
}

/**
 * Reads them from the SQL of migrations, after `loadModule()`: all tables from which foreign keys
 * lead to `firms`, and all that have a column `firm_id`. So a new table is covered by itself.
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
  for (const { stmt } of parseSync(schema).stmts ?? []) {
    if (stmt !== undefined && 'CreateStmt' in stmt) {
      const { relation, tableElts = [] } = stmt.CreateStmt;
      addElements(tables, relation?.relname ?? '', tableElts);
    }
    if (stmt !== undefined && 'AlterTableStmt' in stmt) {
      const { relation, cmds = [] } = stmt.AlterTableStmt;
      const added = cmds.flatMap((each) => ('AlterTableCmd' in each ? each.AlterTableCmd.def : []));
      addElements(tables, relation?.relname ?? '', added);
    }
  }
  return tables;
}

/** Adds columns and foreign keys to a table. */
function addElements(
  tables: Map<string, Table>,
  name: string,
  elements: readonly (Node | undefined)[],
): void {
  const table: Table = tables.get(name) ?? { columns: new Map(), references: new Map() };
  const { columns, references } = table;
  tables.set(name, table);
  const refer = (from: readonly string[], { pktable, pk_attrs: to = [] }: Constraint) => {
    // A customer that was transferred refers to one of another firm.
    if (pktable === undefined || pktable.relname === name) return;
    for (const [index, column] of from.entries()) {
      const target = nameIn(to[index]) || 'id';
      if (!references.has(column)) references.set(column, [pktable.relname ?? '', target]);
    }
  };
  for (const element of elements) {
    if (element !== undefined && 'ColumnDef' in element) {
      const { colname = '', constraints = [] } = element.ColumnDef;
      const own = constraints.flatMap((each) => ('Constraint' in each ? each.Constraint : []));
      const isKept = own.some(({ contype = '' }) => /NOTNULL|PRIMARY/.test(contype));
      columns.set(colname, !isKept);
      if (['firm_id', 'holder'].includes(colname)) references.set(colname, ['firms', 'id']);
      for (const constraint of own) refer([colname], constraint);
    }
    if (element !== undefined && 'Constraint' in element) {
      refer((element.Constraint.fk_attrs ?? []).map(nameIn), element.Constraint);
    }
  }
}

function nameIn(node: Node | undefined): string {
  return (node && 'String' in node && node.String.sval) || '';
}
