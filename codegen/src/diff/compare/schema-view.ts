import type { JsonValue } from '../../document/json.js';
import { isAnnotation } from '../../document/openapi-places.js';
import type { SpecDocument, SpecNode } from '../../document/spec-document.js';
import { isAmong, isOf, joined } from './constraints.js';
import { componentName, type Schema, targetNode } from './references.js';
import { canonicalText } from './same.js';

/** One of the schemas that hold, by the keywords that stand in it. */
interface Part {
  readonly node: SpecNode;
  /** The innermost component that it is in: `Customer` for `#/components/schemas/Customer`. */
  readonly owner?: string | undefined;
  /** True if it holds for one of several alternatives. */
  readonly isConditional?: boolean;
}

/** A schema as the keywords that hold for its values, wherever they are written. */
export type SchemaView = Readonly<Omit<Reading, 'paths'>>;

interface Reading {
  /** The first of its schemas. */
  readonly node: SpecNode;
  readonly schema: Schema;
  /** The name of the component, if it is one. */
  readonly name: string | undefined;
  readonly parts: Part[];
  /** Where the parts stand, each of which is read once. */
  readonly paths: Set<string>;
  readonly alternatives: Alternatives[];
  /** The alternatives that are types and values: each can be described. */
  readonly spellings: SpecNode[];
  /** The types that are allowed; undefined if all are. */
  types: readonly string[] | undefined;
  /** The values that are allowed, as text; undefined if there is neither `enum` nor `const`. */
  values: readonly string[] | undefined;
}

export interface Alternatives {
  readonly keyword: 'oneOf' | 'anyOf';
  readonly node: SpecNode;
  readonly schemas: readonly Schema[];
  /** True if a discriminator tells which one is meant. */
  readonly isNamed: boolean;
}

const views = new WeakMap<SpecDocument, Map<string, SchemaView>>();
/** The same by lists of nodes, many of which are asked for again and again. */
const viewsOfLists = new WeakMap<Schema, SchemaView>();

/** Follows references, and joins parts and alternatives that are other spellings of one schema. */
export function viewOf(schema: Schema): SchemaView {
  const view = viewsOfLists.get(schema) ?? viewByPath(schema);
  viewsOfLists.set(schema, view);
  return view;
}

function viewByPath(schema: Schema): SchemaView {
  const [node] = schema;
  if (node === undefined) throw new Error('A schema has at least one part.');
  const ofDocument = views.get(node.document) ?? new Map<string, SchemaView>();
  views.set(node.document, ofDocument);
  const key = schema.map(pathText).join();
  const known = ofDocument.get(key);
  if (known) return known;
  const lists = { parts: [], paths: new Set<string>(), alternatives: [], spellings: [] };
  const name = nameOfOnly(schema);
  const view: Reading = { ...lists, node, schema, name, types: undefined, values: undefined };
  // A schema that is one of its own alternatives is met while it is read.
  ofDocument.set(key, view);
  for (const each of schema) read(each, {}, view);
  // A type says nothing more if each value is named.
  const { types } = view;
  view.values = view.values?.filter((value) => types?.some((type) => isOf(type, value)) ?? true);
  if (view.values) view.types = undefined;
  return view;
}

function read(node: SpecNode, around: Omit<Part, 'node'>, reading: Reading): void {
  const path = pathText(node);
  if (reading.paths.has(path)) return;
  reading.paths.add(path);
  const part = { ...around, owner: componentName(node) ?? around.owner };
  reading.parts.push({ ...part, node });
  const type = node.get('type');
  if (type) narrowTypes(reading, texts(type.items.length > 0 ? type.items : [type]));
  for (const values of [node.get('enum')?.items, node.get('const')]) {
    if (values) narrowValues(reading, [values].flat().map(canonicalText));
  }
  for (const each of partsOf(node)) read(each, part, reading);
  const isNamed = node.get('discriminator') !== undefined;
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const list = node.get(keyword);
    if (list === undefined) continue;
    const items = keyword === 'anyOf' ? list.items.flatMap(flattened) : list.items;
    const alternatives = { keyword, node: list, schemas: items.map((each) => [each]), isNamed };
    if (isNamed || !isSpelling(alternatives, part, reading)) {
      reading.alternatives.push(alternatives);
    }
  }
}

/** Returns the alternatives of an alternative that is nothing else. */
function flattened(item: SpecNode): SpecNode[] {
  const list = item.get('anyOf');
  const isAlone = item.members.every(({ key }) => key === 'anyOf' || isAnnotation(key));
  return list && isAlone ? list.items.flatMap(flattened) : [item];
}

/** Reads alternatives if they are another way to write a schema, types, values or null. */
function isSpelling(
  { keyword, schemas }: Alternatives,
  part: Omit<Part, 'node'>,
  reading: Reading,
): boolean {
  const items = schemas.flat();
  const [only, ...further] = items;
  if (only && further.length === 0) {
    read(only, { ...part, isConditional: true }, reading);
    return true;
  }
  const simple = items.filter(isSimple);
  const [other, ...others] = items.filter((item) => !simple.includes(item));
  const views = items.map((item) => viewOf([item]));
  const isAmbiguous = views.some((view, index) =>
    views.slice(0, index).some((each) => sharedKinds(view, each).length > 0),
  );
  if (others.length > 0 || (keyword === 'oneOf' && isAmbiguous)) return false;
  const isNull = (view: SchemaView) => kindsOf(view).join() === 'null';
  const areNull = simple.every((item) => isNull(viewOf([item])));
  if (other && !(areNull && isKnown(viewOf([other])))) return false;
  if (other) {
    const inside: Reading = { ...reading, types: undefined, values: undefined };
    read(other, { ...part, isConditional: true }, inside);
    if (inside.types) narrowTypes(reading, [...inside.types, 'null']);
    if (inside.values) narrowValues(reading, [...new Set([...inside.values, 'null'])]);
  } else if (views.every((view) => view.values ?? isNull(view))) {
    narrowValues(reading, [...new Set(views.flatMap(kindsOf))]);
  } else if (views.every(({ types }) => types)) {
    narrowTypes(reading, [...new Set(views.flatMap(kindsOf))]);
  } else {
    return false;
  }
  reading.spellings.push(...simple);
  return true;
}

/** Returns true if all types are known, so that null beside a schema is one more. */
function isKnown({ types, values, alternatives }: SchemaView): boolean {
  return (types ?? values) !== undefined && alternatives.length === 0;
}

/** Returns true for a schema that has no more than types or values. */
function isSimple(node: SpecNode): boolean {
  const plain = ['type', 'enum', 'const'];
  return node.members.every(({ key }) => plain.includes(key) || isAnnotation(key));
}

const allTypes = ['string', 'number', 'boolean', 'null', 'object', 'array'];

/** Returns the values that are allowed, or else the types. Fields and items have a type anyway. */
export function kindsOf(view: SchemaView): readonly string[] {
  const known = view.values ?? view.types;
  if (known) return known;
  const has = (...keys: string[]) => keys.some((key) => keywordOf(view, key) !== undefined);
  if (has('properties', 'required', 'additionalProperties')) return ['object'];
  return has('items') ? ['array'] : allTypes;
}

/** Returns the types and values that two schemas allow, as far as these tell. */
export function sharedKinds(one: SchemaView, other: SchemaView): string[] {
  const [kinds, others] = [kindsOf(one), kindsOf(other)];
  const isIn = (kind: string, list: readonly string[]) =>
    isAmong(kind, list) || (!isType(kind) && list.some((each) => isType(each) && isOf(each, kind)));
  return [
    ...kinds.filter((kind) => isIn(kind, others)),
    ...others.filter((kind) => isIn(kind, kinds)),
  ];
}

export function isType(kind: string): boolean {
  return kind === 'integer' || allTypes.includes(kind);
}

/** Returns the type of a value that is written as JSON, or the type itself. */
export function typeOf(kind: string): string {
  return isType(kind) ? kind : (allTypes.find((type) => isOf(type, kind)) ?? kind);
}

function narrowTypes(reading: Reading, types: readonly string[]): void {
  const { types: known } = reading;
  reading.types = [
    ...new Set([
      ...types.filter((type) => known === undefined || isAmong(type, known)),
      ...(known ?? []).filter((type) => isAmong(type, types)),
    ]),
  ];
}

function narrowValues(reading: Reading, values: readonly string[]): void {
  const { values: known } = reading;
  reading.values = known === undefined ? values : known.filter((each) => values.includes(each));
}

/** Returns the schemas that hold too: the target of a reference, and those of `allOf`. */
function partsOf(node: SpecNode): SpecNode[] {
  const target = targetNode(node);
  return [...(target ? [target] : []), ...(node.get('allOf')?.items ?? [])];
}

/** Returns the name of the component that a schema is, refers to, or has as its only part. */
export function nameOf(node: SpecNode, depth = 0): string | undefined {
  const own = componentName(node);
  const [only, ...others] = partsOf(node);
  if (own !== undefined || only === undefined || others.length > 0) return own;
  return depth > 20 ? undefined : nameOf(only, depth + 1);
}

/** Returns the name of a schema without further ones. */
export function nameOfOnly([node, ...others]: Schema): string | undefined {
  return node && others.length === 0 ? nameOf(node) : undefined;
}

/** Returns the first element of a keyword: that beside a reference, not its target's. */
export function keywordOf(view: SchemaView, keyword: string): SpecNode | undefined {
  return allOf(view, keyword)[0];
}

/** Returns all elements of a keyword that can refuse a value, or that says nothing about values. */
export function allOf({ parts, types }: SchemaView, keyword: string): SpecNode[] {
  return parts.flatMap(({ node }) => {
    const element = node.get(keyword);
    return element && !isIdle(element, node, types) ? [element] : [];
  });
}

/** Returns true for a keyword that allows every value, alone or without the one it goes with. */
function isIdle(
  { key, value, members }: SpecNode,
  schema: SpecNode,
  types: readonly string[] | undefined,
): boolean {
  const has = (...keys: string[]) => keys.some((each) => schema.get(each) !== undefined);
  switch (key) {
    case 'if':
      return !has('then', 'else');
    case 'then':
    case 'else':
      return !has('if');
    case 'minContains':
    case 'maxContains':
      return !has('contains') || (key === 'minContains' && value === 1);
    case 'propertyNames':
      return value !== false && members.every(isTextOrAnnotation);
    case 'multipleOf':
      return value === 1 && types?.every((type) => type === 'integer') === true;
    case 'uniqueItems':
    case 'not':
      return value === false;
    case 'dependentRequired':
      return members.length === 0;
    default:
      return value === 0 && /^min[A-Z]/.test(key);
  }
}

function isTextOrAnnotation({ key, value }: SpecNode): boolean {
  return isAnnotation(key) || (key === 'type' && value === 'string');
}

/** Returns a function that returns the limit of a keyword. */
export function boundsOf(view: SchemaView): (keyword: string) => JsonValue | undefined {
  return (keyword) =>
    joined(
      keyword,
      allOf(view, keyword).map(({ value }) => value),
    );
}

/** Returns the names of all keywords. */
export function keywordsOf({ parts }: SchemaView): Set<string> {
  return new Set(parts.flatMap(({ node }) => node.members.map(({ key }) => key)));
}

export function texts(nodes: readonly SpecNode[]): string[] {
  return nodes.flatMap(({ text }) => text ?? []);
}

export function pathText({ path }: SpecNode): string {
  return JSON.stringify(path);
}
