import { escaped, type JsonValue } from '../document/json.js';
import type { SpecNode } from '../document/spec-document.js';
import { keywordsOf, partsOf, requiredNames } from '../openapi/schema-object.js';
import { commonTypes, impliedTypes, ownTypes } from '../openapi/schema-parts.js';
import { invalidPlaces } from '../openapi/schema-validation.js';
import { numbersOf, sampleNumber, sampleText } from './sample-scalars.js';

/**
 * Returns a value that a schema allows: an example of the spec, or one built from the keywords.
 * Returns undefined if none was found.
 *
 * @param examples values that the spec shows beside the schema
 */
export function sampleOf(
  schema: SpecNode,
  examples: readonly JsonValue[] = [],
): JsonValue | undefined {
  const builder = new SampleBuilder(schema, examples);
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const value = builder.build();
    const places = invalidPlaces(schema, value);
    if (places.length === 0) return value;
    if (!builder.chooseAnew(places)) break;
  }
  return undefined;
}

/** A place in the value where it could be another one: JSON pointer, and how many there are. */
interface Choice {
  readonly place: string;
  readonly count: number;
}

interface About {
  /** Schemas that describe the same value, and have no more choices. */
  readonly others?: readonly SpecNode[];
  readonly examples?: readonly JsonValue[];
  /** The number of different values before this one, in a list of unique items. */
  readonly variant?: number;
  /** The places of the schemas around it: one that contains itself ends where it can. */
  readonly within?: readonly string[];
}

/** A schema may contain itself. */
const deepest = 8;

class SampleBuilder {
  readonly #schema: SpecNode;
  readonly #examples: readonly JsonValue[];
  /** The choices of the last attempt, by place and depth. */
  readonly #choices = new Map<string, Choice>();
  readonly #chosen = new Map<string, number>();

  constructor(schema: SpecNode, examples: readonly JsonValue[]) {
    this.#schema = schema;
    this.#examples = examples;
  }

  build(): JsonValue {
    this.#choices.clear();
    return this.#value([this.#schema], '', { examples: this.#examples });
  }

  /** Takes the next choice at the innermost of the wrong places. Returns false if there is none. */
  chooseAnew(wrong: readonly string[]): boolean {
    const [next] = [...this.#choices]
      .filter(([key, { count }]) => (this.#chosen.get(key) ?? 0) + 1 < count)
      .filter(([, { place }]) => wrong.some((each) => `${each}/`.startsWith(`${place}/`)))
      .toSorted(
        ([a, one], [b, other]) => other.place.length - one.place.length || b.length - a.length,
      );
    if (next === undefined) return false;
    const [key, { place }] = next;
    this.#chosen.set(key, (this.#chosen.get(key) ?? 0) + 1);
    for (const below of this.#chosen.keys()) {
      if (below.startsWith(`${place}/`) && below !== key) this.#chosen.delete(below);
    }
    return true;
  }

  #value(
    schemas: readonly SpecNode[],
    place: string,
    { others = [], examples = [], variant = 0, within = [] }: About = {},
  ): JsonValue {
    const parts = schemas.flatMap((schema) => partsOf(schema, ['allOf']));
    const depth = place.split('/').length + others.length;
    const shown = [...examples, ...parts.flatMap(shownBy)];
    // A text without quotes may be a number in YAML.
    const told = shown.flatMap((each): JsonValue[] => {
      return typeof each === 'number' ? [each, String(each)] : [each];
    });
    const inside = [...within, ...parts.map(placeOf)];
    const alternatives = parts.flatMap((part) => alternativesOf(part, inside));
    const count = alternatives.reduce((product, { length }) => product * length, 1);
    const key = `${place} ${others.length}`;
    this.#choices.set(key, { place, count: told.length + Math.min(count, 40) });
    const choice = (this.#chosen.get(key) ?? 0) + variant;
    if (choice < told.length) return told[choice] ?? null;
    const all = [...others, ...parts];
    if (alternatives.length === 0 || depth > 40) return this.#built(all, place, variant, inside);
    let number = choice - told.length;
    const taken = alternatives.flatMap((each) => {
      const alternative = each[number % each.length] ?? [];
      number = Math.floor(number / each.length);
      return alternative;
    });
    return this.#value(taken, place, { others: all, within: inside });
  }

  #built(
    parts: readonly SpecNode[],
    place: string,
    variant: number,
    within: readonly string[],
  ): JsonValue {
    if (place.split('/').length > deepest) return null;
    switch (typeOf(parts)) {
      case 'object':
        return this.#object(parts, place, within);
      case 'array':
        return this.#array(parts, place, within);
      case 'number':
        return sampleNumber(parts, variant);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return sampleText(parts, variant);
    }
  }

  #object(parts: readonly SpecNode[], place: string, within: readonly string[]): JsonValue {
    const properties = parts.flatMap((part) => part.get('properties')?.members ?? []);
    const required = parts.flatMap(requiredNames);
    const least = Math.min(100, Math.max(0, ...numbersOf(parts, 'minProperties')));
    const optional = properties.map(({ key }) => key).filter((name) => !required.includes(name));
    const names = new Set([
      ...required,
      ...optional.slice(0, Math.max(0, least - required.length)),
    ]);
    for (let number = 1; names.size < least; number += 1) names.add(`text${number}`);
    return Object.fromEntries(
      [...names].map((name) => {
        const own = properties.filter(({ key }) => key === name);
        const schemas = own.length > 0 ? own : keywordsOf(parts, 'additionalProperties');
        return [name, this.#value(schemas, `${place}/${escaped(name)}`, { within })];
      }),
    );
  }

  #array(parts: readonly SpecNode[], place: string, within: readonly string[]): JsonValue {
    const first = keywordsOf(parts, 'prefixItems').flatMap(({ items }) => items);
    const rest = keywordsOf(parts, 'items').filter(({ value }) => value !== false);
    const least = Math.max(0, ...numbersOf(parts, 'minItems'));
    const most = Math.min(...numbersOf(parts, 'maxItems'));
    const hasItem = rest.length > 0 && !rest.some((schema) => leadsInto(schema, within));
    const usual = Math.max(first.length, hasItem ? 1 : 0);
    const length = Math.min(Math.max(usual, least), most, 100);
    const isUnique = keywordsOf(parts, 'uniqueItems').some(({ value }) => value === true);
    return Array.from({ length }, (_, index) => {
      const own = first[index];
      const variant = isUnique ? index : 0;
      return this.#value(own ? [own] : rest, `${place}/${index}`, { variant, within });
    });
  }
}

function shownBy(schema: SpecNode): JsonValue[] {
  const keywords = ['example', 'const', 'default'].flatMap((name) => schema.get(name) ?? []);
  const lists = ['examples', 'enum'].map((name) => schema.get(name)?.items ?? []);
  const [examples = [], values = []] = lists;
  return [...examples, ...keywords, ...values.slice(0, 20)].map(({ value }) => value);
}

function alternativesOf(schema: SpecNode, within: readonly string[]): (readonly SpecNode[])[] {
  const lists = ['oneOf', 'anyOf'].map((keyword) => schema.get(keyword)?.items ?? []);
  return lists
    .filter(({ length }) => length > 0)
    .map((list) => list.toSorted((a, b) => +leadsInto(a, within) - +leadsInto(b, within)));
}

function leadsInto(schema: SpecNode, within: readonly string[]): boolean {
  return within.includes(placeOf(schema.follow()));
}

function placeOf({ path }: SpecNode): string {
  return JSON.stringify(path);
}

function typeOf(parts: readonly SpecNode[]): string | undefined {
  const objects = parts.map(({ object = {} }) => object);
  const types = commonTypes(objects.map(ownTypes)) ?? [];
  if (types.length > 0) return types.find((name) => name !== 'null') ?? types[0];
  const [implied] = objects.flatMap((object) => impliedTypes(object) ?? []);
  const has = (...keywords: string[]) =>
    keywords.some((each) => keywordsOf(parts, each).length > 0);
  if (implied !== undefined || has('minProperties')) return implied ?? 'object';
  return has('minimum', 'maximum', 'multipleOf') ? 'number' : undefined;
}
