import type { OperationId } from '@adx/contract';
import type { SpecSchema } from '@adx/contract/spec';
import { bodySchema, resolved } from '../../support/well-formed.js';

/** A field in the body of an operation, with its path; `0` is an item of an array. */
export interface BodyField {
  readonly path: readonly string[];
  readonly schema: SpecSchema;
}

/** Returns all text fields of an operation's body in the spec, except enumerations. */
export function textFields(operationId: OperationId): BodyField[] {
  return bodyFields(operationId).filter(
    ({ schema }) => schema.type === 'string' && schema.enum === undefined,
  );
}

/** Returns all fields of an operation's body, each alternative as one, and the body itself. */
export function bodyFields(operationId: OperationId): BodyField[] {
  const schema = bodySchema(operationId);
  return schema === undefined ? [] : walk(schema, []);
}

export function withValue(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === '0') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const fields = typeof body === 'object' && body !== null ? body : {};
  const child = name in fields ? (fields as Record<string, unknown>)[name] : undefined;
  return { ...fields, [name]: withValue(child, rest, value) };
}

/** Returns a body in which a field has this JSON, which no value in JavaScript may yield. */
export function textWith(body: unknown, path: readonly string[], json: string): string {
  const marker = 'the value';
  return JSON.stringify(withValue(body, path, marker)).replace(`"${marker}"`, () => json);
}

function walk(schema: SpecSchema, path: readonly string[]): BodyField[] {
  const target = resolved(schema);
  const { properties = {}, items, oneOf = [] } = target;
  return [
    { path, schema: target },
    ...oneOf.flatMap((form) => walk(form, path)),
    ...(items ? walk(items, [...path, '0']) : []),
    ...Object.entries(properties).flatMap(([name, child]) => walk(child, [...path, name])),
  ];
}
