/** SQL with `?` placeholders and the values for them, for `knex.raw`. */
export interface SqlFragment {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

export function fragment(sql: string, ...bindings: SqlFragment['bindings']): SqlFragment {
  return { sql, bindings };
}

/** Returns a condition with one placeholder, or none if the value is absent. */
export function condition(sql: string, value: string | number | undefined): SqlFragment[] {
  return value === undefined ? [] : [{ sql, bindings: [value] }];
}

export function isOneOf(column: string, values: readonly string[]): SqlFragment {
  return { sql: `${column} in (${values.map(() => '?').join(', ')})`, bindings: values };
}

/** Joins conditions with `and`. Without any, the result is true. */
export function allOf(conditions: readonly SqlFragment[]): SqlFragment {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' and ') || 'true',
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}
