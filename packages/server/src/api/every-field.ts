/** Every field of an answer, optional ones too: one that the spec gains has to be named. */
type EveryField<Answer> = { [Name in keyof Required<Answer>]: Answer[Name] | undefined };

/** An answer without the fields that have no value (§2.1). */
export function omitAbsent<Answer extends object>(fields: EveryField<Answer>): Answer {
  const present: Partial<EveryField<Answer>> = {};
  for (const name in fields) {
    if (fields[name] !== undefined) present[name] = fields[name];
  }
  return present as Answer;
}

/**
 * Does nothing, and compiles only when every field was taken out of a request: one that the spec
 * gains is not dropped in silence.
 *
 * @example
 * const { limit, offset, ...rest } = body;
 * noFieldLeft(rest);
 */
export function noFieldLeft(_rest: Readonly<Record<string, never>>): void {}
