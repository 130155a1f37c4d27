import { isJsonArray, isJsonObject, parsePointer } from '../../document/json.js';
import type { SpecNode } from '../../document/spec-document.js';

/** An element with its references followed. */
export interface Resolved {
  /** The element itself. */
  readonly node: SpecNode;
  /** The members in force: those beside a `$ref` come before those of its target. */
  readonly members: ReadonlyMap<string, SpecNode>;
  /** The name of the component: `Customer` for `#/components/schemas/Customer`. */
  readonly name: string | undefined;
}

/** Follows the reference of an element. `allOf` with one schema is another way to write a reference. */
export function resolve(node: SpecNode): Resolved {
  const { $ref: _reference, ...own } = node.object ?? {};
  const target = node.reference === undefined ? onlyPart(node) : targetOf(node);
  const name = componentName(node);
  const isOwn = ({ key }: SpecNode) =>
    Object.hasOwn(own, key) && !(key === 'allOf' && target !== undefined);
  const members = new Map(node.members.filter(isOwn).map((member) => [member.key, member]));
  if (target === undefined) return { node, members, name };
  const resolved = resolve(target);
  return {
    node,
    members: new Map([...resolved.members, ...members]),
    name: name ?? resolved.name,
  };
}

function onlyPart(node: SpecNode): SpecNode | undefined {
  const parts = node.get('allOf')?.items ?? [];
  return parts.length === 1 ? parts[0] : undefined;
}

function targetOf(node: SpecNode): SpecNode | undefined {
  return node.document.find(parsePointer(node.reference ?? ''));
}

/** `BadRequest` for the node at `#/components/responses/BadRequest`. */
export function componentName({ path }: SpecNode): string | undefined {
  const [root, , name, ...rest] = path;
  return root === 'components' && name !== undefined && rest.length === 0
    ? String(name)
    : undefined;
}

/** Returns true if two elements say the same, however they are split into components and ordered. */
export function isSame(before: SpecNode | undefined, after: SpecNode | undefined): boolean {
  const [old, now] = [before, after].map((node) => JSON.stringify(node?.value));
  const isPlain = !old?.includes('"$ref"');
  return (isPlain && old === now) || canonical(before) === canonical(after);
}

/** JSON with sorted keys and references replaced by their targets; a circle ends where it closes. */
function canonical(node: SpecNode | undefined, around: readonly string[] = []): string {
  if (node === undefined) return '';
  const reference = node.reference;
  if (reference !== undefined && around.includes(reference)) return JSON.stringify(reference);
  const within = reference === undefined ? around : [...around, reference];
  if (isJsonArray(node.value))
    return `[${node.items.map((item) => canonical(item, within)).join()}]`;
  if (!isJsonObject(node.value)) return JSON.stringify(node.value);
  const members = [...resolve(node).members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value, within)}`).join()}}`;
}
