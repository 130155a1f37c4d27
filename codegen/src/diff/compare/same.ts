import { isJsonArray, isJsonObject } from '../../document/json.js';
import { isProse, kindAt } from '../../document/openapi-places.js';
import type { SpecDocument, SpecNode } from '../../document/spec-document.js';
import { referenceOf, referencesIn, targetOf } from './references.js';

/**
 * Returns true if two elements mean the same, although their members stand in another order, or in
 * components.
 */
export function isSame(before: SpecNode | undefined, after: SpecNode | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  // Most elements are written alike.
  const references = new Set([...referencesIn(before), ...referencesIn(after)]);
  const isWrittenAlike = textOf(before) === textOf(after);
  return (
    (isWrittenAlike && areUnchanged(references, before, after)) || isAlike(before, after, false)
  );
}

/** Returns true if only prose differs. */
export function isSameButProse(before: SpecNode, after: SpecNode): boolean {
  return isAlike(before, after, true);
}

function isAlike(before: SpecNode, after: SpecNode, isProseLeftOut: boolean): boolean {
  const references = new Set<string>();
  const [old, now] = [before, after].map((node) => canonical(node, isProseLeftOut, references));
  return old === now && areUnchanged(references, before, after);
}

function areUnchanged(references: ReadonlySet<string>, before: SpecNode, after: SpecNode): boolean {
  if (before.document === after.document) return true;
  const changed = changedReferences(before.document, after.document);
  return ![...references].some((each) => changed.has(each));
}

const textOf = ({ value }: SpecNode) => JSON.stringify(value);

const known = new WeakMap<SpecDocument, { of: SpecDocument; changed: ReadonlySet<string> }>();

/** Returns the references that lead to a different text, directly or further on. */
function changedReferences(before: SpecDocument, after: SpecDocument): ReadonlySet<string> {
  const last = known.get(before);
  if (last?.of === after) return last.changed;
  const changed = findChanged(before, after);
  known.set(before, { of: after, changed });
  return changed;
}

function findChanged(before: SpecDocument, after: SpecDocument): Set<string> {
  const changed = new Set<string>();
  const holders = new Map<string, string[]>();
  const references = [before, after].flatMap(({ root }) => [...referencesIn(root)]);
  for (const reference of new Set(references)) {
    const [old, now] = [before, after].map((document) => targetOf(document, reference));
    // Those in extensions may lead nowhere, as before.
    if (old && now ? textOf(old) !== textOf(now) : old !== now) changed.add(reference);
    for (const end of [old, now].flatMap((node) => (node ? [...referencesIn(node)] : []))) {
      holders.set(end, [...(holders.get(end) ?? []), reference]);
    }
  }
  // A set goes on to the elements that are added meanwhile.
  for (const end of changed) for (const holder of holders.get(end) ?? []) changed.add(holder);
  return changed;
}

/** Lists of schemas whose order means nothing. */
const sets = ['required', 'enum', 'type', 'allOf', 'anyOf', 'oneOf'];

function isSet({ key, path }: SpecNode): boolean {
  const [isOfSchema, isOfKeyword] = [1, 2].map((up) => kindAt(path.slice(0, -up)) === 'schemas');
  return isOfSchema
    ? sets.includes(key)
    : isOfKeyword === true && path.at(-2) === 'dependentRequired';
}

/** Elements that cannot refer to each other in circles. */
const ofExpanded = /^#\/components\/(examples|headers|links|parameters|securitySchemes)\//;

/** Returns a value as text, the same for the same value. */
export function canonicalText(node: SpecNode): string {
  return canonical(node, false, new Set());
}

/**
 * Returns text with sorted keys and sets.
 *
 * @param references receives the references that stay in the text
 */
function canonical(use: SpecNode, isProseLeftOut: boolean, references: Set<string>): string {
  const reference = referenceOf(use);
  const isExpanded = reference !== undefined && ofExpanded.test(reference);
  if (reference !== undefined && !isExpanded) references.add(reference);
  const node = isExpanded ? use.follow() : use;
  if (isJsonArray(node.value)) {
    const items = node.items.map((item) => canonical(item, isProseLeftOut, references));
    return `[${(isSet(node) ? items.sort() : items).join()}]`;
  }
  if (!isJsonObject(node.value)) return JSON.stringify(node.value);
  // The keys of a mapping are names: a field can be called `title`.
  const isOfNames = !isProseLeftOut || /^(?:\*|value$)/.test(kindAt(node.path));
  const texts = node.members
    .filter(({ key }) => isOfNames || !isProse(key))
    .map((each) => `${JSON.stringify(each.key)}:${canonical(each, isProseLeftOut, references)}`);
  // The first media type is that of callers that ask for none.
  const isContent = kindAt(node.path) === '*mediaType';
  return `{${(isContent ? texts : texts.sort()).join()}}`;
}
