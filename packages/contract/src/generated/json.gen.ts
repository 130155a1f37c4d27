// Generated from openapi.yaml by `npm run generate`. Do not edit.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns an object itself, and one without members in place of any other value. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The keys and indexes that lead from the root of a document to a place in it. */
export type Path = readonly (string | number)[];

/** `/paths/~1customers/get` (RFC 6901), also as the URI fragment `#/paths/~1customers/get`. */
export function parsePointer(pointer: string): string[] {
  const isFragment = pointer.startsWith('#');
  const text = isFragment ? pointer.slice(1) : pointer;
  if (text === '') return [];
  return text
    .slice(1)
    .split('/')
    .map((part) => (isFragment ? decodeFragment(part) : part))
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The URI fragment of a path, as `$ref` and ajv write it. */
export function formatFragment(path: Path): string {
  return ['#', ...path.map((part) => encodeURIComponent(escaped(part)))].join('/');
}

/** Returns a part of a JSON pointer. */
export function escaped(part: string | number): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A part of a document, and the keys and indexes that lead to it. */
export interface Part {
  readonly value: JsonObject;
  readonly path: readonly string[];
}

/** Returns the part under a key, which may be a reference. */
export function childOf({ value, path }: Part, key: string): Part {
  return { value: (value[key] ?? {}) as JsonObject, path: [...path, key] };
}

/** Returns the target of a reference such as `#/components/schemas/A`, which may be one too. */
export function target(document: object, reference: string): Part {
  const path = parsePointer(reference.slice(reference.indexOf('#')));
  const step = (part: unknown, key: string) => Reflect.get(Object(part), key);
  return { value: path.reduce<unknown>(step, document) as JsonObject, path };
}

/** Decodes a part of a URI; one that is not encoded as it should be stays as it is. */
export function decodeFragment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
