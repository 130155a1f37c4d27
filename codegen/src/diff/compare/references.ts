import { parsePointer } from '../../document/json.js';
import type { SpecDocument, SpecNode } from '../../document/spec-document.js';

/** The schemas that a value has to match, all of them. */
export type Schema = readonly SpecNode[];

const schemas = '#/components/schemas/';

/** Returns `Pet` for the node at `#/components/schemas/Pet`. */
export function componentName({ path }: SpecNode): string | undefined {
  const [root, , name, ...rest] = path;
  return root === 'components' && name !== undefined && rest.length === 0
    ? String(name)
    : undefined;
}

/** Returns the element that a `$ref`, or the `$dynamicRef` of a schema, leads to. */
export function targetOf(document: SpecDocument, reference: string): SpecNode | undefined {
  return reference === '#' || reference.startsWith('#/')
    ? document.find(parsePointer(reference))
    : factsOf(document).anchors.get(reference);
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
  const mapped = new Map(mapping.map(({ key, text = '' }) => [key, mappedReference(text)]));
  const others = heirsOf(schema).filter((heir) => ![...mapped.values()].includes(heir));
  return new Map([...mapped, ...others.map((heir) => [nameIn(heir), heir] as const)]);
}

function heirsOf(schema: SpecNode): string[] {
  const { heirs } = factsOf(schema.document);
  const found = new Set(heirs.get(`${schemas}${componentName(schema)}`));
  // A set goes on to the elements that are added meanwhile.
  for (const heir of found) for (const each of heirs.get(heir) ?? []) found.add(each);
  return [...found];
}

/** A mapping has references and names of schemas. */
function mappedReference(text: string): string {
  return text.startsWith('#') ? text : `${schemas}${text}`;
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
  const own = [referenceOf(node) ?? [], node.object?.['discriminator'] ? subtypesOf(node) : []];
  const references = new Set(
    own.flatMap((each) => (each instanceof Map ? [...each.values()] : each)),
  );
  for (const child of [...node.members, ...node.items]) {
    for (const reference of referencesIn(child)) references.add(reference);
  }
  const result = references.size > 0 ? references : none;
  found.set(value, result);
  return result;
}

const none: ReadonlySet<string> = new Set();

interface Facts {
  /** The schemas that have a schema as a part. */
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
    const names = [node.get('$anchor')?.text, node.get('$dynamicAnchor')?.text];
    for (const name of names) if (name !== undefined) anchors.set(`#${name}`, node);
    open.push(...node.members, ...node.items);
  }
  return anchors;
}
