import type { ColumnRef, Node } from 'libpg-query';
import type { FirmTables } from './firm-tables.js';

/** One appearance of a table in a statement. */
export interface Appearance {
  readonly table: string;
  /**
   * `tied`: only rows of the firm that the statement names. `own`: only rows of the user that it
   * names, which ties no other table. `open`: rows of any firm.
   */
  state: 'open' | 'own' | 'tied';
}

export type Appearances = ReadonlySet<Appearance>;

export interface Column {
  readonly of: Appearance;
  readonly name: string;
}

/**
 * A value: a parameter, the columns that it comes from (one of each branch of a union), or another
 * one.
 */
export type Value = 'parameter' | readonly Column[] | undefined;

/** Something that has columns: a table or a query, by its name in `from`. */
export interface Relation {
  readonly name: string;
  column(name: string): Value;
  /** The appearances from which a condition on the columns takes rows. */
  readonly narrowed: Appearances;
}

/** The columns that a query returns. */
export interface Output extends Omit<Relation, 'name'> {
  /** The names and values in their order. */
  readonly columns: readonly (readonly [name: string, value: Value])[];
}

/** The names that an expression may use. */
export interface Scope {
  readonly relations: Relation[];
  readonly outer: Scope | undefined;
  /** The queries of `with`. */
  readonly queries: ReadonlyMap<string, Output>;
}

export const nothing: Appearances = new Set();

/** An output of which nothing is known. */
export const unknownOutput: Output = { columns: [], column: () => undefined, narrowed: nothing };

export function union(...sets: readonly Appearances[]): Appearances {
  return new Set(sets.flatMap((set) => [...set]));
}

/** Returns the relation of an appearance of a table. */
export function relationOf(of: Appearance, name: string, tables: FirmTables): Relation {
  return {
    name,
    column: (column) => (tables.hasColumn(of.table, column) ? [{ of, name: column }] : undefined),
    narrowed: new Set([of]),
  };
}

/** Returns the value of an expression. */
export function readValue(node: Node | undefined, scope: Scope): Value {
  if (node === undefined) return undefined;
  if ('TypeCast' in node) return readValue(node.TypeCast.arg, scope);
  if ('ParamRef' in node) return 'parameter';
  if ('ColumnRef' in node) return resolve(node.ColumnRef, scope);
  return undefined;
}

function resolve(reference: ColumnRef, scope: Scope): Value {
  const [first = '', second] = namesIn(reference);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    if (second !== undefined) {
      const relation = at.relations.find(({ name }) => name === first);
      if (relation !== undefined) return relation.column(second);
    } else {
      const [value] = at.relations.map((relation) => relation.column(first)).filter(Boolean);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** Returns the output of a list such as that of `select` or `returning`. */
export function outputOf(
  targets: readonly Node[] | undefined,
  scope: Scope,
  narrowed: Appearances,
): Output {
  const columns: [name: string, value: Value][] = [];
  const stars: Relation[] = [];
  for (const target of targets ?? []) {
    if (!('ResTarget' in target)) continue;
    const { name, val } = target.ResTarget;
    const reference = val && 'ColumnRef' in val ? val.ColumnRef : {};
    const names = namesIn(reference);
    const isStar = reference.fields?.some((field) => 'A_Star' in field);
    if (isStar)
      stars.push(...scope.relations.filter((each) => [each.name, undefined].includes(names[0])));
    columns.push(isStar ? ['*', undefined] : [name ?? names.at(-1) ?? '', readValue(val, scope)]);
  }
  return {
    columns,
    narrowed,
    column: (name) =>
      valueIn(columns, name) ?? stars.map((each) => each.column(name)).find((value) => value),
  };
}

/** Returns the output of two queries of a union. A column is known only if it is known in both. */
export function unionOf(left: Output, right: Output): Output {
  const merge = (one: Value, other: Value): Value => {
    if (one === undefined || other === undefined) return undefined;
    if (one === 'parameter' || other === 'parameter') return one === other ? one : undefined;
    return [...one, ...other];
  };
  // The names are those of the left query.
  const columns = left.columns.map(
    ([name, value], index) => [name, merge(value, right.columns[index]?.[1])] as const,
  );
  const narrowed = union(left.narrowed, right.narrowed);
  return { columns, narrowed, column: (name) => valueIn(columns, name) };
}

function valueIn(columns: Output['columns'], name: string): Value {
  return columns.find(([each]) => each === name)?.[1];
}

function namesIn({ fields = [] }: ColumnRef): string[] {
  return fields.flatMap((field) => ('String' in field ? (field.String.sval ?? '') : []));
}
