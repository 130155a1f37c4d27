import { decimalsOf, formatFixedPoint } from './amount.js';

/**
 * The value of a document in JSON: each number that is a `bigint` is a text with a decimal point.
 */
export type JsonValue<Value> = Value extends bigint
  ? string
  : Value extends Uint8Array
    ? never
    : Value extends object
      ? { readonly [Key in keyof Value]: JsonValue<Value[Key]> }
      : Value;

/**
 * Returns a copy of a document, or of a part of it, that `JSON.stringify` can write. Amounts are
 * texts with three decimals, such as `-12.500`, because a number of JSON would lose cents; rates
 * have eight decimals, and volumes two.
 */
export function toJsonValue<Value>(value: Value): JsonValue<Value> {
  return convert(value, '') as JsonValue<Value>;
}

function convert(value: unknown, field: string): unknown {
  if (typeof value === 'bigint') return formatFixedPoint(value, decimalsOf(field));
  if (Array.isArray(value)) return value.map((item) => convert(item, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, convert(member, name)]),
  );
}
