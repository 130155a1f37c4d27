import { isJsonArray, isJsonObject, parsePointer } from '../../document/json.js';
import type { SpecDocument, SpecNode } from '../../document/spec-document.js';

export const prose: readonly string[] = [
  'title',
  'summary',
  'description',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'bearerFormat',
  '$comment',
];

export interface Resolved {
  readonly node: SpecNode;
  /** The members without `allOf`. Those beside a `$ref` come before those of its target. */
  readonly members: ReadonlyMap<string, SpecNode>;
  /** The schemas of `allOf`, and a target that limits what the members limit too. */
  readonly parts: readonly SpecNode[];
  /** The name of the component: `Customer` for `#/components/schemas/Customer`. */
  readonly name: string | undefined;
}

/** Follows references. `allOf` with one schema is another way to write a reference. */
export function resolve(node: SpecNode): Resolved {
  const name = componentName(node);
  const members = new Map(node.members.map((member) => [member.key, member]));
  members.delete('$ref');
  members.delete('allOf');
  const parts = [...targetOf(node), ...(node.get('allOf')?.items ?? [])];
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return { node, members, parts, name };
  const target = resolve(only);
  const isLimitedTwice = [...members].some(
    ([key, { value }]) =>
      !replacing(key) &&
      JSON.stringify(target.members.get(key)?.value ?? value) !== JSON.stringify(value),
  );
  if (isLimitedTwice) return { node, members, parts, name };
  return {
    node,
    members: new Map([...target.members, ...members]),
    parts: target.parts,
    name: name ?? target.name,
  };
}

/** Returns true for a keyword that replaces the same one of a part. Of all others, both hold. */
function replacing(key: string): boolean {
  const annotations = [...prose, 'default', 'deprecated', 'readOnly', 'writeOnly'];
  return annotations.includes(key) || key.startsWith('x-');
}

function targetOf({ document, reference }: SpecNode): SpecNode[] {
  const target = reference === undefined ? undefined : document.find(parsePointer(reference));
  return target === undefined ? [] : [target];
}

/** Returns `BadRequest` for the node at `#/components/responses/BadRequest`. */
export function componentName({ path }: SpecNode): string | undefined {
  const [root, , name, ...rest] = path;
  return root === 'components' && name !== undefined && rest.length === 0
    ? String(name)
    : undefined;
}

/** Returns true for the same meaning, however it is split into components and ordered. */
export function isSame(before: SpecNode | undefined, after: SpecNode | undefined): boolean {
  return isSameText(before, after) || canonical(before) === canonical(after);
}

/** Returns true for the same text, also of all references. Most elements are written alike. */
export function isSameText(before: SpecNode | undefined, after: SpecNode | undefined): boolean {
  const [old, now] = [before, after].map((node) => textOf(node));
  if (old !== now) return false;
  if (before === undefined || after === undefined || old === undefined) return true;
  const changed = changedReferences(before.document, after.document);
  return !referencesIn(old).some((each) => changed.has(each));
}

const texts = new WeakMap<object, string>();

/** Returns the text. That of a component is kept: each operation that refers to it needs it. */
function textOf(node: SpecNode | undefined): string | undefined {
  const value = node?.value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const text = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, text);
  return text;
}

const known = new WeakMap<SpecDocument, WeakMap<SpecDocument, ReadonlySet<string>>>();

/** Returns the references that lead to a different text, directly or further on. */
function changedReferences(before: SpecDocument, after: SpecDocument): ReadonlySet<string> {
  const ofBefore = known.get(before) ?? new WeakMap<SpecDocument, ReadonlySet<string>>();
  known.set(before, ofBefore);
  const changed = ofBefore.get(after) ?? findChanged(before, after);
  ofBefore.set(after, changed);
  return changed;
}

function findChanged(before: SpecDocument, after: SpecDocument): Set<string> {
  const references = new Set(
    [before, after].flatMap(({ root }) => referencesIn(textOf(root) ?? '')),
  );
  const changed = new Set<string>();
  const further = new Map<string, string[]>();
  for (const reference of references) {
    const [old, now] = [before, after].map((document) =>
      textOf(document.find(parsePointer(reference))),
    );
    if (old !== now) changed.add(reference);
    further.set(reference, referencesIn(old ?? ''));
  }
  // A set goes on to the elements that are added meanwhile.
  for (const end of changed) {
    for (const [reference, ends] of further) if (ends.includes(end)) changed.add(reference);
  }
  return changed;
}

function referencesIn(json: string): string[] {
  return [...json.matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
    JSON.parse(text),
  );
}

/** Returns text with sorted keys and replaced references; a circle ends where it closes. */
function canonical(node: SpecNode | undefined, around: readonly string[] = []): string {
  if (node === undefined) return '';
  const reference = node.reference;
  if (reference !== undefined && around.includes(reference)) return JSON.stringify(reference);
  const within = reference === undefined ? around : [...around, reference];
  if (isJsonArray(node.value))
    return `[${node.items.map((item) => canonical(item, within)).join()}]`;
  if (!isJsonObject(node.value)) return JSON.stringify(node.value);
  const { members, parts } = resolve(node);
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = [
    ...sorted.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value, within)}`),
    ...parts.map((part) => `"allOf":${canonical(part, within)}`),
  ];
  return `{${texts.join()}}`;
}
