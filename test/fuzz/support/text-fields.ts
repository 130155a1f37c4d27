import { type OperationId, operations } from '@adx/contract';
import { type SpecSchema, spec } from '@adx/contract/spec';

/** A text field in the body of an operation, with its path; `0` is an item of an array. */
export interface TextField {
  readonly path: readonly string[];
  readonly schema: SpecSchema;
}

/** Returns all text fields of an operation's body in the spec, except enumerations. */
export function textFields(operationId: OperationId): TextField[] {
  const schema = bodySchema(operationId);
  return schema === undefined ? [] : walk(schema, []);
}

/** Returns the schema of an operation's body, or undefined if it has none. */
export function bodySchema(operationId: OperationId): SpecSchema | undefined {
  const { method, path } = operations[operationId];
  return spec.paths[path]?.[method]?.requestBody?.content?.['application/json']?.schema;
}

/** Returns the schema that a reference names, or the schema itself. */
export function resolved(schema: SpecSchema): SpecSchema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const target = spec.components.schemas[name];
  if (target === undefined) throw new Error(`There is no schema ${name}`);
  return target;
}

/** Returns the body with another value at this path. */
export function withValue(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === '0') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const fields = typeof body === 'object' && body !== null ? body : {};
  const child = name in fields ? (fields as Record<string, unknown>)[name] : undefined;
  return { ...fields, [name]: withValue(child, rest, value) };
}

function walk(schema: SpecSchema, path: readonly string[]): TextField[] {
  const { type, properties = {}, items, oneOf = [], ...rest } = resolved(schema);
  if (type === 'string' && rest['enum'] === undefined) return [{ path, schema: resolved(schema) }];
  return [
    ...oneOf.flatMap((form) => walk(form, path)),
    ...(items ? walk(items, [...path, '0']) : []),
    ...Object.entries(properties).flatMap(([name, child]) => walk(child, [...path, name])),
  ];
}
