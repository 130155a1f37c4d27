import {
  isJsonArray,
  type JsonObject,
  type JsonValue,
  objectOf,
  type Part,
  target,
} from '../src/document/json.js';
import {
  keyOf,
  memberSchemas,
  partsOf,
  referenceIn,
  schemasOfItems,
} from '../src/openapi/schema-parts.js';

// Ajv can fill in defaults while it validates, but then an alternative that does not match leaves
// its own behind, a required member is never missed, and none is found behind a reference.

/** Adds the defaults of members that are absent to a valid value. */
export type FillDefaults = (value: unknown) => void;

/** The schemas that a value of a schema always matches, with those and the defaults of members. */
interface Described {
  readonly parts: readonly Part[];
  readonly members: ReadonlyMap<string, readonly Part[]>;
  readonly items: readonly (readonly Part[])[];
  readonly defaults: readonly (readonly [name: string, json: string])[];
}

/** The attributes of a property that is assigned. */
const ordinary = { writable: true, enumerable: true, configurable: true };

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Returns the function that makes the filler of a schema. Alternatives have no defaults, because
 * nothing says which of them a value matched.
 */
export function defaultFillers(spec: object): (schema: JsonObject) => FillDefaults {
  const known = new Map<unknown, Described>();
  // A long list has the same schemas for each item, and making their key takes time.
  const ofList = new WeakMap<readonly Part[], Described>();

  function describedBy(schemas: readonly Part[]): Described {
    const before = ofList.get(schemas);
    if (before) return before;
    const key = keyOf(schemas);
    const described = known.get(key) ?? describe(schemas);
    known.set(key, described);
    ofList.set(schemas, described);
    return described;
  }

  function describe(schemas: readonly Part[]): Described {
    const all = schemas.flatMap((schema) => partsOf(spec, schema));
    const parts = [...new Map(all.map((part) => [part.value, part])).values()];
    const names = parts.flatMap(({ value }) => Object.keys(value['properties'] ?? {}));
    const membersOf = (name: string) => parts.flatMap((part) => memberSchemas(part, name));
    const members = new Map(names.map((name) => [name, membersOf(name)]));
    const defaults = [...members].flatMap(([name, inner]) => {
      const described = inner.flatMap((member) => partsOf(spec, member));
      const given = described.map(({ value }) => value['default']);
      const fallback = given.find((each) => each !== undefined);
      return fallback === undefined ? [] : [[name, JSON.stringify(fallback)] as const];
    });
    return { parts, members, items: schemasOfItems(parts), defaults };
  }

  /** Takes all schemas of a value at once, so that each value is filled once. */
  function fill(schemas: readonly Part[], value: object): void {
    if (schemas.length === 0) return;
    const { parts, members, items, defaults } = describedBy(schemas);
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) {
        if (isObject(item)) fill(items[index] ?? items.at(-1) ?? [], item);
      }
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      if (!isObject(member)) continue;
      fill(members.get(name) ?? parts.flatMap((part) => memberSchemas(part, name)), member);
    }
    for (const [name, json] of defaults) {
      if (Object.hasOwn(value, name)) continue;
      const own = JSON.parse(json);
      // An assignment to it would change the prototype. To define takes thirty times as long.
      if (name === '__proto__') Object.defineProperty(value, name, { ...ordinary, value: own });
      else Reflect.set(value, name, own);
    }
  }

  /** Returns true if a schema, or one that it contains or refers to, has a default. */
  function hasDefault(schema: JsonValue | undefined, seen = new Set<object>()): boolean {
    if (!isObject(schema) || seen.has(schema)) return false;
    seen.add(schema);
    const reference = referenceIn(objectOf(schema));
    return (
      Object.hasOwn(schema, 'default') ||
      (reference !== undefined && hasDefault(target(spec, reference).value, seen)) ||
      Object.values(schema).some((each) => hasDefault(each, seen))
    );
  }

  return (schema) => {
    const schemas = hasDefault(schema) ? [{ value: schema, path: [] }] : [];
    return (value) => fill(schemas, Object(value));
  };
}
