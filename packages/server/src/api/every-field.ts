/** All fields of a response: adding one to the spec breaks the build until it is set. */
export type EveryField<Body> = { [Name in keyof Required<Body>]: Body[Name] | undefined };

/** Returns a response without the fields that are undefined (§2.1). */
export function omitAbsent<Body extends object>(fields: EveryField<Body>): Body {
  const present: Partial<EveryField<Body>> = {};
  for (const name in fields) {
    if (fields[name] !== undefined) present[name] = fields[name];
  }
  return present as Body;
}

/**
 * Compiles only if all fields were destructured from a request, so that none is ignored by
 * accident.
 *
 * @example
 * const { limit, offset, ...rest } = body;
 * noFieldLeft(rest);
 */
export function noFieldLeft(_rest: Readonly<Record<string, never>>): void {}

/** SQL for each field of a record: adding a field to the spec breaks the build until it is set. */
export type FieldSql<Item> = Readonly<Record<Item extends unknown ? keyof Item : never, string>>;

export function columnsOf<Item>(fields: FieldSql<Item>): string {
  return Object.entries(fields)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(', ');
}

/** Returns the record of a row, without the fields that are null (§2.1). */
export function recordOf<Item>(
  fields: FieldSql<Item>,
  row: Readonly<Record<string, unknown>>,
): Item {
  const present: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = row[name];
    if (value !== null) present[name] = value instanceof Date ? value.toISOString() : value;
  }
  return present as Item;
}
