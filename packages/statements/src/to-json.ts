/**
 * Returns a copy that `JSON.stringify` accepts: amounts are numbers of the same unit instead of
 * bigints. They have at most 15 digits, so none is rounded.
 */
export function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toJson(field)]));
}
