import type { SpecNode } from '../../document/spec-document.js';
import { clientPlace } from '../../model/build-api-model.js';
import { codesOf } from '../../model/error-code.js';
import { methods, type OperationObject, readPaths } from '../../openapi/operation-object.js';
import { type Change, concerning, type Found, type PartChange, type SchemaPair } from './change.js';
import {
  addition,
  breaking,
  compareOtherMembers,
  keywordText,
  listOf,
  pairs,
  verbOf,
} from './compare-members.js';
import {
  compareParameters,
  compareRequestBodies,
  compareResponses,
  type Operations,
} from './compare-messages.js';
import { isSame } from './same.js';
import type { SchemaComparisons } from './schema-comparisons.js';

const clientExtensions = ['x-idempotent', 'x-paginated'];

/** The members that are weighed here, also of a request that the service makes. */
const weighed = 'operationId parameters requestBody responses callbacks x-sunset'.split(' ');
const weighedOfCalls = [...weighed, 'security', 'x-no-scope', 'x-no-id-token', 'x-client-method'];

/**
 * Compares two versions of an operation (Operation Object, OpenAPI 3.1 §4.8.10).
 *
 * @param comparisons receives the schemas, which operations share
 * @param operation the operation that the changes concern
 */
export function compareOperations(
  both: Operations,
  comparisons: SchemaComparisons,
  operation = both.before.name,
): Change[] {
  const changes: Change[] = [];
  const schemas: SchemaPair[] = [];
  for (const found of partChanges(both)) {
    if ('place' in found) schemas.push(found);
    else changes.push(concerning([operation], found));
  }
  comparisons.add(operation, schemas);
  return [...changes, ...(both.isReversed ? [] : compareCallbacks(both, comparisons, operation))];
}

function* partChanges(both: Operations): Generator<Found> {
  const { before, after, isReversed } = both;
  yield* compareNames(both);
  if (!isReversed) {
    yield* compareClientMethods(both);
    yield* compareExtensions(both);
    yield* compareSecurity(both);
  }
  yield* compareSunset(both);
  yield* compareParameters(both);
  yield* compareRequestBodies(both);
  yield* compareResponses(both);
  yield* compareErrorCodes(both);
  const [oldItem, newItem] = [pathItemOf(before), pathItemOf(after)];
  const elsewhere = isSame(serversOf(before), serversOf(after)) ? ['servers'] : [];
  const own = isReversed ? weighed : [...weighedOfCalls, ...clientExtensions];
  const ofOperation = `\`${before.name}\``;
  yield* compareOtherMembers(before.node, after.node, ofOperation, [...own, ...elsewhere]);
  const ofPath = `path \`${after.path}\``;
  const others = [...methods, 'parameters', ...elsewhere];
  yield* compareOtherMembers(oldItem, newItem, ofPath, others);
}

/** Compares the requests that the service makes (Callback Object, OpenAPI 3.1 §4.8.18). */
function compareCallbacks(
  { before, after }: Operations,
  comparisons: SchemaComparisons,
  operation: string,
): Change[] {
  const callbacks = pairs(callbacksOf(before), callbacksOf(after));
  return callbacks.flatMap(({ key, before: old, after: now, either: { node } }) => {
    if (old && now) {
      return compareOperations(
        { before: old, after: now, isReversed: true },
        comparisons,
        operation,
      );
    }
    const text = `The callback \`${key}\` of \`${operation}\` is ${now ? 'new' : 'removed'}.`;
    return [concerning([operation], (now ? addition : breaking)(text, node))];
  });
}

function callbacksOf({ node }: OperationObject): Map<string, OperationObject> {
  const callbacks = node.get('callbacks')?.members ?? [];
  return new Map(
    callbacks.flatMap((callback) =>
      readPaths(callback.follow(), undefined)
        .flatMap(({ operations }) => operations)
        .map((each) => [`${callback.key} ${each.method.toUpperCase()} ${each.path}`, each]),
    ),
  );
}

/** Returns the servers where an operation is called (§4.8.10), which may stand outside it. */
function serversOf({ node }: Pick<OperationObject, 'node'>): SpecNode | undefined {
  const servers = node.get('servers') ?? pathItemOf({ node }).get('servers');
  return servers ?? node.document.root.get('servers');
}

function pathItemOf({ node }: Pick<OperationObject, 'node'>): SpecNode {
  return node.document.find(node.path.slice(0, -1)) ?? node;
}

function* compareNames({ before, after }: Operations): Generator<PartChange> {
  const placeOf = ({ method, path }: OperationObject) => `${method.toUpperCase()} ${path}`;
  const [old, now, name] = [placeOf(before), placeOf(after), before.name];
  if (withoutNames(old) !== withoutNames(now)) {
    yield breaking(`\`${name}\` moves from \`${old}\` to \`${now}\`.`, after.node);
  }
  if (before.id !== undefined && before.id !== after.id) {
    const verb = after.id === undefined ? 'is removed' : `becomes \`${after.id}\``;
    const text = `The \`operationId\` of \`${name}\` ${verb}.`;
    yield breaking(text, after.node.get('operationId') ?? after.node);
  }
}

/** Returns a path without the names of its parameters, which are not sent. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** Compares the names of the client's methods, which callers write: also those of the first tag. */
function* compareClientMethods({ before, after }: Operations): Generator<PartChange> {
  const [old, now] = [clientPlace(before), clientPlace(after)];
  const [written, writtenNow] = [before, after].map(({ node }) => node.get('x-client-method'));
  // Another `operationId` is a change of its own.
  const isRenamed = (written ?? writtenNow) !== undefined && old.method !== now.method;
  if (before.id === undefined || (old.resource === now.resource && !isRenamed)) return;
  const [method, methodNow] = [`${old.resource}.${old.method}`, `${now.resource}.${now.method}`];
  const text = `The client's method \`${method}\` becomes \`${methodNow}\`.`;
  const node = writtenNow ?? after.node.at('tags') ?? written ?? after.node;
  yield { ...breaking(text, node), isOfClient: true };
}

/** Compares what a method does: one that takes or returns something else breaks its callers. */
function* compareExtensions({ before, after }: Operations): Generator<PartChange> {
  for (const key of clientExtensions) {
    const [old, now] = [before, after].map(({ node }) => present(node.get(key)));
    const node = now ?? old;
    if (node === undefined || isSame(old, now)) continue;
    const verb = verbOf({ before: old, after: now });
    const text = `\`${key}\` of \`${before.name}\` ${verb}.`;
    const change = addition(text, node, {}, key === 'x-paginated' ? 'major' : 'minor');
    yield { ...(old ? breaking(text, node) : change), isOfClient: true };
  }
}

function present(node: SpecNode | undefined): SpecNode | undefined {
  return node?.value === false ? undefined : node;
}

/** A set of credentials that an operation accepts, such as `apiKey` and `apiKey customers:read`. */
type Credentials = readonly string[];

/** Compares security: a caller needs one of several sets (OpenAPI 3.1 §4.8.30). */
function* compareSecurity({ before, after }: Operations): Generator<PartChange> {
  const [old, now] = [acceptedBy(before), acceptedBy(after)];
  const node = securityOf(after) ?? securityOf(before) ?? after.node;
  const name = node.path.length === 1 ? 'The interface' : `\`${before.name}\``;
  const refused = old.filter((had) => !now.some((needed) => isEnough(had, needed)));
  const accepted = now.filter((needed) => !old.some((had) => isEnough(needed, had)));
  const without = (all: Credentials = [], others: Credentials = []) =>
    listOf(all.filter((each) => !others.includes(each)));
  if (refused.length > 0) {
    const requires = `${name} now requires ${without(now[0], refused[0])}.`;
    const accepts = `${name} no longer accepts ${listOf(refused.flat())}.`;
    yield breaking(now.length === 1 ? requires : accepts, node);
  }
  if (accepted.length > 0) {
    const isOnly = old.length === 1 && now.length === 1;
    const requires = `${name} no longer requires ${without(old[0], accepted[0])}.`;
    const accepts = `${name} now also accepts ${listOf(accepted.flat()) || 'no credentials'}.`;
    yield { weight: 'minor', text: isOnly ? requires : accepts, node, use: {} };
  }
}

function isEnough(had: Credentials, needed: Credentials): boolean {
  return needed.every((each) => had.includes(each));
}

function securityOf({ node }: OperationObject): SpecNode | undefined {
  return node.get('security') ?? node.document.root.get('security');
}

function acceptedBy({ security }: OperationObject): Credentials[] {
  if (security.length === 0) return [[]];
  return security.map(({ node }) =>
    node.members.flatMap(({ key, items }) => [key, ...items.map(({ value }) => `${key} ${value}`)]),
  );
}

/** Callers rely on a deprecated operation until the day that it named. */
function* compareSunset({ before, after }: Operations): Generator<PartChange> {
  const [old, now] = [before, after].map(({ node }) => node.get('x-sunset'));
  if (isSame(old, now)) return;
  const isEarlier = old?.text !== undefined && now?.text !== undefined && now.text < old.text;
  const weight = isEarlier ? 'major' : old ? 'patch' : 'minor';
  const text = keywordText('x-sunset', before.name, old?.value, now?.value);
  yield { weight, text, node: now ?? after.node, use: {} };
}

/** Compares codes. Callers handle a new code by its status, so only a new status is a break. */
function* compareErrorCodes({ before, after }: Operations): Generator<PartChange> {
  const use = { direction: 'error' } as const;
  for (const { key: code, before: old = [], after: now = [] } of pairs(
    codesByName(before),
    codesByName(after),
  )) {
    const lost = old.filter(({ status }) => !now.some((each) => each.status === status));
    const gained = now.filter(({ status }) => !old.some((each) => each.status === status));
    const subject = `Error code \`${code}\``;
    for (const [index, { status, example: node }] of gained.entries()) {
      const former = lost[index]?.status;
      const text = `${subject} comes with status ${status} instead of ${former}.`;
      yield former === undefined
        ? addition(`${subject} (${status}) is new.`, node, use)
        : breaking(text, node, use);
    }
    for (const { status, example: node } of lost.slice(gained.length)) {
      yield { weight: 'patch', text: `${subject} (${status}) is no longer returned.`, node, use };
    }
  }
}

function codesByName(operation: OperationObject) {
  const codes = codesOf(operation);
  return new Map(codes.map(({ code }) => [code, codes.filter((each) => each.code === code)]));
}
