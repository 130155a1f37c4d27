import {
  isJsonArray,
  type JsonObject,
  type JsonValue,
  objectOf,
  type Part,
  target,
} from '../src/document/json.js';
import {
  itemSchemas,
  keyOf,
  memberSchemas,
  partsOf,
  referenceIn,
} from '../src/openapi/schema-parts.js';

// Ajv can fill in defaults while it validates, but then an alternative that does not match leaves
// its own behind, a required member is never missed, and none is found behind a reference.

/** Adds the defaults of members that are absent to a valid value. */
export type FillDefaults = (value: unknown) => void;

/** The schemas that a value of a schema always matches, with those and the defaults of members. */
interface Described {
  readonly parts: readonly Part[];
  readonly members: ReadonlyMap<string, readonly Part[]>;
  readonly defaults: readonly (readonly [name: string, value: JsonValue])[];
}

/** The attributes of a property that is assigned. */
const ordinary = { writable: true, enumerable: true, configurable: true };

/**
 * Returns the function that makes the filler of a schema. Alternatives have no defaults, because
 * nothing says which of them a value matched.
 */
export function defaultFillers(spec: object): (schema: JsonObject) => FillDefaults {
  const known = new Map<unknown, Described>();

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
      return fallback === undefined ? [] : [[name, fallback] as const];
    });
    return { parts, members, defaults };
  }

  /** Takes all schemas of a value at once, so that each value is filled once. */
  function fill(schemas: readonly Part[], value: object): void {
    if (schemas.length === 0) return;
    const key = keyOf(schemas);
    const described = known.get(key) ?? describe(schemas);
    known.set(key, described);
    const { parts, members, defaults } = described;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object' || member === null) continue;
      const inner = isJsonArray(value)
        ? parts.flatMap((part) => itemSchemas(part, Number(name)))
        : (members.get(name) ?? parts.flatMap((part) => memberSchemas(part, name)));
      fill(inner, member);
    }
    if (isJsonArray(value)) return;
    for (const [name, fallback] of defaults) {
      if (Object.hasOwn(value, name)) continue;
      const own = typeof fallback === 'object' ? structuredClone(fallback) : fallback;
      // An assignment to `__proto__` would change the prototype.
      Object.defineProperty(value, name, { ...ordinary, value: own });
    }
  }

  /** Returns true if a schema, or one that it contains or refers to, has a default. */
  function hasDefault(schema: JsonValue | undefined, seen = new Set<object>()): boolean {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
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
