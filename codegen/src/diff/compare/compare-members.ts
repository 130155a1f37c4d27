import type { JsonValue } from '../../document/json.js';
import { isProse } from '../../document/openapi-places.js';
import type { SpecNode } from '../../document/spec-document.js';
import type { PartChange, Weight } from './change.js';
import { isSame, isSameButProse } from './same.js';

/** A member before and after; absent on one side if it was added or removed. */
export interface Pair<T> {
  readonly key: string;
  readonly before?: T | undefined;
  readonly after?: T | undefined;
}

type Sides = Omit<Pair<SpecNode>, 'key'>;
type Use = PartChange['use'];

/** Pairs the members of two mappings, in the order of the new one, which `either` prefers. */
export function pairs<T>(
  before: ReadonlyMap<string, T> = new Map(),
  after: ReadonlyMap<string, T> = new Map(),
): (Pair<T> & { readonly either: T })[] {
  return [...new Map([...after, ...[...before].filter(([key]) => !after.has(key))])].map(
    ([key, either]) => ({ key, before: before.get(key), after: after.get(key), either }),
  );
}

export function membersOf(node: SpecNode | undefined): Map<string, SpecNode> {
  return new Map((node?.members ?? []).map((member) => [member.key, member]));
}

export function breaking(text: string, node: SpecNode, use: Use = {}): PartChange {
  return { weight: 'major', text, node, use };
}

export function addition(text: string, node: SpecNode, use: Use = {}, weight: Weight = 'minor') {
  return { weight, text, kind: 'addition', node, use } as const;
}

/** Returns the members of an element. Those beside a reference come before its target's. */
function describe(use: SpecNode | undefined): Map<string, SpecNode> {
  const members = new Map([...membersOf(use?.follow()), ...membersOf(use)]);
  members.delete('$ref');
  return members;
}

/**
 * Compares the members that no other rule weighs. Those for people, and extensions, are patches;
 * everything else could break a caller.
 *
 * @param weighed the members that other rules weigh
 */
export function compareOtherMembers(
  before: SpecNode | undefined,
  after: SpecNode | undefined,
  subject: string,
  weighed: readonly string[],
  use: Use = {},
): Iterable<PartChange> {
  return compareMembers(pairs(describe(before), describe(after)), subject, weighed, use);
}

export function* compareMembers(
  members: readonly Pair<SpecNode>[],
  subject: string,
  weighed: readonly string[],
  use: Use = {},
): Generator<PartChange> {
  for (const { key, ...sides } of members) {
    const { before, after } = sides;
    const node = after ?? before;
    if (node === undefined || weighed.includes(key) || isSame(before, after)) continue;
    if (key === 'examples' && before?.object && after?.object) {
      // Several operations can have the same example, so each is a change of its own.
      const nameOf = (name: string) => `The example \`${name}\``;
      yield* compareProse(membersOf(before), membersOf(after), nameOf, use);
    } else if (key !== 'deprecated') {
      yield changeOfWhole(`The \`${key}\` of ${subject}`, node, sides, use, isProse(key));
    } else if (before?.value || after?.value) {
      const isDeprecated = after?.value === true;
      const text = `${subject} is ${isDeprecated ? 'now' : 'no longer'} deprecated.`;
      yield { weight: isDeprecated ? 'minor' : 'patch', text, node, use };
    }
  }
}

/**
 * Compares members with names of their own, such as scopes: a new one is an addition, the caller of
 * one that is gone breaks.
 *
 * @param nameOf returns the subject of a sentence about the member of a name
 * @param compare compares those that are still there, by default as a whole
 */
export function* compareNamed(
  before: ReadonlyMap<string, SpecNode>,
  after: ReadonlyMap<string, SpecNode>,
  nameOf: (name: string) => string,
  compare?: (before: SpecNode, after: SpecNode, key: string) => Iterable<PartChange>,
  use: Use = {},
): Generator<PartChange> {
  for (const { key, either: node, ...sides } of pairs(before, after)) {
    const { before: old, after: now } = sides;
    const text = `${nameOf(key)} ${verbOf(sides)}.`;
    if (old === undefined) yield addition(text, node, use);
    else if (now === undefined) yield breaking(text, node, use);
    else if (compare) yield* compare(old, now, key);
    else if (!isSame(old, now)) yield changeOfWhole(nameOf(key), node, sides, use, !now.object);
  }
}

/** Compares members that only people read. */
export function* compareProse(
  before: ReadonlyMap<string, SpecNode>,
  after: ReadonlyMap<string, SpecNode>,
  nameOf: (name: string) => string,
  use: Use = {},
): Generator<PartChange> {
  for (const { key, either, ...sides } of pairs(before, after)) {
    if (isSame(sides.before, sides.after)) continue;
    yield changeOfWhole(nameOf(key), either.follow(), sides, use, true);
  }
}

/** Returns the change of a member as a whole. */
function changeOfWhole(
  subject: string,
  node: SpecNode,
  { before, after }: Sides,
  use: Use,
  isForPeople: boolean,
): PartChange {
  const change = breaking(`${subject} ${verbOf({ before, after })}.`, node, use);
  const isProse = isForPeople || (before && after && isSameButProse(before, after));
  return isProse ? { ...change, weight: 'patch', kind: 'prose' } : change;
}

export function verbOf({ before, after }: Sides): string {
  if (before === undefined) return 'is new';
  return after === undefined ? 'is removed' : 'changes';
}

export function keywordText(
  keyword: string,
  member: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): string {
  if (before === undefined) return `\`${member}\` now has \`${keyword}: ${show(after)}\`.`;
  if (after === undefined) return `\`${member}\` no longer has \`${keyword}: ${show(before)}\`.`;
  return `The \`${keyword}\` of \`${member}\` goes from \`${show(before)}\` to \`${show(after)}\`.`;
}

/** Returns a value in a sentence: a text as it is, anything else as JSON. */
export function show(value: JsonValue | undefined): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** Returns `a`, `b` and `c`, each in backticks. */
export function listOf(names: readonly string[]): string {
  return and(names.map((name) => `\`${name}\``));
}

export function and(parts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(parts);
}
