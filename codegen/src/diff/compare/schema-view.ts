import type { SpecDocument, SpecNode } from '../../document/spec-document.js';
import { isOf, isWithin } from './constraints.js';
import { componentName, referenceOf, type Schema, targetOf } from './references.js';
import { canonicalText, isProse } from './same.js';

/** One of the schemas that hold, by the keywords that stand in it. */
interface Part {
  readonly node: SpecNode;
  /** The innermost component that it is in: `Customer` for `#/components/schemas/Customer`. */
  readonly owner: string | undefined;
  /** True if it holds for one of several alternatives. */
  readonly isConditional: boolean;
}

export interface Property {
  /** Empty if it is required but not described. */
  readonly schema: Schema;
  readonly owner: string | undefined;
  readonly isConditional: boolean;
  readonly isRequired: boolean;
}

/** A schema as the keywords that hold for its values, wherever they are written. */
export interface SchemaView {
  readonly schema: Schema;
  /** The first of its schemas. */
  readonly node: SpecNode;
  /** The name of the component, if it is one. */
  readonly name: string | undefined;
  readonly parts: readonly Part[];
  /** The types that are allowed; undefined if all are. */
  readonly types: readonly string[] | undefined;
  /** The values that are allowed, as text; undefined if there is neither `enum` nor `const`. */
  readonly values: readonly string[] | undefined;
  readonly alternatives: readonly Alternatives[];
  /** The alternatives that are types and values: each can be described. */
  readonly spellings: readonly SpecNode[];
}

export interface Alternatives {
  readonly keyword: 'oneOf' | 'anyOf';
  readonly node: SpecNode;
}

const views = new WeakMap<SpecDocument, Map<string, SchemaView>>();

/** Follows references, and joins parts and alternatives that are other spellings of one schema. */
export function viewOf(schema: Schema): SchemaView {
  const [node] = schema;
  if (node === undefined) throw new Error('A schema has at least one part.');
  const ofDocument = views.get(node.document) ?? new Map<string, SchemaView>();
  views.set(node.document, ofDocument);
  const key = schema.map(pathText).join();
  const known = ofDocument.get(key);
  if (known) return known;
  // A schema that is one of its own alternatives is empty where it comes again.
  const nothing = { types: undefined, values: undefined, alternatives: [], spellings: [] };
  ofDocument.set(key, { ...nothing, schema, node, name: undefined, parts: [] });
  const view = readView(schema, node);
  ofDocument.set(key, view);
  return view;
}

/** A view while its parts are read. */
interface Reading {
  readonly parts: Map<string, Part>;
  readonly alternatives: Alternatives[];
  readonly spellings: SpecNode[];
  types: readonly string[] | undefined;
  values: readonly string[] | undefined;
}

function readView(schema: Schema, node: SpecNode): SchemaView {
  const name = nameOfOnly(schema);
  const reading: Reading = {
    parts: new Map(),
    alternatives: [],
    spellings: [],
    types: undefined,
    values: undefined,
  };
  for (const each of schema) read(each, { owner: undefined, isConditional: false }, reading);
  const { types, values, ...rest } = reading;
  // A type says nothing more if each value is named.
  const allowed = values?.filter((value) => types?.some((type) => isOf(type, value)) ?? true);
  return {
    ...rest,
    schema,
    node,
    name,
    parts: [...rest.parts.values()],
    types: allowed ? undefined : types,
    values: allowed,
  };
}

function read(node: SpecNode, around: Omit<Part, 'node'>, reading: Reading): void {
  const key = pathText(node);
  if (reading.parts.has(key)) return;
  const part = { ...around, owner: componentName(node) ?? around.owner };
  reading.parts.set(key, { ...part, node });
  const target = targetNode(node);
  const list = node.get('type');
  if (list) narrowTypes(reading, list.items.length > 0 ? texts(list.items) : texts([list]));
  for (const values of [node.get('enum')?.items, node.get('const')]) {
    if (values) narrowValues(reading, [values].flat().map(canonicalText));
  }
  if (target) read(target, part, reading);
  for (const each of node.get('allOf')?.items ?? []) read(each, part, reading);
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const list = node.get(keyword);
    const isNamed = node.get('discriminator') !== undefined;
    if (list && isNamed) reading.alternatives.push({ keyword, node: list });
    else if (list) readAlternatives({ keyword, node: list }, part, reading);
  }
}

/** Reads alternatives that are another way to write types, values or null. */
function readAlternatives(
  alternatives: Alternatives,
  part: Omit<Part, 'node'>,
  reading: Reading,
): void {
  const { keyword, node } = alternatives;
  const { items } = node;
  const [only, ...further] = items;
  if (only && further.length === 0) {
    read(only, { ...part, isConditional: true }, reading);
    return;
  }
  const simple = items.filter(isSimple);
  const others = items.filter((item) => !simple.includes(item));
  const facts = simple.map((item) => viewOf([item]));
  const isNullOnly = facts.every(({ types, values }) => (types ?? values)?.join() === 'null');
  const isValues = facts.every(({ values }) => values !== undefined);
  const isTypes = facts.every(({ types }) => types !== undefined);
  const [other] = others;
  const { length } = reading.alternatives;
  if (keyword === 'oneOf' && overlap(items)) {
    reading.alternatives.push(alternatives);
  } else if (others.length === 0 && isValues) {
    narrowValues(reading, [...new Set(facts.flatMap(({ values = [] }) => values))]);
  } else if (others.length === 0 && isTypes) {
    narrowTypes(reading, [...new Set(facts.flatMap(({ types = [] }) => types))]);
  } else if (other && others.length === 1 && isNullOnly && isNullable(other, reading)) {
    const inside: Reading = { ...reading, types: undefined, values: undefined };
    read(other, { ...part, isConditional: true }, inside);
    if (inside.types) reading.types = [...new Set([...inside.types, 'null'])];
    if (inside.values) reading.values = [...new Set([...inside.values, 'null'])];
  } else {
    reading.alternatives.push(alternatives);
  }
  if (reading.alternatives.length === length) reading.spellings.push(...simple);
}

/**
 * Returns true if several alternatives have a value or type: `oneOf` refuses what matches two. The
 * fields of objects and the items of arrays tell them apart.
 */
export function overlap(alternatives: readonly SpecNode[]): boolean {
  const facts = alternatives
    .map((node) => viewOf([node]))
    .map(({ types, values }) => values ?? types ?? []);
  return facts.some((own, index) =>
    facts.some((others, other) => other !== index && own.some((fact) => isWithin(fact, others))),
  );
}

/** Returns true if null beside a schema is one more type: if all types are known. */
function isNullable(other: SpecNode, { types, values }: Reading): boolean {
  const view = viewOf([other]);
  return (
    types === undefined &&
    values === undefined &&
    (view.types ?? view.values) !== undefined &&
    view.alternatives.length === 0
  );
}

/** Returns true for a schema that has no more than types or values. */
export function isSimple(node: SpecNode): boolean {
  const plain = ['type', 'enum', 'const'];
  const { value } = targetNode(node) ?? node;
  return (
    value !== false &&
    targetNode(node) === undefined &&
    node.members.every(({ key }) => plain.includes(key) || isAnnotation(key))
  );
}

function narrowTypes(reading: Reading, types: readonly string[]): void {
  const { types: known } = reading;
  const isWithin = (type: string) =>
    known?.includes(type) || (type === 'integer' && known?.includes('number'));
  const wider = (type: string) => type === 'integer' && types.includes('number');
  reading.types =
    known === undefined
      ? [...new Set(types)]
      : [...new Set([...types.filter(isWithin), ...known.filter(wider)])];
}

function narrowValues(reading: Reading, values: readonly string[]): void {
  const { values: known } = reading;
  reading.values = known === undefined ? values : known.filter((each) => values.includes(each));
}

/** Returns true for a keyword that says nothing about which values are allowed. */
export function isAnnotation(key: string): boolean {
  return isProse(key) || ['default', 'deprecated', 'readOnly', 'writeOnly'].includes(key);
}

function targetNode(node: SpecNode): SpecNode | undefined {
  const reference = referenceOf(node);
  return reference === undefined ? undefined : targetOf(node.document, reference);
}

/** Returns the name of the component that a schema is, refers to, or has as its only part. */
export function nameOf(node: SpecNode, seen: readonly SpecNode[] = []): string | undefined {
  const own = componentName(node);
  const target = targetNode(node);
  const [only, ...others] = [...(target ? [target] : []), ...(node.get('allOf')?.items ?? [])];
  if (own !== undefined || only === undefined || others.length > 0) return own;
  return seen.length > 20 ? undefined : nameOf(only, [...seen, node]);
}

/** Returns the name of a schema without further ones. */
export function nameOfOnly([node, ...others]: Schema): string | undefined {
  return node && others.length === 0 ? nameOf(node) : undefined;
}

/** Returns the first element of a keyword: that beside a reference, not its target's. */
export function keywordOf({ parts }: SchemaView, keyword: string): SpecNode | undefined {
  for (const { node } of parts) {
    const found = node.get(keyword);
    if (found) return found;
  }
  return undefined;
}

/** Returns all elements of a keyword. */
export function allOf({ parts }: SchemaView, keyword: string): SpecNode[] {
  return parts.flatMap(({ node }) => node.get(keyword) ?? []);
}

/** Returns the names of all keywords. */
export function keywordsOf({ parts }: SchemaView): Set<string> {
  return new Set(parts.flatMap(({ node }) => node.members.map(({ key }) => key)));
}

/** Returns the properties by name. One that a part does not describe matches its other fields. */
export function propertiesOf(view: SchemaView): Map<string, Property> {
  const required = new Set(allOf(view, 'required').flatMap(({ items }) => texts(items)));
  const names = allOf(view, 'properties').flatMap(({ members }) => members.map(({ key }) => key));
  return new Map(
    [...new Set([...names, ...required])].map((name) => [
      name,
      { ...describe(view, name), isRequired: required.has(name) },
    ]),
  );
}

function describe({ parts }: SchemaView, name: string): Omit<Property, 'isRequired'> {
  const described = parts.filter(({ node }) => node.at('properties', name) !== undefined);
  const schema = parts.flatMap(({ node }) => {
    const own = node.at('properties', name) ?? node.get('additionalProperties');
    return own && (own.value === false || own.members.length > 0) ? own : [];
  });
  const [first] = described;
  const open = described.flatMap(({ node }) => node.at('properties', name) ?? []);
  return {
    schema: first === undefined ? [] : schema.length > 0 ? schema : open.slice(0, 1),
    owner: first?.owner,
    isConditional: first?.isConditional === true,
  };
}

function texts(nodes: readonly SpecNode[]): string[] {
  return nodes.flatMap(({ text }) => text ?? []);
}

export function pathText({ path }: SpecNode): string {
  return JSON.stringify(path);
}
