/** All fields of an answer, including optional ones: adding a field to the spec breaks the build until it is set. */
type EveryField<Answer> = { [Name in keyof Required<Answer>]: Answer[Name] | undefined };

/** Returns an answer without the fields that are undefined (§2.1). */
export function omitAbsent<Answer extends object>(fields: EveryField<Answer>): Answer {
  const present: Partial<EveryField<Answer>> = {};
  for (const name in fields) {
    if (fields[name] !== undefined) present[name] = fields[name];
  }
  return present as Answer;
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
