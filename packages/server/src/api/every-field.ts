/** All fields of a response, including optional ones: adding a field to the spec breaks the build until it is set. */
type EveryField<Body> = { [Name in keyof Required<Body>]: Body[Name] | undefined };

/** Returns a response without the fields that are undefined (§2.1). */
export function omitAbsent<Body extends object>(fields: EveryField<Body>): Body {
  const present: Partial<EveryField<Body>> = {};
  for (const name in fields) {
    if (fields[name] !== undefined) present[name] = fields[name];
  }
  return present as Body;
}

/**
 * Does nothing at run time. It compiles only if all fields were destructured from a request, so a
 * field that is added to the spec cannot be ignored by accident.
 *
 * @example
 * const { limit, offset, ...rest } = body;
 * noFieldLeft(rest);
 */
export function noFieldLeft(_rest: Readonly<Record<string, never>>): void {}
