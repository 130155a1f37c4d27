import { childOf, type JsonObject, type Part, target } from '../src/document/json.js';

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
  return keys.reduce((each, key) => follow(spec, childOf(each, key)), part);
}

export function follow(spec: object, part: Part): Part {
  const { $ref } = part.value;
  return typeof $ref === 'string' ? follow(spec, target(spec, $ref)) : part;
}

/** A number as JSON has it (RFC 8259 §6), except that zeros may come before it. */
const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Returns the number that a text of a request is, where JavaScript would read `0x1F`, ` 12` and
 * `+5` too; undefined for another text, and for a number that is too large for JavaScript.
 */
export function numberIn(text: string): number | undefined {
  const value = number.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the text that a part of a query or form encodes; undefined if it encodes none. */
export function decoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
