import { allowance, othersOf, type Property, propertiesOf } from './compare-properties.js';
import type { Schema } from './references.js';
import {
  allOf,
  boundsOf,
  isType,
  keywordOf,
  type SchemaView,
  sharedKinds,
  typeOf,
  viewOf,
} from './schema-view.js';

/**
 * Returns true if a value may match two schemas: `oneOf` refuses it then. They are told apart by
 * their types, values, limits, formats and patterns, by required fields, and by the items of lists.
 *
 * @param isInside true for a field or an item, whose own fields and alternatives are not looked at:
 *   there are more ways through schemas that refer to each other than anybody could go
 */
export function mayOverlap(first: Schema, second: Schema, isInside = false): boolean {
  const [one, other] = [viewOf(first), viewOf(second)];
  const isApart = (kind: string) => isToldApart(kind, one, other, isInside);
  if (sharedKinds(one, other).every(isApart)) return false;
  const isMet = ({ alternatives: [list] }: SchemaView, schema: Schema) =>
    list === undefined || list.schemas.some((each) => mayOverlap(each, schema, true));
  return isInside || (isMet(one, second) && isMet(other, first));
}

type Properties = ReadonlyMap<string, Property>;

/** The keywords that limit a type from above and from below. */
const limits: Readonly<Record<string, readonly [upper: string[], lower: string[]]>> = {
  number: [
    ['maximum', 'exclusiveMaximum'],
    ['minimum', 'exclusiveMinimum'],
  ],
  string: [['maxLength'], ['minLength']],
  array: [['maxItems'], ['minItems']],
};

/** Formats of which no text has two. */
const distinct = 'date date-time time duration uuid ipv4 ipv6 email'.split(' ');

/** Returns the letters that all texts of a pattern start with. */
function startOf(pattern: string): string {
  return pattern.includes('|') ? '' : (/^\^([\w:/-]*)(?![*?{+])/.exec(pattern)?.[1] ?? '');
}

/** @param kind a type, or a value as JSON, that both schemas allow */
function isToldApart(kind: string, one: SchemaView, other: SchemaView, isInside: boolean): boolean {
  const type = typeOf(kind);
  if (type === 'object') return !isInside && haveOwnFields(one, other);
  const value: unknown = isType(kind) ? undefined : JSON.parse(kind);
  const isCounted = typeof value === 'string' || Array.isArray(value);
  const size = isCounted ? value.length : Number(value ?? Number.NaN);
  const [upper = [], lower = []] = limits[type === 'integer' ? 'number' : type] ?? [];
  if (isBelow(one, other, upper, lower, size) || isBelow(other, one, upper, lower, size))
    return true;
  const textOf = (view: SchemaView, key: string) => keywordOf(view, key)?.text ?? '';
  if (type === 'string') {
    const [format, otherFormat] = [textOf(one, 'format'), textOf(other, 'format')];
    const haveFormats = [format, otherFormat].every((each) => distinct.includes(each));
    const [start, otherStart] = [
      startOf(textOf(one, 'pattern')),
      startOf(textOf(other, 'pattern')),
    ];
    const haveStarts = !start.startsWith(otherStart) && !otherStart.startsWith(start);
    return haveStarts || (haveFormats && format !== otherFormat);
  }
  const [items, otherItems] = [allOf(one, 'items'), allOf(other, 'items')];
  const haveItems = items.length > 0 && otherItems.length > 0;
  return type === 'array' && haveItems && !mayOverlap(items, otherItems, true);
}

/** Returns true if all values of a schema are smaller than those of another one. */
function isBelow(
  one: SchemaView,
  other: SchemaView,
  upper: readonly string[],
  lower: readonly string[],
  size: number,
): boolean {
  const bounds = (view: SchemaView, [key = '', exclusive = '']: readonly string[], open: number) =>
    view.values
      ? [size, open]
      : [boundsOf(view)(key), boundsOf(view)(exclusive)].map((bound) => Number(bound ?? open));
  const tops = bounds(one, upper, Number.POSITIVE_INFINITY);
  const bottoms = bounds(other, lower, Number.NEGATIVE_INFINITY);
  const [top, bottom] = [Math.min(...tops), Math.max(...bottoms)];
  // The second keyword excludes the bound itself.
  return top < bottom || (top === bottom && (tops[1] === top || bottoms[1] === bottom));
}

/** Returns true if no object fits both: each refuses those of the other, or a field differs. */
function haveOwnFields(one: SchemaView, other: SchemaView): boolean {
  const [fields, others] = [propertiesOf(one), propertiesOf(other)];
  const refuses = (view: SchemaView, own: Properties, foreign: Properties) => {
    const needs = (fields: Properties, known: Properties) =>
      [...fields].some(([name, { isRequired }]) => isRequired && !known.has(name));
    return needs(own, foreign) || (allowance(othersOf(view)) === 'nothing' && needs(foreign, own));
  };
  if (refuses(one, fields, others) && refuses(other, others, fields)) return true;
  const shared = [...fields].flatMap(([name, { schema, isRequired }]) => {
    const twin = others.get(name);
    const isDescribed = schema.length > 0 && twin !== undefined && twin.schema.length > 0;
    return isDescribed && (isRequired || twin.isRequired) ? [[schema, twin.schema] as const] : [];
  });
  // A field with values, such as the kind, mostly tells, and is looked at first.
  const haveValues = ([schema]: (typeof shared)[number]) => viewOf(schema).values !== undefined;
  return [...shared.filter(haveValues), ...shared].some((each) => !mayOverlap(...each, true));
}
