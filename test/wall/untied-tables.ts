import type {
  DeleteStmt,
  InsertStmt,
  JoinExpr,
  Node,
  ParseResult,
  RangeVar,
  SelectStmt,
  SubLink,
  UpdateStmt,
  WithClause,
} from 'libpg-query';
import type { FirmTables } from './firm-tables.js';
import {
  type Appearance,
  type Appearances,
  nothing,
  type Output,
  outputOf,
  type Relation,
  readValue,
  relationOf,
  type Scope,
  union,
  unionOf,
  unknownOutput,
  type Value,
} from './sql-scope.js';
import { type Equality, type Insertion, tie } from './tie.js';

/**
 * Returns the tables of firms' data of which a parsed statement may read or change rows of any
 * firm, in the order of their appearance.
 *
 * A table is tied to the firm if a condition that all of its rows meet compares its firm with a
 * parameter, or a record to which it refers with one that a tied table refers to. The conditions
 * are those of `where` and `on` that are joined by `and`, also in `exists` and `in`. Nothing else
 * counts: a condition that is not understood ties nothing, so a mistake of this analysis is
 * noticed.
 */
export function untiedTables({ stmts = [] }: ParseResult, tables: FirmTables): string[] {
  const appearances: Appearance[] = [];
  const equalities: Equality[] = [];
  const insertions: Insertion[] = [];
  const narrowedBy = (sides: Equality['sides'], narrows: Appearances) =>
    equalities.push({ sides, narrows });

  function appear(table: string): Appearance {
    const appearance: Appearance = { table, state: tables.has(table) ? 'open' : 'tied' };
    if (tables.has(table)) appearances.push(appearance);
    return appearance;
  }

  function statement(node: Node, outer?: Scope): Output {
    if ('SelectStmt' in node) return select(node.SelectStmt, outer);
    if ('InsertStmt' in node) return insert(node.InsertStmt, outer);
    if ('UpdateStmt' in node) return change(node.UpdateStmt, node.UpdateStmt.fromClause, outer);
    if ('DeleteStmt' in node) return change(node.DeleteStmt, node.DeleteStmt.usingClause, outer);
    // Such as `begin` and `set`, and others such as `merge`, of which no condition is understood.
    every(Object.values(node), { relations: [], outer, queries: new Map() });
    return unknownOutput;
  }

  function scopeOf(outer: Scope | undefined, clause?: WithClause): Scope {
    const queries = new Map(outer?.queries);
    for (const query of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in query)) continue;
      const { ctename = '', ctequery } = query.CommonTableExpr;
      // A query that refers to itself knows nothing of itself.
      if (clause?.recursive) queries.set(ctename, unknownOutput);
      if (ctequery) {
        const scope = { relations: [], outer, queries: new Map(queries) };
        queries.set(ctename, statement(ctequery, scope));
      }
    }
    return { relations: [], outer, queries };
  }

  /** @param rows - the appearances whose rows are taken only if this query has a row */
  function select(query: SelectStmt, outer?: Scope, rows = nothing): Output {
    const scope = scopeOf(outer, query.withClause);
    if (query.larg && query.rarg) {
      every([query.sortClause, query.limitCount, query.limitOffset], scope);
      return unionOf(select(query.larg, scope), select(query.rarg, scope));
    }
    // An aggregate may have a row although the query finds none.
    const isAggregate =
      query.groupClause || query.havingClause || has(query.targetList, 'FuncCall');
    const outside = isAggregate ? nothing : rows;
    const inside = from(query.fromClause, scope, outside);
    where(query.whereClause, union(inside, outside), scope);
    const { fromClause: _, whereClause: __, withClause: ___, ...rest } = query;
    every(rest, scope);
    // A condition on a page, or on rows with sums over all rows, does not change what they were
    // taken from.
    const isPart = query.limitCount || query.limitOffset || has(query.targetList, 'over');
    return outputOf(query.targetList, scope, isPart ? nothing : inside);
  }

  function insert(query: InsertStmt, outer?: Scope): Output {
    const scope = scopeOf(outer, query.withClause);
    const { relname = '', alias } = query.relation ?? {};
    const target = appear(relname);
    const source = query.selectStmt;
    const lists = source && 'SelectStmt' in source ? (source.SelectStmt.valuesLists ?? []) : [];
    const output = source === undefined ? unknownOutput : statement(source, scope);
    const columns = (query.cols ?? []).map((column) =>
      'ResTarget' in column ? (column.ResTarget.name ?? '') : '',
    );
    const inserted = (index: number): Value[] =>
      lists.length === 0
        ? [output.columns[index]?.[1]]
        : lists.map((list) =>
            readValue('List' in list ? list.List.items?.[index] : undefined, scope),
          );
    const values = new Map(columns.map((column, index) => [column, inserted(index)]));
    insertions.push({ target, values });
    scope.relations.push(relationOf(target, alias?.aliasname ?? relname, tables));

    const { action, infer, whereClause, targetList } = query.onConflictClause ?? {};
    if (action === 'ONCONFLICT_UPDATE') {
      // The row that is changed has the inserted values only in the columns of the conflict.
      const existing = appear(relname);
      const index = (infer?.indexElems ?? []).flatMap((each) =>
        'IndexElem' in each ? (each.IndexElem.name ?? []) : [],
      );
      for (const column of index) {
        const [value, ...others] = values.get(column) ?? [];
        const first: Value = [{ of: existing, name: column }];
        if (others.length === 0) narrowedBy([first, value], new Set([existing]));
      }
      const updated: Scope = { ...scope, relations: [] };
      updated.relations.push(relationOf(existing, alias?.aliasname ?? relname, tables));
      where(whereClause, new Set([existing]), updated);
      every(targetList, updated);
    }
    every(query.returningClause?.exprs, scope);
    return outputOf(query.returningClause?.exprs, scope, nothing);
  }

  /** `update` or `delete`, with its `from` or `using`. */
  function change(
    query: UpdateStmt | DeleteStmt,
    others: readonly Node[] | undefined,
    outer?: Scope,
  ): Output {
    const scope = scopeOf(outer, query.withClause);
    const { relname = '', alias } = query.relation ?? {};
    const target = appear(relname);
    scope.relations.push(relationOf(target, alias?.aliasname ?? relname, tables));
    where(query.whereClause, union(new Set([target]), from(others, scope)), scope);
    if ('targetList' in query) every(query.targetList, scope);
    every(query.returningClause?.exprs, scope);
    return outputOf(query.returningClause?.exprs, scope, nothing);
  }

  /** Adds the relations of `from` to the scope, and returns the appearances in them. */
  function from(items: readonly Node[] | undefined, scope: Scope, rows = nothing) {
    return union(...(items ?? []).map((item) => fromItem(item, scope, rows)));
  }

  function fromItem(item: Node, scope: Scope, rows: Appearances): Appearances {
    if ('JoinExpr' in item) return join(item.JoinExpr, scope, rows);
    const relation = relationIn(item, scope);
    scope.relations.push(relation);
    return relation.narrowed;
  }

  function relationIn(item: Node, scope: Scope): Relation {
    if ('RangeVar' in item) return table(item.RangeVar, scope);
    if ('RangeSubselect' in item) {
      const { subquery, alias } = item.RangeSubselect;
      const output = subquery === undefined ? unknownOutput : statement(subquery, scope);
      return { ...output, name: alias?.aliasname ?? '' };
    }
    every(item, scope);
    return { ...unknownOutput, name: '' };
  }

  function table({ schemaname, relname = '', alias }: RangeVar, scope: Scope): Relation {
    const name = alias?.aliasname ?? relname;
    const query = schemaname === undefined ? scope.queries.get(relname) : undefined;
    // Several parts of the statement may read a query of `with`, so a condition in one does not
    // narrow it.
    if (query !== undefined) return { ...query, name, narrowed: nothing };
    return relationOf(appear(relname), name, tables);
  }

  function join(item: JoinExpr, scope: Scope, rows: Appearances): Appearances {
    const { jointype, larg, rarg, quals, usingClause = [] } = item;
    const keepsLeft = jointype === 'JOIN_LEFT' || jointype === 'JOIN_FULL';
    const keepsRight = jointype === 'JOIN_RIGHT' || jointype === 'JOIN_FULL';
    const before = scope.relations.length;
    const left = larg ? fromItem(larg, scope, keepsRight ? nothing : rows) : nothing;
    const middle = scope.relations.length;
    const right = rarg ? fromItem(rarg, scope, keepsLeft ? nothing : rows) : nothing;
    const narrows = union(
      keepsLeft ? nothing : left,
      keepsRight ? nothing : right,
      keepsLeft || keepsRight ? nothing : rows,
    );
    for (const column of usingClause) {
      if (!('String' in column)) continue;
      const valueIn = (relations: readonly Relation[]) =>
        relations.map((each) => each.column(column.String.sval ?? '')).find(Boolean);
      const [one, other] = [scope.relations.slice(before, middle), scope.relations.slice(middle)];
      narrowedBy([valueIn(one), valueIn(other)], narrows);
    }
    where(quals, narrows, scope);
    return union(left, right);
  }

  /** Records the equalities of a condition that all rows of the given appearances meet. */
  function where(node: Node | undefined, narrows: Appearances, scope: Scope): void {
    if (node === undefined) return;
    if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
      for (const part of node.BoolExpr.args ?? []) where(part, narrows, scope);
    } else if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP' && isEquals(node.A_Expr.name)) {
      equal(node.A_Expr.lexpr, node.A_Expr.rexpr, narrows, scope);
    } else if ('SubLink' in node && isPlain(node.SubLink)) {
      const { subselect, testexpr } = node.SubLink;
      const query = subselect && 'SelectStmt' in subselect ? subselect.SelectStmt : {};
      const output = select(query, scope, narrows);
      every(testexpr, scope);
      // Without one, it is `exists`.
      if (testexpr === undefined) return;
      const within = union(narrows, output.narrowed);
      for (const [index, part] of partsOf(testexpr).entries()) {
        narrowedBy([readValue(part, scope), output.columns[index]?.[1]], within);
      }
    } else every(node, scope);
  }

  function equal(
    left: Node | undefined,
    right: Node | undefined,
    narrows: Appearances,
    scope: Scope,
  ): void {
    const [one, other] = [partsOf(left), partsOf(right)];
    for (const [index, part] of one.entries()) {
      const opposite = other[index];
      narrowedBy([readValue(part, scope), readValue(opposite, scope)], narrows);
    }
    every([left, right], scope);
  }

  /**
   * Reads the queries anywhere below a part of a statement. A table that is found otherwise stays
   * open.
   */
  function every(part: unknown, scope: Scope): void {
    if (typeof part !== 'object' || part === null) return;
    if (isStatement(part)) statement(part, scope);
    else if ('relname' in part) appear(String(part.relname));
    else for (const child of Object.values(part)) every(child, scope);
  }

  for (const { stmt } of stmts) if (stmt) statement(stmt);
  tie(equalities, insertions, tables);
  return appearances.filter(({ state }) => state === 'open').map(({ table }) => table);
}

const statements = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'];

function isStatement(part: object): part is Node {
  return statements.some((name) => name in part);
}

/** Returns true for `exists (…)` and `… in (…)`. */
function isPlain({ subLinkType, operName }: SubLink): boolean {
  return subLinkType === 'EXISTS_SUBLINK' || (subLinkType === 'ANY_SUBLINK' && !operName);
}

function isEquals(name: readonly Node[] | undefined): boolean {
  const [operator] = name ?? [];
  return operator !== undefined && 'String' in operator && operator.String.sval === '=';
}

/** Returns the parts of a row such as `(a, b)`, or the expression itself. */
function partsOf(node: Node | undefined): readonly (Node | undefined)[] {
  return node && 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node];
}

/** Returns true if an object below a part of a statement has this key. */
function has(part: unknown, key: string): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return key in part || Object.values(part).some((child) => has(child, key));
}
