import type { SpecNode } from '../document/spec-document.js';
import { mediaTypesOf, type OpenApiObject, parametersOf } from './openapi-object.js';

/** Keywords that hold one schema (Schema Object, OpenAPI 3.1 §4.8.24; JSON Schema 2020-12). */
const single = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
/** Keywords that hold a list of schemas. */
const lists = ['oneOf', 'anyOf', 'allOf', 'prefixItems'];
/** Keywords that hold a mapping of schemas. */
const mappings = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/** Every schema that is no part of another one. */
export function rootSchemas(api: OpenApiObject): SpecNode[] {
  return [
    ...api.components.schemas,
    ...[...parametersOf(api), ...mediaTypesOf(api)].flatMap(({ schema }) => schema ?? []),
  ];
}

/** Every schema of the document, the ones inside others included, each once; references unfollowed. */
export function allSchemas(api: OpenApiObject): SpecNode[] {
  return rootSchemas(api).flatMap((schema) => [...withSubschemas(schema)]);
}

/** A schema and every schema written inside it. */
export function* withSubschemas(schema: SpecNode): Generator<SpecNode> {
  yield schema;
  for (const part of subschemas(schema)) yield* withSubschemas(part);
}

/** The schemas written directly inside a schema, `true` being one too: it allows anything. */
export function subschemas(schema: SpecNode): SpecNode[] {
  return [
    ...single.flatMap((keyword) => schema.get(keyword) ?? []),
    ...lists.flatMap((keyword) => schema.get(keyword)?.items ?? []),
    ...mappings.flatMap((keyword) => schema.get(keyword)?.members ?? []),
  ].filter(({ object, value }) => object !== undefined || value === true);
}

/** The name of the component a node refers to: `Customer` for `#/components/schemas/Customer`. */
export function referencedSchema(schema: SpecNode): string | undefined {
  return /^#\/components\/schemas\/([^/]+)$/.exec(schema.reference ?? '')?.[1];
}

/** The names under `required`. */
export function requiredNames(schema: SpecNode): string[] {
  return (schema.get('required')?.items ?? []).flatMap(({ text }) => text ?? []);
}

/** Whether a schema is about objects: by its type, one of its types, or its properties. */
export function describesObject(schema: SpecNode): boolean {
  return typeNames(schema).includes('object') || schema.get('properties') !== undefined;
}

/** Whether a schema is about arrays: by its type, or one of its types. */
export function describesArray(schema: SpecNode): boolean {
  return typeNames(schema).includes('array');
}

/** The names under `type`. */
export function typeNames(schema: SpecNode): string[] {
  const type = schema.get('type');
  const types = type?.text === undefined ? (type?.items ?? []) : [type];
  return types.flatMap(({ text }) => text ?? []);
}
