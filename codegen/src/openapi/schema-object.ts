import { closest } from '../document/closest.js';
import { isJsonArray, isJsonObject, type JsonObject, type Part } from '../document/json.js';
import { isProse, kindOfMember } from '../document/openapi-places.js';
import type { SpecNode } from '../document/spec-document.js';
import { isBinary } from './media-type.js';
import { mediaTypesOf, type OpenApiObject, parametersOf } from './openapi-object.js';
import {
  formsIn,
  memberSchemas,
  mostForms,
  partKeywords,
  partsOf as partsIn,
  partsWithItems,
  typeNames,
} from './schema-parts.js';

/** Returns all schemas that are not part of another schema. */
export function rootSchemas(api: OpenApiObject): SpecNode[] {
  return [
    ...api.components.schemas,
    ...[...parametersOf(api), ...mediaTypesOf(api)].flatMap(({ schema }) => schema ?? []),
  ];
}

/** Returns all schemas, including those inside others. References are not followed. */
export function allSchemas(api: OpenApiObject): SpecNode[] {
  return rootSchemas(api).flatMap((schema) => [...withSubschemas(schema)]);
}

export function* withSubschemas(schema: SpecNode): Generator<SpecNode> {
  yield schema;
  for (const part of subschemas(schema)) yield* withSubschemas(part);
}

/** Returns the schemas directly inside a schema, including `true`, which allows anything. */
export function subschemas(schema: SpecNode): SpecNode[] {
  const inside = schema.members.flatMap((member) => {
    const kind = kindOfMember('schemas', member.key);
    if (kind === '*schemas') return member.members;
    return kind === 'schemas' ? [member, ...member.items] : [];
  });
  return inside.filter(({ object, value }) => object !== undefined || value === true);
}

/** Returns the schema that a node refers to: `Customer` for `#/components/schemas/Customer`. */
export function referencedSchema(schema: SpecNode): string | undefined {
  return /^#\/components\/schemas\/([^/]+)$/.exec(schema.reference ?? '')?.[1];
}

/** Returns the keywords of a schema that say which values are valid, and those beside them. */
export function withoutProse(schema: SpecNode): JsonObject {
  const kept = schema.members.filter(({ key }) => key !== 'default' && !isProse(key));
  return Object.fromEntries(kept.map(({ key, value }) => [key, value]));
}

/** Returns the names under `required`. */
export function requiredNames(schema: SpecNode): string[] {
  return (schema.get('required')?.items ?? []).flatMap(({ text }) => text ?? []);
}

/** Returns true if `object` is a type of the schema, or if it has properties. */
export function describesObject({ object = {} }: SpecNode): boolean {
  return typeNames(object).includes('object') || object['properties'] !== undefined;
}

export function describesArray({ object = {} }: SpecNode): boolean {
  return typeNames(object).includes('array');
}

/**
 * Returns `list` or `object` if a value can be one, also by a part or an alternative; undefined for
 * a single value.
 */
export function shapeOf(schema: SpecNode): 'list' | 'object' | undefined {
  const parts = partsOf(schema);
  if (parts.some(describesArray)) return 'list';
  return parts.some(describesObject) ? 'object' : undefined;
}

export function itemsOf(schema: SpecNode): SpecNode[] {
  return keywordsOf(partsOf(schema), 'items');
}

export function membersOf(schema: SpecNode): SpecNode[] {
  return [...propertiesOf(schema), ...keywordsOf(partsOf(schema), 'additionalProperties')];
}

/** Returns the properties of a schema, of all its parts and alternatives. */
export function propertiesOf(schema: SpecNode): SpecNode[] {
  return keywordsOf(partsOf(schema), 'properties').flatMap(({ members }) => members);
}

/** Returns the elements under a keyword of several schemas. */
export function keywordsOf(schemas: readonly SpecNode[], keyword: string): SpecNode[] {
  return schemas.flatMap((schema) => schema.get(keyword) ?? []);
}

/** Returns the end of a message if a reader would have to try too many combinations. */
export function mistakeInForms(schema: SpecNode): string | undefined {
  if (formsIn(schema.document.value)([placed(schema)]).length <= mostForms) return undefined;
  return `can be read in more than ${mostForms} ways, because its lists of alternatives multiply; write one list.`;
}

/** Returns the names of the members of a form that are files, or lists of files. */
export function fileNames(schema: SpecNode): string[] {
  return [
    ...new Set(
      propertiesOf(schema)
        .filter(isFile)
        .map(({ key }) => key),
    ),
  ];
}

/** Returns the schemas of files under any name, which the types of a form cannot tell apart. */
export function unnamedFiles(schema: SpecNode): SpecNode[] {
  const parts = partsOf(schema);
  const patterns = keywordsOf(parts, 'patternProperties').flatMap(({ members }) => members);
  return [...keywordsOf(parts, 'additionalProperties'), ...patterns].filter(isFile);
}

function isFile(member: SpecNode): boolean {
  return partsWithItems(member.document.value, placed(member)).some(({ value }) => isBinary(value));
}

/**
 * Returns a schema, and all that it includes by `$ref` and other keywords.
 *
 * @param keywords by default also those of alternatives
 */
export function partsOf(schema: SpecNode, keywords = partKeywords): SpecNode[] {
  const { document } = schema;
  const parts = partsIn(document.value, placed(schema), keywords);
  return parts.flatMap(({ path }) => document.find(path) ?? []);
}

function placed({ object = {}, path }: SpecNode): Part {
  return { value: object, path: path.map(String) };
}

/**
 * Returns the components of a circle in which each is a part, an alternative or a condition of the
 * one before, so that no value can be checked. Members and items of itself are no such circle.
 */
export function circleThrough(component: SpecNode): readonly SpecNode[] | undefined {
  const seen = new Set<string>();
  const find = (schema: SpecNode, way: readonly SpecNode[]): readonly SpecNode[] | undefined => {
    const name = referencedSchema(schema);
    if (name === component.key) return way;
    const isNew = name !== undefined && !seen.has(name);
    const target = isNew ? schema.document.find(['components', 'schemas', name]) : undefined;
    if (target) seen.add(target.key);
    const found = target && find(target, [...way, target]);
    return inPlace(schema).reduce((before, part) => before ?? find(part, way), found);
  };
  return find(component, [component]);
}

/** Returns the schemas that check the same value as a schema. */
function inPlace(schema: SpecNode): SpecNode[] {
  return [...partKeywords, 'not', 'if', 'then', 'else', 'dependentSchemas']
    .flatMap((keyword) => schema.get(keyword) ?? [])
    .flatMap((each) => (each.key === 'dependentSchemas' ? each.members : [each, ...each.items]));
}

/** Returns true if an object may have a property of a name, as far as the schema itself says. */
export function allowsMember(schema: SpecNode, name: string): boolean {
  return memberSchemas(placed(schema), name).every(({ value }) => Boolean(value));
}

/** Keywords by which an object may have properties that other schemas describe. */
const combining = ['allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', '$ref'];

/** Returns true for a name under `required` that is no property, unless another schema has it. */
export function isUndeclared({ properties, ...schema }: JsonObject, name: unknown): name is string {
  const isCombined = combining.some((keyword) => Object.hasOwn(schema, keyword));
  return (
    typeof name === 'string' &&
    isJsonObject(properties) &&
    !isCombined &&
    !Object.hasOwn(properties, name)
  );
}

/** Such a name is a mistake if no object can have it, or if it is a misspelt property. */
export function requiresMistake(schema: JsonObject, name: unknown): boolean {
  if (!isUndeclared(schema, name)) return false;
  return (
    schema['additionalProperties'] === false || closest(name, optionalNames(schema)) !== undefined
  );
}

/** Returns the properties that an object need not have. */
export function optionalNames({ properties, required }: JsonObject): string[] {
  const names = isJsonArray(required) ? required : [];
  return Object.keys(properties ?? {}).filter((name) => !names.includes(name));
}

/** Returns the names under `required` of a schema that are no properties. */
export function undeclaredNames(schema: SpecNode): SpecNode[] {
  if (partKeywords.includes(String(schema.path.at(-2)))) return [];
  const names = schema.get('required')?.items ?? [];
  return names.filter(({ value }) => isUndeclared(schema.object ?? {}, value));
}
