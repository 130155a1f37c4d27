/**
 * Does nothing, and compiles only when every field was taken out of a request: one that the spec
 * gains is not dropped in silence.
 *
 * @example
 * const { limit, offset, ...rest } = body;
 * noFieldLeft(rest);
 */
export function noFieldLeft(_rest: Readonly<Record<string, never>>): void {}
