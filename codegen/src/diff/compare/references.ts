import { parsePointer } from '../../document/json.js';
import type { SpecDocument, SpecNode } from '../../document/spec-document.js';

/** The schemas that a value has to match, all of them. */
export type Schema = readonly SpecNode[];

const schemas = '#/components/schemas/';

/** Returns `Pet` for the node at `#/components/schemas/Pet`. */
export function componentName({ path }: SpecNode): string | undefined {
  return path[0] === 'components' && path.length === 3 ? String(path[2]) : undefined;
}

/** Returns the element that a `$ref`, or the `$dynamicRef` of a schema, leads to. */
export function targetOf(document: SpecDocument, reference: string): SpecNode | undefined {
  return reference.startsWith('#/')
    ? document.find(parsePointer(reference))
    : factsOf(document).anchors.get(reference);
}

/** Returns the element that the reference of a schema leads to. */
export function targetNode(node: SpecNode): SpecNode | undefined {
  const reference = referenceOf(node);
  return reference === undefined ? undefined : targetOf(node.document, reference);
}

/** Returns the text of its `$ref` or `$dynamicRef`. */
export function referenceOf(node: SpecNode): string | undefined {
  return node.reference ?? node.get('$dynamicRef')?.text;
}

/**
 * Returns the schemas that the values of a discriminator lead to: those of its mapping, and those
 * that have the schema as a part, by their names (OpenAPI 3.1 §4.8.25).
 */
export function subtypesOf(schema: SpecNode): Map<string, string> {
  const mapping = schema.at('discriminator', 'mapping')?.members ?? [];
  // A mapping has references and names of schemas.
  const mapped = mapping.map(({ key, text = '' }): [string, string] => [
    key,
    text.startsWith('#') ? text : `${schemas}${text}`,
  ]);
  const { heirs } = factsOf(schema.document);
  const found = new Set(heirs.get(`${schemas}${componentName(schema)}`));
  // A set goes on to the elements that are added meanwhile.
  for (const heir of found) for (const each of heirs.get(heir) ?? []) found.add(each);
  for (const [, reference] of mapped) found.delete(reference);
  return new Map([...mapped, ...[...found].map((heir) => [nameIn(heir), heir] as const)]);
}

export function nameIn(reference: string): string {
  return parsePointer(reference).at(-1) ?? '';
}

const found = new WeakMap<object, ReadonlySet<string>>();

/** Returns the references in an element, and those of discriminators to their subtypes. */
export function referencesIn(node: SpecNode): ReadonlySet<string> {
  const { value } = node;
  if (typeof value !== 'object' || value === null) return none;
  const known = found.get(value);
  if (known) return known;
  const references = new Set([
    ...[referenceOf(node) ?? []].flat(),
    ...(node.get('discriminator') ? subtypesOf(node).values() : []),
    ...[...node.members, ...node.items].flatMap((child) => [...referencesIn(child)]),
  ]);
  const result = references.size > 0 ? references : none;
  found.set(value, result);
  return result;
}

const none: ReadonlySet<string> = new Set();

interface Facts {
  /** The references to the schemas that have a schema as a part, by the reference to that. */
  readonly heirs: ReadonlyMap<string, readonly string[]>;
  readonly anchors: ReadonlyMap<string, SpecNode>;
}

const facts = new WeakMap<SpecDocument, Facts>();

function factsOf(document: SpecDocument): Facts {
  const known = facts.get(document) ?? { heirs: heirsIn(document), anchors: anchorsIn(document) };
  facts.set(document, known);
  return known;
}

function heirsIn(document: SpecDocument): Map<string, string[]> {
  const heirs = new Map<string, string[]>();
  for (const schema of document.root.at('components', 'schemas')?.members ?? []) {
    // Beside a reference stands what the subtype adds; without it there is just another name.
    const own = schema.get('properties') ? [schema] : [];
    for (const { reference } of [...own, ...(schema.get('allOf')?.items ?? [])]) {
      if (reference === undefined) continue;
      heirs.set(reference, [...(heirs.get(reference) ?? []), `${schemas}${schema.key}`]);
    }
  }
  return heirs;
}

function anchorsIn({ root }: SpecDocument): Map<string, SpecNode> {
  const anchors = new Map<string, SpecNode>();
  const open = JSON.stringify(root.value).includes('nchor"') ? [root] : [];
  for (const node of open) {
    const names = [node.get('$anchor') ?? [], node.get('$dynamicAnchor') ?? []].flat();
    for (const { text } of names) anchors.set(`#${text}`, node);
    open.push(...node.members, ...node.items);
  }
  return anchors;
}
