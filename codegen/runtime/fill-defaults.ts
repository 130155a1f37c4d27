import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../src/document/json.js';
import { target } from './described-request.js';

// Ajv can fill in defaults while it validates, but then an alternative that does not match leaves
// its own behind, a required member is never missed, and none is found behind a reference.

/** Adds the defaults of members that are absent to a valid value. */
export type FillDefaults = (value: unknown) => void;

/**
 * Returns the function that makes the filler of a schema. Alternatives have no defaults, because
 * nothing says which of them a value matched.
 */
export function defaultFillers(spec: object): (schema: JsonValue | undefined) => FillDefaults {
  const known = new Map<JsonObject, FillDefaults>();

  function fillerOf(schema: JsonValue | undefined): FillDefaults {
    if (!isJsonObject(schema)) return () => {};
    let fill: FillDefaults | undefined;
    // It is created when it is first needed, because a schema may contain itself.
    const filler =
      known.get(schema) ??
      ((value) => {
        fill ??= createFiller(schema);
        fill(value);
      });
    known.set(schema, filler);
    return filler;
  }

  function createFiller(schema: JsonObject): FillDefaults {
    const { properties, items, additionalProperties } = schema;
    const declared = isJsonObject(properties) ? Object.entries(properties) : [];
    const members = new Map(declared.map(([name, each]) => [name, fillerOf(each)]));
    const defaults = declared.map(([name, each]) => [name, defaultOf(each)] as const);
    const [fillItem, fillOther] = [fillerOf(items), fillerOf(additionalProperties)];
    const parts = partsOf(schema).map(fillerOf);
    return (value) => {
      for (const fill of parts) fill(value);
      if (Array.isArray(value)) value.forEach(fillItem);
      if (!isJsonObject(value)) return;
      for (const [name, member] of Object.entries(value)) (members.get(name) ?? fillOther)(member);
      for (const [name, fallback] of defaults) {
        if (fallback === undefined || Object.hasOwn(value, name)) continue;
        Object.assign(value, { [name]: structuredClone(fallback) });
      }
    };
  }

  /** Returns the default of a schema, or of what it refers to. */
  function defaultOf(schema: JsonValue): JsonValue | undefined {
    if (!isJsonObject(schema)) return undefined;
    const all = [schema['default'], ...partsOf(schema).map(defaultOf)];
    return all.find((each) => each !== undefined);
  }

  /** Returns the schemas that a value of a schema always matches too. */
  function partsOf({ $ref, allOf }: JsonObject): JsonValue[] {
    const named = typeof $ref === 'string' ? [target(spec, $ref).value] : [];
    return [...named, ...(isJsonArray(allOf) ? allOf : [])];
  }

  return fillerOf;
}
