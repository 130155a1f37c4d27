import { type AlterTableCmd, type Constraint, type Node, parseSync } from 'libpg-query';

/** What the statements of a migration have made so far. No service of the former release uses it. */
interface Made {
  /** Names of tables and functions. */
  readonly objects: Set<string>;
  /** Columns of tables that existed before, as `table.column`. */
  readonly columns: Set<string>;
}

/**
 * Returns the statements of a migration that may break services of the former release, which run on the
 * new schema too (D-64). `loadModule()` comes first. Everything counts as breaking that is not known to
 * only add. What a function does that a `select` calls is not known, and not looked at.
 */
export function breakingStatements(sql: string): string[] {
  const made: Made = { objects: new Set(), columns: new Set() };
  // Locations are in bytes.
  const bytes = Buffer.from(sql);
  const statements = parseSync(sql).stmts ?? [];
  return statements.flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    if (stmt === undefined || onlyAdds(stmt, made)) return [];
    const end = length === undefined ? bytes.length : start + length;
    return bytes.subarray(start, end).toString().replaceAll(/\s+/g, ' ').trim();
  });
}

function onlyAdds(node: Node, made: Made): boolean {
  const make = (name = '') => made.objects.add(name) !== undefined;
  const isMade = (name = '') => made.objects.has(name);
  if ('CreateStmt' in node) return make(node.CreateStmt.relation?.relname);
  if ('CreateTableAsStmt' in node) {
    return make(node.CreateTableAsStmt.into?.rel?.relname) && !changesRows(node);
  }
  if ('CreateFunctionStmt' in node) {
    const name = nameIn(node.CreateFunctionStmt.funcname?.at(-1));
    return node.CreateFunctionStmt.replace ? isMade(name) : make(name);
  }
  // An index holds up the calls that write to the table, and a trigger changes what they write.
  if ('IndexStmt' in node) return isMade(node.IndexStmt.relation?.relname);
  if ('CreateTrigStmt' in node) return isMade(node.CreateTrigStmt.relation?.relname);
  if ('AlterTableStmt' in node) {
    const { relation, cmds = [] } = node.AlterTableStmt;
    const commands = cmds.flatMap((each) => ('AlterTableCmd' in each ? each.AlterTableCmd : []));
    return isMade(relation?.relname) || addsColumns(relation?.relname ?? '', commands, made);
  }
  if ('UpdateStmt' in node) {
    const { relation, targetList = [] } = node.UpdateStmt;
    const columns = targetList.map((target) =>
      'ResTarget' in target ? `${relation?.relname}.${target.ResTarget.name}` : '',
    );
    return isMade(relation?.relname) || columns.every((column) => made.columns.has(column));
  }
  if ('DeleteStmt' in node) return isMade(node.DeleteStmt.relation?.relname);
  if ('InsertStmt' in node) {
    const { relation, onConflictClause: conflict } = node.InsertStmt;
    const onlyInserts = conflict === undefined || conflict.action === 'ONCONFLICT_NOTHING';
    return isMade(relation?.relname) || onlyInserts;
  }
  if ('SelectStmt' in node) return !changesRows(node);
  if ('VariableSetStmt' in node) return node.VariableSetStmt.is_local === true;
  return addsByItsKind.some((kind) => kind in node);
}

const addsByItsKind = [
  ...['CommentStmt', 'CreateSeqStmt', 'CreateEnumStmt', 'CompositeTypeStmt', 'CreateDomainStmt'],
  ...['CreateSchemaStmt', 'CreateExtensionStmt', 'TransactionStmt'],
];

/** Returns true if a query has a statement within it that changes rows, as `with` allows. */
function changesRows(query: Node): boolean {
  return /"(Insert|Update|Delete|Merge)Stmt":/.test(JSON.stringify(query));
}

/**
 * Returns true if services that do not know the new columns can still insert rows, and the table is neither
 * rewritten nor indexed: a new column may be null or has a constant default, and a new constraint is a
 * check or a reference of new columns only.
 */
function addsColumns(table: string, commands: readonly AlterTableCmd[], made: Made): boolean {
  for (const { subtype, def } of commands) {
    if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) {
      made.columns.add(`${table}.${def.ColumnDef.colname}`);
    }
  }
  const isOfNewColumns = (constraint: Constraint) =>
    columnsOf(constraint).every((column) => made.columns.has(`${table}.${column}`));
  return commands.every(({ subtype, def }) => {
    if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def) {
      const { contype } = def.Constraint;
      return (
        (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN') &&
        columnsOf(def.Constraint).length > 0 &&
        isOfNewColumns(def.Constraint)
      );
    }
    if (subtype !== 'AT_AddColumn' || !def || !('ColumnDef' in def)) return false;
    const constraints = (def.ColumnDef.constraints ?? []).flatMap((each) =>
      'Constraint' in each ? each.Constraint : [],
    );
    const isFilled = constraints.some(({ contype }) => contype === 'CONSTR_DEFAULT');
    return constraints.every((constraint) => {
      switch (constraint.contype) {
        case 'CONSTR_NOTNULL':
          return isFilled;
        case 'CONSTR_DEFAULT':
          return !JSON.stringify(constraint.raw_expr).includes('"FuncCall"');
        case 'CONSTR_CHECK':
          return isOfNewColumns(constraint);
        default:
          return constraint.contype === 'CONSTR_NULL' || constraint.contype === 'CONSTR_FOREIGN';
      }
    });
  });
}

/** Returns the columns that a constraint names. */
function columnsOf({ keys = [], fk_attrs: foreign = [], raw_expr: check }: Constraint): string[] {
  const columns = [...keys, ...foreign].map(nameIn);
  JSON.stringify(check ?? null, (key, value: { readonly fields?: readonly Node[] }) => {
    if (key === 'ColumnRef') columns.push(nameIn(value.fields?.at(-1)));
    return value;
  });
  return columns;
}

function nameIn(node: Node | undefined): string {
  return (node && 'String' in node && node.String.sval) || '';
}
