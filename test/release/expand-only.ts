import { type Node, parseSync, type RangeVar } from 'libpg-query';

/**
 * Returns the statements of a migration that may break services of the former release, which run on
 * the new schema too (D-64). `loadModule()` comes first. Everything counts that is not known to
 * only add.
 */
export function breakingStatements(sql: string): string[] {
  const made = new Set<string>();
  const bytes = Buffer.from(sql);
  return (parseSync(sql).stmts ?? []).flatMap(
    ({ stmt, stmt_location: start = 0, stmt_len: length }) => {
      if (stmt !== undefined && onlyAdds(stmt, made)) return [];
      const end = length === undefined ? bytes.length : start + length;
      return bytes.subarray(start, end).toString().trim();
    },
  );
}

/**
 * @param made - the tables that the migration has made, which no service of the former release uses
 */
function onlyAdds(node: Node, made: Set<string>): boolean {
  if ('CommentStmt' in node) return true;
  if ('CreateStmt' in node) {
    const { relation, if_not_exists: mayExist, inhRelations: parents } = node.CreateStmt;
    if (mayExist || parents !== undefined || relation?.relpersistence === 't') return false;
    made.add(nameOf(relation));
    return true;
  }
  if ('CreateFunctionStmt' in node) return !node.CreateFunctionStmt.replace;
  // An index holds up the calls that write to the table, and a trigger changes what they write.
  if ('IndexStmt' in node) return made.has(nameOf(node.IndexStmt.relation));
  if ('CreateTrigStmt' in node) return made.has(nameOf(node.CreateTrigStmt.relation));
  if ('InsertStmt' in node) {
    const { relation, withClause } = node.InsertStmt;
    return made.has(nameOf(relation)) && withClause === undefined;
  }
  if (!('AlterTableStmt' in node)) return false;
  const { relation, cmds = [] } = node.AlterTableStmt;
  if (made.has(nameOf(relation))) return !cmds.some(tiesTables);
  return cmds.every(addsColumn);
}

function nameOf(relation: RangeVar | undefined): string {
  return `${relation?.schemaname ?? ''}.${relation?.relname}`;
}

/**
 * Returns true for what makes a new table part of one that is there, or one that is there part of
 * it.
 */
function tiesTables(command: Node): boolean {
  const subtype = 'AlterTableCmd' in command ? command.AlterTableCmd.subtype : undefined;
  return subtype === 'AT_AddInherit' || subtype === 'AT_AttachPartition';
}

/**
 * Returns true for a new column that services need not know: it may be null, or has a constant
 * default.
 */
function addsColumn(command: Node): boolean {
  if (!('AlterTableCmd' in command)) return false;
  const { subtype, def, missing_ok: mayExist } = command.AlterTableCmd;
  if (subtype !== 'AT_AddColumn' || mayExist || !def || !('ColumnDef' in def)) return false;
  const type = def.ColumnDef.typeName?.names?.at(-1);
  // The column is not null, and has a default that is not constant.
  if (type && 'String' in type && /serial/.test(type.String.sval ?? '')) return false;
  const constraints = (def.ColumnDef.constraints ?? []).flatMap((each) =>
    'Constraint' in each ? each.Constraint : [],
  );
  const isFilled = constraints.some(({ contype }) => contype === 'CONSTR_DEFAULT');
  return constraints.every(({ contype, raw_expr: value }) => {
    if (contype === 'CONSTR_DEFAULT') return value !== undefined && 'A_Const' in value;
    return contype === 'CONSTR_NULL' || (contype === 'CONSTR_NOTNULL' && isFilled);
  });
}
