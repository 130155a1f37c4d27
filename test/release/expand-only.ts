import {
  type AlterTableCmd,
  type Constraint,
  type CreateFunctionStmt,
  type CreateStmt,
  type Node,
  parseSync,
  type RangeVar,
} from 'libpg-query';

/** What the statements of a migration have made so far. No service of the former release uses it. */
interface Made {
  /** Names of tables, and of functions with the types of their parameters. */
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
  const isMade = (table: RangeVar | undefined) => made.objects.has(nameOf(table));
  if ('CreateStmt' in node) return makesTable(node.CreateStmt, made);
  if ('CreateTableAsStmt' in node) {
    const { into, if_not_exists } = node.CreateTableAsStmt;
    return makesTable({ relation: into?.rel, if_not_exists }, made) && !changesRows(node);
  }
  if ('CreateFunctionStmt' in node) return makesFunction(node.CreateFunctionStmt, made);
  // It may have an index or a trigger of an old table.
  if ('CreateSchemaStmt' in node) return node.CreateSchemaStmt.schemaElts === undefined;
  // An index holds up the calls that write to the table, and a trigger changes what they write.
  if ('IndexStmt' in node) return isMade(node.IndexStmt.relation);
  if ('CreateTrigStmt' in node) return isMade(node.CreateTrigStmt.relation);
  if ('AlterTableStmt' in node) {
    const { relation, cmds = [] } = node.AlterTableStmt;
    const commands = cmds.flatMap((each) => ('AlterTableCmd' in each ? each.AlterTableCmd : []));
    return isMade(relation) || addsColumns(nameOf(relation), commands, made);
  }
  if ('UpdateStmt' in node) {
    const { relation, targetList = [] } = node.UpdateStmt;
    const columns = targetList.map((target) =>
      'ResTarget' in target ? `${nameOf(relation)}.${target.ResTarget.name}` : '',
    );
    const isNew = columns.every((column) => made.columns.has(column));
    return (isMade(relation) || isNew) && !changesRows(node.UpdateStmt);
  }
  if ('DeleteStmt' in node) {
    return isMade(node.DeleteStmt.relation) && !changesRows(node.DeleteStmt);
  }
  if ('InsertStmt' in node) {
    const { relation, onConflictClause: conflict } = node.InsertStmt;
    const onlyInserts = conflict === undefined || conflict.action === 'ONCONFLICT_NOTHING';
    return (isMade(relation) || onlyInserts) && !changesRows(node.InsertStmt);
  }
  if ('SelectStmt' in node) return !changesRows(node);
  if ('VariableSetStmt' in node) return node.VariableSetStmt.is_local === true;
  return addsByItsKind.some((kind) => kind in node);
}

const addsByItsKind = [
  ...['CommentStmt', 'CreateSeqStmt', 'CreateEnumStmt', 'CompositeTypeStmt', 'CreateDomainStmt'],
  ...['CreateExtensionStmt', 'TransactionStmt'],
];

/**
 * Records a new table. One that may exist already is not made, a temporary one hides an old one for a while, and
 * a child or partition is part of its parent.
 */
function makesTable(
  {
    relation,
    if_not_exists: mayExist,
    inhRelations: parents,
  }: { [Field in 'relation' | 'if_not_exists' | 'inhRelations']?: CreateStmt[Field] | undefined },
  made: Made,
): boolean {
  if (mayExist || parents !== undefined || relation?.relpersistence === 't') return false;
  made.objects.add(nameOf(relation));
  return true;
}

/** Records a new function. With defaults, calls of an old one with the same name could mean this one. */
function makesFunction(
  { funcname = [], parameters = [], replace }: CreateFunctionStmt,
  made: Made,
): boolean {
  const ofParameters = parameters.flatMap((each) =>
    'FunctionParameter' in each ? each.FunctionParameter : [],
  );
  if (ofParameters.some(({ defexpr }) => defexpr !== undefined)) return false;
  const types = ofParameters.map(({ argType }) => argType?.names?.map(nameIn).join('.'));
  const signature = `${funcname.map(nameIn).join('.')}(${types.join()})`;
  if (replace) return made.objects.has(signature);
  made.objects.add(signature);
  return true;
}

/** Returns true if a query has a statement within it that changes rows, as `with` allows. */
function changesRows(query: object): boolean {
  return /"(Insert|Update|Delete|Merge)Stmt":/.test(JSON.stringify(query));
}

/**
 * Returns true if services that do not know the new columns can still insert rows, and the table is neither
 * rewritten nor indexed: a new column may be null or has a constant default, and a new constraint is a
 * check or a reference of new columns only.
 */
function addsColumns(table: string, commands: readonly AlterTableCmd[], made: Made): boolean {
  // A column that may exist already is not made.
  if (commands.some(({ missing_ok: mayExist }) => mayExist)) return false;
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

/** Returns the name of a table, with its schema if the statement names one. */
function nameOf(table: RangeVar | undefined): string {
  return [table?.schemaname ?? [], table?.relname ?? []].flat().join('.');
}

function nameIn(node: Node | undefined): string {
  return (node && 'String' in node && node.String.sval) || '';
}
