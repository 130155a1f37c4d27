import type { SpecNode } from '../../document/spec-document.js';
import type { OpenApiObject } from '../../openapi/openapi-object.js';
import { type OperationObject, operationName } from '../../openapi/operation-object.js';
import { type Change, mergeChanges, type PartChange, type Use } from './change.js';
import { compareOtherMembers, pairs, verbOf } from './compare-members.js';
import { compareOperations, pathItemOf, withoutNames } from './compare-operations.js';
import { isSame, type Resolved, resolve } from './resolve.js';
import { unchangedBetween } from './unchanged.js';

// The rules are our own, because Redocly's `diff` is no function of its library, and lets some breaks pass (D-40).

/** Compares a spec with a released one. The heaviest changes come first (D-40). */
export function compareSpecs(before: OpenApiObject, after: OpenApiObject): Change[] {
  const uses = before.operations.map((operation): Use => ({ operation: operationName(operation) }));
  const shared = [...compareShared(before.root, after.root)];
  return mergeChanges([
    ...shared.map(({ use: _none, ...change }) => ({ ...change, uses })),
    ...compareAllOperations(before, after),
  ]);
}

function compareAllOperations(before: OpenApiObject, after: OpenApiObject): Change[] {
  const rest = new Set(after.operations);
  const take = (isMatch: (operation: OperationObject) => boolean) => {
    const found = [...rest].find(isMatch);
    if (found) rest.delete(found);
    return found;
  };
  const placeOf = ({ method, path }: OperationObject) => `${method} ${withoutNames(path)}`;
  const inPlace = before.operations.map((old) => ({
    old,
    now: take((each) => placeOf(each) === placeOf(old)),
  }));
  const matched = inPlace.map(({ old, now }) => ({
    old,
    now: now ?? take(({ id }) => id !== undefined && id === old.id),
  }));
  const isUnchanged = unchangedBetween(before.document, after.document);
  const isSecuritySame = isUnchanged(before.root.get('security'), after.root.get('security'));
  const isSettled = (old: OperationObject, now: OperationObject) =>
    isSecuritySame && old.path === now.path && isUnchanged(pathItemOf(old), pathItemOf(now));
  return [
    ...matched.flatMap(({ old, now }) => {
      if (now === undefined) return removal(old);
      return isSettled(old, now) ? [] : compareOperations({ before: old, after: now });
    }),
    ...[...rest].map(addition),
  ];
}

function removal(operation: OperationObject): Change {
  const name = operationName(operation);
  return {
    weight: 'major',
    text: `${placeName(operation)} is removed.`,
    kind: 'other',
    node: operation.node,
    uses: [{ operation: name }],
  };
}

function addition(operation: OperationObject): Change {
  const text = `${placeName(operation)} is new.`;
  const uses = [{ operation: operationName(operation) }];
  return { weight: 'minor', text, kind: 'addition', node: operation.node, uses };
}

function placeName(operation: OperationObject): string {
  const { method, path, id } = operation;
  const place = `\`${method.toUpperCase()} ${path}\``;
  return id === undefined ? place : `\`${id}\` (${place})`;
}

/** Members of the root that are compared otherwise. */
const weighed = ['paths', 'components', 'security', 'servers', 'info', 'openapi', 'tags'];

/** Compares what all operations share. */
function* compareShared(before: SpecNode, after: SpecNode): Generator<PartChange> {
  const both = { before: resolve(before), after: resolve(after) };
  yield* compareServers(both);
  yield* compareSecuritySchemes(before, after);
  yield* compareOtherMembers(both, 'the interface', weighed, {});
  for (const key of ['info', 'tags']) {
    const [old, now] = [before, after].map((root) => partsOf(root.get(key)));
    if (old === undefined || now === undefined) continue;
    for (const { key: part, ...sides } of pairs(old, now)) {
      if (part === 'version' || isSame(sides.before, sides.after)) continue;
      const text = `The \`${part}\` of \`${key}\` ${verbOf(sides)}.`;
      const node = sides.after ?? sides.before ?? after;
      yield { weight: 'patch', text, kind: 'prose', node, use: {} };
    }
  }
}

/** The members of a mapping, or the items of a list by their `name`. */
function partsOf(node: SpecNode | undefined): Map<string, SpecNode> {
  const items = node?.items.map((item) => [item.get('name')?.text ?? '', item] as const);
  return new Map([
    ...(node?.members ?? []).map((each) => [each.key, each] as const),
    ...(items ?? []),
  ]);
}

/** A client calls the URL that the spec has (Server Object, OpenAPI 3.1 §4.8.5). */
function* compareServers({
  before,
  after,
}: Record<'before' | 'after', Resolved>): Generator<PartChange> {
  const byUrl = ({ members }: Resolved) =>
    new Map(
      (members.get('servers')?.items ?? []).map((node) => [node.get('url')?.text ?? '', node]),
    );
  for (const { key: url, ...sides } of pairs(byUrl(before), byUrl(after))) {
    const node = sides.after ?? sides.before ?? after.node;
    const change = { kind: 'other', node, use: {} } as const;
    if (sides.after === undefined) {
      yield { ...change, weight: 'major', text: `Server \`${url}\` is removed.` };
    } else if (sides.before === undefined) {
      const text = `Server \`${url}\` is new.`;
      yield { ...change, weight: 'minor', text, kind: 'addition' };
    } else if (!isSame(sides.before, sides.after)) {
      yield { ...change, weight: 'patch', text: `Server \`${url}\` changes.` };
    }
  }
}

/** The members of a security scheme by which credentials are sent (Security Scheme Object, §4.8.27). */
const sending = ['type', 'in', 'name', 'scheme', 'flows', 'openIdConnectUrl'];

function* compareSecuritySchemes(before: SpecNode, after: SpecNode): Generator<PartChange> {
  const byName = (root: SpecNode) =>
    new Map(
      (root.at('components', 'securitySchemes')?.members ?? []).map((each) => [each.key, each]),
    );
  for (const { key: name, ...sides } of pairs(byName(before), byName(after))) {
    // One that is new or gone shows at the operations that require it.
    if (sides.before === undefined || sides.after === undefined) continue;
    const both = { before: resolve(sides.before), after: resolve(sides.after) };
    for (const member of pairs(both.before.members, both.after.members)) {
      if (isSame(member.before, member.after)) continue;
      const text = `The \`${member.key}\` of the credential \`${name}\` ${verbOf(member)}.`;
      const node = member.after ?? member.before ?? sides.after;
      const weight = sending.includes(member.key) ? 'major' : 'patch';
      yield { weight, text, kind: 'other', node, use: {} };
    }
  }
}
