import type { JsonValue } from '../../document/json.js';
import type { SpecNode } from '../../document/spec-document.js';
import type { PartChange } from './change.js';
import { isProse, isSame, isSameButProse } from './same.js';

/** A member before and after; absent on one side if it was added or removed, but never on both. */
export interface Pair<T> {
  readonly key: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Pairs the members of two mappings, in the order of the new one. */
export function pairs<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): Pair<T>[] {
  const keys = new Set([...after.keys(), ...before.keys()]);
  return [...keys].map((key) => ({ key, before: before.get(key), after: after.get(key) }));
}

export function membersOf(node: SpecNode | undefined): Map<string, SpecNode> {
  return new Map((node?.members ?? []).map((member) => [member.key, member]));
}

export function itemsBy(key: string, node: SpecNode | undefined): Map<string, SpecNode> {
  return new Map((node?.items ?? []).map((item) => [item.get(key)?.text ?? '', item]));
}

/** Members whose absence means `false`. */
const flags = ['deprecated', 'allowReserved', 'allowEmptyValue'];

/** Returns the members of an element. Those beside a reference come before its target's. */
function describe(use: SpecNode): Map<string, SpecNode> {
  const members = new Map([...membersOf(use.follow()), ...membersOf(use)]);
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
  before: SpecNode,
  after: SpecNode,
  subject: string,
  weighed: readonly string[],
  use: PartChange['use'],
): Iterable<PartChange> {
  return compareMembers(pairs(describe(before), describe(after)), subject, weighed, use);
}

export function* compareMembers(
  members: readonly Pair<SpecNode>[],
  subject: string,
  weighed: readonly string[],
  use: PartChange['use'],
): Generator<PartChange> {
  for (const member of members) {
    const { key } = member;
    if (weighed.includes(key) || isSame(member.before, member.after)) continue;
    if (flags.includes(key) && !member.before?.value && !member.after?.value) continue;
    if (key === 'examples' && member.before?.object && member.after?.object) {
      yield* compareExamples(member.before, member.after, use);
      continue;
    }
    const node = member.after ?? member.before;
    if (node === undefined) continue;
    if (key === 'deprecated') {
      const isDeprecated = member.after?.value === true;
      const text = `${upperFirst(subject)} is ${isDeprecated ? 'now' : 'no longer'} deprecated.`;
      yield { weight: isDeprecated ? 'minor' : 'patch', text, node, use };
    } else {
      const isForPeople =
        isProse(key) ||
        (member.before && member.after && isSameButProse(member.before, member.after));
      const text = `The \`${key}\` of ${subject} ${verbOf(member)}.`;
      const kind = isForPeople ? 'prose' : undefined;
      yield { weight: isForPeople ? 'patch' : 'major', text, kind, node, use };
    }
  }
}

/**
 * Compares members with names of their own, such as scopes: a new one is an addition, the caller of
 * one that is gone breaks.
 *
 * @param textOf returns the subject of a sentence about the member of a name
 * @param compare compares those that are still there, by default as a whole
 */
export function* compareNamed(
  before: SpecNode | undefined,
  after: SpecNode | undefined,
  textOf: (name: string) => string,
  use: PartChange['use'],
  compare: Comparing = compareWhole,
): Generator<PartChange> {
  for (const { key, ...sides } of pairs(membersOf(before), membersOf(after))) {
    const { before: old, after: now } = sides;
    const text = `${textOf(key)} ${verbOf(sides)}.`;
    if (old && now) yield* compare(old, now, { text, use, key });
    else if (now) yield { weight: 'minor', text, kind: 'addition', node: now, use };
    else if (old) yield { weight: 'major', text, node: old, use };
  }
}

type Comparing = (
  before: SpecNode,
  after: SpecNode,
  facts: { readonly text: string; readonly use: PartChange['use']; readonly key: string },
) => Iterable<PartChange>;

function* compareWhole(...[before, node, { text, use }]: Parameters<Comparing>) {
  if (isSame(before, node)) return;
  const isForPeople = isSameButProse(before, node) || node.text !== undefined;
  const change: PartChange = isForPeople
    ? { weight: 'patch', text, kind: 'prose', node, use }
    : { weight: 'major', text, node, use };
  yield change;
}

/** Several operations can have the same example, so each is a change of its own. */
function* compareExamples(
  before: SpecNode,
  after: SpecNode,
  use: PartChange['use'],
): Generator<PartChange> {
  for (const { key, ...sides } of pairs(membersOf(before), membersOf(after))) {
    if (isSame(sides.before, sides.after)) continue;
    const text = `The example \`${key}\` ${verbOf(sides)}.`;
    const node = (sides.after ?? sides.before ?? after).follow();
    yield { weight: 'patch', text, kind: 'prose', node, use };
  }
}

export function verbOf({ before, after }: Omit<Pair<SpecNode>, 'key'>): string {
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

function upperFirst(text: string): string {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
