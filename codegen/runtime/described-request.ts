import { type JsonObject, parsePointer, targetOf } from '../src/document/json.js';

/** A part of a spec, and the keys and indexes that lead to it. */
export interface Part {
  readonly value: JsonObject;
  readonly path: readonly string[];
}

export interface DescribedRequest {
  /** The parameters of the path that the operation does not declare anew, and its own. */
  readonly parameters: readonly Part[];
  /** The body, without members if the spec has none. */
  readonly body: Part;
}

/** Reads the request of an operation (Operation Object, OpenAPI 3.1 §4.8.10). */
export function describeRequest(spec: object, path: string, method: string): DescribedRequest {
  const item = partOf(spec, 'paths', path);
  const operation = member(spec, item, method);
  const byKey = new Map<string, Part>();
  for (const holder of [item, operation]) {
    for (const index of Object.keys(holder.value['parameters'] ?? {})) {
      const part = member(spec, holder, 'parameters', index);
      byKey.set(`${part.value['in']} ${part.value['name']}`, part);
    }
  }
  return { parameters: [...byKey.values()], body: member(spec, operation, 'requestBody') };
}

/** Returns a part, and follows references. A part that is not there has no members. */
export function partOf(spec: object, ...path: readonly string[]): Part {
  return member(spec, { value: spec as JsonObject, path: [] }, ...path);
}

export function member(spec: object, part: Part, ...keys: readonly string[]): Part {
  return keys.reduce(({ value, path }, key) => {
    const next = (value[key] ?? {}) as JsonObject;
    return follow(spec, { value: next, path: [...path, key] });
  }, part);
}

export function follow(spec: object, part: Part): Part {
  const { $ref } = part.value;
  return typeof $ref === 'string' ? follow(spec, target(spec, $ref)) : part;
}

/** Returns the target of a reference, which may be a reference too. */
export function target(spec: object, reference: string): Part {
  return { value: targetOf(spec, reference) as JsonObject, path: parsePointer(reference) };
}
